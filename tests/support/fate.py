"""Chance as a test wants it: dice and picks prepared by intent, and nothing left to luck."""

from collections.abc import Iterable

from domain.facts.chance import Answer, Request


def rolls(*faces: Iterable[int]) -> list[Answer]:
    """Answers of a tape: one roll for each list of faces."""
    return [Answer(faces=tuple(one)) for one in faces]


class Fate:
    """A source of chance that gives what was prepared, dice and picks each in their order.

    A pick that nobody prepared is the first option: which of several unknown tiles comes is of no interest then. Dice that
    nobody prepared are a mistake of the test.
    """

    def __init__(self) -> None:
        self.dice: list[tuple[int, ...]] = []
        self.picks: list[str] = []
        self.asked: list[Request] = []
        self.pending = False
        """Answer nothing: every request waits, as with a moderator."""

    def ask(self, request: Request) -> Answer | None:
        """The next prepared answer of the kind that is asked for."""
        if self.pending:
            return None
        self.asked.append(request)
        if request.dice:
            assert self.dice, f"{request.dice} dice are rolled for {request.what}, and the test prepared none"
            faces = self.dice.pop(0)
            assert len(faces) == request.dice, f"{request.dice} dice are rolled for {request.what}, not {len(faces)}"
            return Answer(faces=faces)
        for pick in self.picks:
            if pick in request.options:
                self.picks.remove(pick)
                return Answer(pick=pick)
        return Answer(pick=request.options[0])


def showing(dice: int, total: int) -> list[int]:
    """Faces of so many dice that come to a total."""
    assert 0 <= total <= 2 * dice, f"{dice} dice can't show {total}"
    return [min(2, max(0, total - 2 * die)) for die in range(dice)]
