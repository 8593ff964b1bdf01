"""What a player types at a table: lines, interrupted by news from the service; the choices that they stand for; and the values in between."""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import httpx
import msgspec

from projections.choices.decisions import OpenDecision
from projections.choices.families import Division, Faces, Family, Field, OneOf, Places, Subset
from projections.naming.names import counted
from service.cli.play.invites import SavedPlace

RETRY_AFTER = 1.0
"""Seconds between two attempts to reach a service that is away."""
QUIET = 60.0
"""Seconds of silence after which a stream counts as dead."""


class Lines:
    """Lines that the player types, or a wake-up call from another thread, whichever comes first."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._typed = b""
        self._ended = False
        self._woken, self._waker = os.pipe()
        self._live = os.isatty(source)
        """A terminal is read at any time, a pipe only when a choice is asked for."""

    def wake(self) -> None:
        """Report news; called from other threads."""
        os.write(self._waker, b".")

    def next(self, seconds: float, *, asked: bool) -> str | None:
        """The next line; None if there is news instead, or nothing until the timeout.

        Raises EOFError if the input has ended and the player is `asked` for a choice.
        """
        reading = asked or self._live
        if reading and b"\n" in self._typed:
            line, _, self._typed = self._typed.partition(b"\n")
            return line.decode(errors="replace").strip()
        if reading and self._ended:
            if asked:
                raise EOFError
            reading = False
        found, _, _ = select.select([self._woken, *([self._source] if reading else [])], [], [], seconds)
        if self._woken in found:
            os.read(self._woken, 4096)
            return None
        if self._source in found:
            more = os.read(self._source, 4096)
            self._ended = not more
            self._typed += more or (b"\n" if self._typed else b"")
            return self.next(0.0, asked=asked)
        return None


class StreamListener(threading.Thread):
    """Follows the game's event stream and calls `wake` for every event; the screen then fetches the events itself."""

    def __init__(self, place: SavedPlace, wake: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self._place = place
        self._wake = wake
        self._after = 0

    def run(self) -> None:
        while self._listen():
            time.sleep(RETRY_AFTER)

    def _listen(self) -> bool:
        """One connection; returns whether to try another."""
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {self._place.token}"}
        path = f"{self._place.url}/v1/games/{self._place.game}/events"
        try:
            timeout = httpx.Timeout(10.0, read=QUIET)
            with httpx.stream("GET", path, params={"after": self._after}, headers=headers, timeout=timeout) as answer:
                if answer.status_code != httpx.codes.OK:
                    self._wake()
                    return answer.status_code not in (httpx.codes.NO_CONTENT, httpx.codes.UNAUTHORIZED)
                for line in answer.iter_lines():
                    if line.startswith("id: "):
                        self._after = int(line.removeprefix("id: "))
                    elif line.startswith("data: "):
                        self._wake()
        except (httpx.HTTPError, ValueError):
            pass
        self._wake()
        return True


class Choice(msgspec.Struct, frozen=True):
    """Something that can be chosen."""

    label: str
    command: Any
    """Ready to be posted; of a family, the members that its commands share."""
    fields: Sequence[Field] = ()
    """The members that the player still has to give."""


def choices_of(decision: OpenDecision) -> Iterator[Choice]:
    """What can be answered: commands one by one, or families if there are too many commands."""
    if decision.count <= len(decision.commands):
        yield from (Choice(one.label, one.command) for one in decision.commands)
        return
    for family in decision.families:
        yield Choice(f"{family.label} …" if family.fields else family.label, family.fixed, family.fields)
    listed = [one for one in decision.commands if not any(_fits(one.command, family) for family in decision.families)]
    yield from (Choice(one.label, one.command) for one in listed)


def _fits(command: object, family: Family) -> bool:
    found: Mapping[str, Any] = msgspec.to_builtins(command)
    given = {field.field for field in family.fields}
    return all(found.get(name) == value for name, value in family.fixed.items()) and given >= set(found) - set(
        family.fixed
    )


def number(line: str, most: int) -> int | None:
    """A number from 1 to `most`, or None."""
    return int(line) if line.isascii() and line.isdecimal() and 1 <= int(line[:6]) <= most else None


def explained(field: Field, title: Callable[[str, str], str]) -> Iterator[str]:
    """How to answer for a member of a command; `title` names its values."""
    match field:
        case OneOf(values=values):
            yield from (f"{at:3}  {title(field.field, str(value))}" for at, value in enumerate(values, 1))
        case Division(least=least, total=total, caps=caps):
            limits = ", ".join(f"{trait} at most {cap}" for trait, cap in caps.items())
            yield f"Divide {_points(least, total)}: {limits}. For example: {_example(total, caps)}"
        case Places(of=of, most=most):
            yield from (f"{at:3}  {value}" for at, value in enumerate(of, 1))
            yield f"Choose at most {most}, separated by spaces; 0 chooses none."
        case Subset(of=of, least=least):
            yield from (f"{at:3}  {title(field.field, value)}" for at, value in enumerate(of, 1))
            yield f"Choose {f'at least {least}' if least else 'any'}, separated by spaces{'' if least else '; 0 chooses none'}."
        case Faces(dice=dice, least=least):
            yield f"What {counted(dice, 'die shows', 'dice show')}, from {least} to {least + 2}, separated by spaces."


def _example(total: int, caps: Mapping[str, int]) -> str:
    """One way to divide: `might 1 speed 2`."""
    found = []
    for trait, cap in caps.items():
        found.append(f"{trait} {min(cap, total)}")
        total -= min(cap, total)
    return " ".join(found)


def parsed(field: Field, line: str) -> Any:  # noqa: ANN401 -- what the member is
    """The value that a line gives for a member of a command; the message of a ValueError says what would fit."""
    words = line.replace(",", " ").split()
    match field:
        case OneOf(values=values):
            return values[_numbers(words[:1], len(values))[0] - 1]
        case Division():
            return _division(words, field)
        case Places(of=of, most=most):
            found = [] if words == ["0"] else _numbers(words, len(of))
            if len(found) > most:
                raise ValueError(f"Choose at most {most}.")
            return [at - 1 for at in found]
        case Subset(of=of, least=least):
            found = [] if words == ["0"] else _numbers(words, len(of))
            if len(found) < least:
                raise ValueError(f"Choose at least {least}.")
            return [of[at - 1] for at in found]
        case Faces(dice=dice, least=least):
            if len(words) != dice or not all(word in map(str, range(least, least + 3)) for word in words):
                raise ValueError(f"Type {counted(dice, 'number')} from {least} to {least + 2}.")
            return [int(word) for word in words]


def _numbers(words: Sequence[str], highest: int) -> list[int]:
    found = [number(word, highest) for word in words]
    numbers = [one for one in found if one is not None]
    if not found or len(numbers) < len(found) or len(set(numbers)) < len(numbers):
        raise ValueError(f"Type different numbers from 1 to {highest}.")
    return numbers


def _division(words: Sequence[str], field: Division) -> dict[str, int]:
    """`might 1 speed 2` as points by trait; a trait may be abbreviated."""
    caps, points = field.caps, dict[str, int]()
    shown = _example(field.total, caps)
    for name, said in zip(words[::2], words[1::2], strict=False):
        meant = [trait for trait in caps if trait.startswith(name.lower())]
        if len(meant) != 1 or not said.isdecimal():
            raise ValueError(f"Name the traits with their points: {shown}.")
        points[meant[0]] = int(said)
    fits = field.least <= sum(points.values()) <= field.total
    if len(words) % 2 or not fits or any(points[trait] > caps[trait] for trait in points):
        total = _points(field.least, field.total)
        raise ValueError(f"The points must add up to {total}, with no trait above its limit: {shown}.")
    return points


def _points(least: int, total: int) -> str:
    return f"{total}" if least == total else f"at most {total}"
