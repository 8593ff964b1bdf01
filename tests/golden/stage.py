"""Playing a golden game: its steps are posted to a real table, and what each role saw is put down beside them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, Mask, seat_bit
from domain.facts.chance import Answer, Request
from domain.facts.commands import AnyCommand
from domain.facts.desk_commands import DESK, AnyDeskCommand
from domain.facts.events import Told
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, State
from domain.rulebook.desk.disputing import consents
from domain.rulebook.desk.taking_back import TAKE_BACK
from domain.rulebook.turn.options import legal
from projections.naming.questions import Asking
from service.games.lobby.checks import check_opening
from service.log.requests import OpenGame
from service.problems import FieldError, ProblemError
from tests.golden.forking import Fork, sandbox
from tests.golden.scene import Unknown
from tests.golden.script import Edition, Game, Script, Seen, Step, plain
from tests.golden.standing import standing
from tests.golden.telling import grouped, lines, merged
from tests.support.desk import Desk
from tests.support.fate import Fate
from tests.support.packs import by_post, rules

OFFERED = 6
"""Legal commands named where one is refused."""
NAMING_COMMITS = ("take-back", "dispute", "give-evidence", "rule-dispute", "fork")
"""Commands that name commits: where there are any, each step says which commit it makes."""
TEXTS = ("claim", "note")
"""Free texts of the desk: they lie beside the log, which has their digests."""


class Misdealt(Exception):
    """Chance is asked for something that the step has not prepared, or not so."""


class Deal(Fate):
    """Dice and picks of one step, used up in order; picks that nobody named are the first option, and noted."""

    def __init__(self, *, strict: bool) -> None:
        super().__init__()
        self.strict = strict
        self.picked: list[str] = []
        """Everything picked since the deal, in order."""

    def deal(self, dice: Iterable[Iterable[int]], picks: Iterable[str]) -> None:
        """Prepare what comes next."""
        self.dice = [tuple(faces) for faces in dice]
        self.picks = list(picks)
        self.picked = []

    def ask(self, request: Request) -> Answer | None:
        """The next answer of the kind asked for; none with a moderator, or where players hold the dice."""
        if self.pending:
            return None
        if request.dice:
            return self._roll(request)
        pick = next((one for one in self.picks if one in request.options), "")
        if pick:
            self.picks.remove(pick)
        elif self.strict:
            raise Misdealt(
                f"`{request.what}` asks for a pick that is not in the file: one of {', '.join(request.options)}"
            )
        else:
            pick = request.options[0]
        self.picked.append(pick)
        return Answer(pick=pick)

    def left(self) -> str:
        """What was prepared and never asked for."""
        return ", ".join(
            [*(f"the roll {list(faces)}" for faces in self.dice), *(f"the pick `{one}`" for one in self.picks)]
        )

    def _roll(self, request: Request) -> Answer:
        if not self.dice:
            raise Misdealt(f"{request.dice} dice are rolled for `{request.what}`, and no more are in the file")
        faces = self.dice.pop(0)
        if len(faces) != request.dice or any(face not in (0, 1, 2) for face in faces):
            raise Misdealt(f"{request.dice} dice with faces 0 to 2 are rolled for `{request.what}`, not {list(faces)}")
        return Answer(faces=faces)


class Stage(Desk):
    """A table on which a golden game is played."""

    def __init__(self, script: Script, *, strict: bool = False) -> None:
        """Open the game, arrange the scene.

        Args:
            script: the game.
            strict: what chance picks has to be in the file; else it is filled in.

        Raises:
            Unfit: the table or the scene can't be as written.
        """
        self.script = script
        self.story: list[list[Told]] = []
        """All commits, of a sandbox's parent too."""
        game = script.game
        self.numbered = any((step.does or step.tries or {}).get("type") in NAMING_COMMITS for step in game.steps)
        self.deal = Deal(strict=strict)
        self.deal.deal([], game.picks)
        self._check(game)
        first = game.setup.get("first_seat", 0)
        try:
            super().__init__(
                game.explorers,
                first=first,
                game=rules_by(game.edition),
                options=game.options,
                source=game.chance,
                setup=game.setup,
                fate=self.deal,
            )
            for index, arrangement in enumerate(game.scene):
                self._arrange(index, arrangement.arrange)
        except Misdealt as error:
            raise script.unfit(("picks",), str(error)) from error
        if left := self.deal.left():
            raise script.unfit(("picks",), f"{left} was not asked for")
        self.picked = self.deal.picked
        self.opened = len(self.commits)
        self.deal.pending = game.chance != "tape"

    def commit(self, told: list[Told]) -> list[Told]:
        """Keep a commit and tell every role its part."""
        self.story.append(told)
        return super().commit(told)

    def _check(self, game: Game) -> None:
        """The opening is one that the service would take."""
        asked = {
            "edition": game.edition,
            "seats": [{"character": explorer} for explorer in game.explorers],
            "options": game.options,
            "setup": game.setup,
        }
        try:
            check_opening(rules_by(game.edition), msgspec.convert(asked, OpenGame))
        except ProblemError as error:
            told = (error.problem.errors or [FieldError("", error.problem.detail)])[0]
            trail = [int(step) if step.isdecimal() else step for step in told.pointer.split("/")[1:]]
            where = ("explorers", *trail[1:2]) if trail[:1] == ["seats"] else tuple(trail)
            raise self.script.unfit(where, told.detail) from error
        except msgspec.ValidationError as error:
            where = tuple(key for key in ("options", "setup") if f"$.{key}" in str(error))
            raise self.script.unfit(where, f"no game can be opened like this: {error}") from error

    def _arrange(self, index: int, arrange: Any) -> None:  # noqa: ANN401 -- a bound method of any arrangement
        try:
            arrange(self)
        except Unknown as error:
            raise self.script.unfit(("scene", index), error.message, error.suggestion) from error
        except AssertionError as error:
            raise self.script.unfit(("scene", index), str(error) or "this can't be arranged here") from error

    # -- steps ------------------------------------------------------------------------------------------------------

    def perform(self, index: int, step: Step) -> Step:
        """Post a step's command.

        Args:
            index: the step's place in the file.
            step: what is posted.

        Returns:
            The step with what came of it.

        Raises:
            Unfit: something else came of it than the file says.
        """
        self.deal.deal(step.dice, step.picks)
        if step.tries is not None:
            return self._refused(index, step, step.tries)
        assert step.does is not None, "the script has seen to it"
        told: list[tuple[str, Mask]] = []
        for actor in self._actors(index, step):
            before = len(self.story)
            self._post(index, actor, step.does)
            for commit in self.story[before:]:
                told += lines(self.rules, self.roles, commit, brief=self._brief)
        if left := self.deal.left():
            raise self.script.unfit(("steps", index), f"step {index + 1}: {left} was not asked for")
        saw = grouped(told, self.state)
        number = len(self.commits) if self.numbered else 0
        return msgspec.structs.replace(step, picks=self.deal.picked, commit=number, saw=saw, because="")

    def positions(self) -> Seen:
        """How things stand, as each role sees it."""
        return grouped(merged({role: standing(self.rules, state) for role, state in self.roles.items()}), self.state)

    @property
    def _brief(self) -> bool:
        return self.script.game.made_by == "bots"

    def _actors(self, index: int, step: Step) -> list[int]:
        if step.by == "moderator":
            return [MODERATOR]
        if step.by != "everybody":
            seat = int(step.by.removeprefix("seat "))
            if seat >= self.state.seats:
                last = self.state.seats - 1
                raise self.script.unfit(("steps", index, "by"), f"there is no {step.by}", f"the seats are 0 to {last}")
            return [seat]
        option = (step.does or {}).get("option")
        asked = [one.seat for one in self.state.open.values() if option in one.options]
        asked = asked or [
            one.seat for seat in range(self.state.seats) for one in consents(self.state, seat) if option in one.options
        ]
        if not asked:
            raise self.script.unfit(("steps", index, "by"), f"step {index + 1}: nobody is asked for `{option}`")
        return asked

    def _post(self, index: int, actor: int, written: dict[str, Any]) -> None:
        try:
            if written.get("type") == "fork":
                self._begin_fork(index, actor, written)
                return
            self.do(actor, self._command(index, actor, written, "does"))
        except Refused as error:
            by = error.rule or error.problem
            message = f"step {index + 1}: refused by {by}: {error.detail}"
            raise self.script.unfit(("steps", index, "does"), message, self._offer(actor, written)) from error
        except Misdealt as error:
            raise self.script.unfit(("steps", index), f"step {index + 1}: {error}") from error

    def _refused(self, index: int, step: Step, written: dict[str, Any]) -> Step:
        (actor,) = self._actors(index, step)
        command = self._command(index, actor, written, "tries")
        try:
            self.do(actor, command)
        except Refused as error:
            by = error.rule or error.problem
            if by != step.refused:
                message = f"step {index + 1}: refused by {by}, not by {step.refused}: {error.detail}"
                raise self.script.unfit(("steps", index, "refused"), message) from error
            names = Asking(self.rules, self.roles[REFEREE if actor == MODERATOR else seat_bit(actor)], seen_only=True)
            return msgspec.structs.replace(step, because=error.worded(names.named).detail, saw={})
        except Misdealt:
            pass
        message = f"step {index + 1}: this is accepted, and should be refused by {step.refused}"
        raise self.script.unfit(("steps", index, "tries"), message)

    def _begin_fork(self, index: int, actor: int, written: dict[str, Any]) -> None:
        """From here on the table is the sandbox, with commits of its own."""
        try:
            at = msgspec.convert(written, Fork).at
            assert at <= len(self.commits), f"the game has the commits 1 to {len(self.commits)}"
            self.state, told, known = sandbox(self.rules, self.past(at), actor, self.deal)
        except (AssertionError, msgspec.ValidationError) as error:
            raise self.script.unfit(("steps", index, "does"), f"step {index + 1}: no fork: {error}") from error
        self.commits, self.actors, self.roles = [], [], known
        self.commit(told)

    def _command(self, index: int, actor: int, written: dict[str, Any], key: str) -> AnyCommand | AnyDeskCommand:
        try:
            return command_of(self.state, actor, written)
        except msgspec.ValidationError as error:
            message = f"step {index + 1}: no command: {error}"
            raise self.script.unfit(("steps", index, key), message) from error

    def _offer(self, actor: int, written: dict[str, Any]) -> str:
        """What could be done instead, the same kind of command first."""
        offered = [plain(one) for one in legal(self.rules, self.state, actor)]
        like = [one for one in offered if one["type"] == written.get("type")] or offered
        shown = "; ".join(", ".join(f"{key}: {value}" for key, value in one.items()) for one in like[:OFFERED])
        if not shown:
            asked = "; ".join(f"{one.seat} ({one.about})" for one in self.state.open.values())
            return f"nothing is legal for it now; asked is seat {asked or self.state.turn.seat}"
        return f"legal here: {shown}{' and more' if len(like) > OFFERED else ''}"


