"""What the scripts answer about a game, as the port says it: words that become results, and words that are raised."""

from collections.abc import Callable, Sequence
from typing import Any

from service.ports.log import (
    AlreadyApplied,
    Appended,
    Applied,
    Conflict,
    InviteSpent,
    NoSuchGame,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
)


def checked(answer: Sequence[bytes], game: str) -> bytes:
    """The word of a script's answer about a game; nothing, if it found nothing.

    Raises:
        StoreUnavailable: the answer is about another game: the connection is out of step and nothing on it can be believed.
    """
    if answer[0] != game.encode():
        raise StoreUnavailable("an answer of Redis is about another game than was asked")
    return answer[1] if len(answer) > 1 else b""


def done(game: str, where: str, answer: Any) -> bytes:  # noqa: ANN401 -- what a script answers
    """The word of an answer; those that no adapter returns are raised.

    Args:
        game: the game that was asked about.
        where: the address of the store, for messages.
        answer: what the script answered.

    Raises:
        NoSuchGame: there is none of that id.
        StoreDamaged: the log has a gap.
        StoreError: a new token has the hash of another one.
        StoreUnavailable: see `checked`.
    """
    word = checked(answer, game)
    if word == b"nowhere":
        raise NoSuchGame(game)
    if word == b"damaged":
        raise StoreDamaged(f"{where}: commit {int(answer[2])} of game {game} is missing: restore a backup")
    if word == b"clash":
        raise StoreError(f"{where}: token {answer[2].decode()} has the hash of another one")
    return word


def appended(game: str, where: str, answer: Any) -> Appended:  # noqa: ANN401 -- what a script answers
    """What became of an append; arguments and exceptions as for `done`."""
    if isinstance(answer, bytes):
        owner, _, number = answer.rpartition(b" ")
        checked([owner], game)
        return Applied(int(number))
    word = done(game, where, answer)
    answers: dict[bytes, Callable[[], Appended]] = {
        b"applied": lambda: Applied(int(answer[2])),
        b"conflict": lambda: Conflict(int(answer[2])),
        b"known": lambda: AlreadyApplied(int(answer[2]), answer[3]),
        b"spent": lambda: InviteSpent(answer[2]),
    }
    return answers[word]()