def played(script: Script, *, strict: bool = False) -> tuple[Game, Stage]:
    """Play a golden game.

    Args:
        script: the file.
        strict: what chance picks has to be in the file; else it is filled in.

    Returns:
        The game with everything filled in, and the table at its end.

    Raises:
        Unfit: it can't be played as written.
    """
    stage = Stage(script, strict=strict)
    start = stage.positions()
    steps = [stage.perform(index, step) for index, step in enumerate(script.game.steps)]
    _check_covered(script, stage, steps)
    game = msgspec.structs.replace(script.game, picks=stage.picked, start=start, steps=steps, end=stage.positions())
    return game, stage


def rules_by(edition: Edition) -> Rules:
    """The rules of an edition, with the built-in pack."""
    return by_post() if edition == "play-by-post" else rules(f"{edition}-edition")


def command_of(state: State, actor: int, written: dict[str, Any]) -> AnyCommand | AnyDeskCommand:
    """The command that a step means; of free texts the digests.

    Raises:
        msgspec.ValidationError: it is none.
    """
    texts = {key: hashlib.sha256(str(written[key]).encode()).hexdigest() for key in TEXTS if key in written}
    meant = {"decision": meant_decision(state, actor, written), **written, **texts}
    return msgspec.convert(meant, AnyCommand | AnyDeskCommand)  # type: ignore[no-any-return]  # a union is no type to mypy


def meant_decision(state: State, actor: int, written: dict[str, Any]) -> str:
    """The decision that a command without one means: of several that wait for the actor the first that has the option."""
    kind = written.get("type")
    if kind in ("propose-ruling", "flip-coin"):
        return "table"
    if kind == "enter":
        return "book"
    if kind in ("reveal", TAKE_BACK):
        return str(kind)
    if kind in ("dispute", "give-evidence", "withdraw-dispute", "rule-dispute", "reopen-dispute"):
        return DESK
    if kind not in ("choose", "allocate", "select", "answer-chance"):
        return f"turn-{state.turn.number}"
    asked = [one for one in state.open.values() if one.seat == actor]
    rulings = state.rulings
    if not asked and rulings is not None and rulings.proposed is not None:
        return f"ruling-{rulings.proposed.number}"
    asked = asked or consents(state, actor)
    fitting = [one.id for one in asked if written.get("option") in one.options] or [one.id for one in asked]
    return fitting[0] if fitting else "none"


def cited(stage: Stage, steps: Iterable[Step]) -> set[str]:
    """The rules that the steps of a game cite, in what happens and in what is refused."""
    told: list[Told] = [one for commit in stage.story[stage.opened :] for one in commit]
    return {one.event.rule for one in told} | {step.refused for step in steps if step.tries is not None}


def _check_covered(script: Script, stage: Stage, steps: list[Step]) -> None:
    found = cited(stage, steps)
    for index, rule in enumerate(script.game.covers):
        if rule not in found:
            area = rule.rpartition("-")[0]
            near = ", ".join(sorted(one for one in found if one.startswith(area)))
            message = f"{rule} is covered, but never cited: no event and no refusal of this game is by it"
            raise script.unfit(("covers", index), message, f"cited of {area} is {near or 'nothing'}")
