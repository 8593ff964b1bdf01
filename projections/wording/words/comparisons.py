"""Comparisons in words: `“Verses of the rite” has reached 5`, `there are at most 3 Rats in the house`."""

from __future__ import annotations

from typing import NamedTuple

from content.vocabulary.values import Condition, Count, Number, Value
from projections.wording.words.english import listed
from projections.wording.words.speech import Speech
from projections.wording.words.titles import trait
from projections.wording.words.values import many, number_now, said, things


class Claim(NamedTuple):
    """A statement about `[you]`, and its opposite."""

    holds: str
    fails: str


def compared(s: Speech, condition: Condition, name: str) -> Claim:
    """What a comparison claims: `name` is the key that says of what, `counter`, `count` or `number`."""
    least, most = condition.at_least, condition.at_most
    if least is None and most is None:
        least = 1
    if name == "count" and condition.count is not None:
        return _counted(s, condition.count, least, most)
    value = Number(counter=condition.counter) if name == "counter" else condition.number
    if isinstance(value, Number) and value.players is not None and s.numbers is None:
        return _for_players(value.players, least, most)
    if isinstance(value, Number) and least == 1 and most is None and (claim := _some(value)) is not None:
        return claim
    what = said(s, value if value is not None else 0)
    now = _progress(s, value, least, most)
    if least is not None and most is not None:
        span = said(s, least) if least == most else f"{said(s, least)} to {said(s, most)}"
        return Claim(f"{what} is {span}", f"{what} is not {span}")
    if least is not None:
        reached = "has reached" if name == "counter" else "is at least"
        return Claim(f"{what} {reached} {said(s, least)}{now}", f"{what} is less than {said(s, least)}{now}")
    bound = said(s, most if most is not None else 0)
    return Claim(f"{what} is {'' if bound == '0' else 'at most '}{bound}{now}", f"{what} is more than {bound}{now}")


def _some(value: Number) -> Claim | None:
    """That there is any of it, where that is said without a number."""
    if value.trait is not None:
        return Claim(f"[you] [have] {trait(value.trait)}", f"[you] [have] no {trait(value.trait)}")
    if value.result == "damage":
        return Claim("[you] [take] damage", "[you] [take] no damage")
    if value.result == "blanks":
        return Claim("the reroll shows a blank", "the reroll shows no blank")
    return None


def _for_players(table: dict[str, int], least: Value | None, most: Value | None) -> Claim:
    """A number that only the players decide: with how many of them it is large (or small) enough."""
    low, high = least if isinstance(least, int) else 0, most if isinstance(most, int) else max(table.values())
    fitting = [players for players in sorted(table, key=int) if low <= table[players] <= high]
    others = [players for players in sorted(table, key=int) if players not in fitting]
    return Claim(f"there are {listed(fitting, 'or')} players", f"there are {listed(others, 'or')} players")


def _counted(s: Speech, count: Count, least: Value | None, most: Value | None) -> Claim:
    if count.explorers == "escaped" and least is not None and most is None:
        now = _progress(s, Number(count=count), least, most)
        escaped = s.amount(least, "explorer")
        verb = "has" if said(s, least) == "1" else "have"
        return Claim(
            f"{escaped}{now} {verb} escaped",
            f"fewer than {s.amount(least, 'explorers', 'explorers')}{now} have escaped",
        )
    thing, where = things(s, count)
    if count.cards is not None:
        return _held(s, thing, least, most)
    now = _progress(s, Number(count=count), least, most)
    if least is not None and most is not None:
        span = f"{said(s, least)} to {said(s, most)} {many(thing)} {where}"
        return Claim(f"there are {span}", f"there are not {span}")
    if least is not None:
        fewer = f"there are fewer than {s.amount(least, many(thing), many(thing))} {where}{now}"
        return Claim(f"{_there_are(s, 'at least', least, thing)} {where}{now}", fewer)
    bound = most if most is not None else 0
    if bound == 0:
        return Claim(f"there are no {many(thing)} {where}", f"there is at least 1 {thing} {where}")
    more = f"there are more than {s.amount(bound, many(thing), many(thing))} {where}{now}"
    return Claim(f"{_there_are(s, 'at most', bound, thing)} {where}{now}", more)


def _held(s: Speech, thing: str, least: Value | None, most: Value | None) -> Claim:
    """So many cards in hand."""
    if least is not None and most is not None:
        span = f"{said(s, least)} to {said(s, most)} {many(thing)}"
        return Claim(f"[you] [have] {span}", f"[you] [do] not have {span}")
    if least is not None:
        return Claim(
            f"[you] [have] at least {s.amount(least, thing)}", f"[you] [have] fewer than {s.amount(least, thing)}"
        )
    bound = s.amount(most if most is not None else 0, thing)
    return Claim(f"[you] [have] at most {bound}", f"[you] [have] more than {bound}")


def _there_are(s: Speech, bound: str, value: Value, thing: str) -> str:
    return f"there {'is' if said(s, value) == '1' else 'are'} {bound} {s.amount(value, thing, many(thing))}"


def _progress(s: Speech, value: Value | None, least: Value | None, most: Value | None) -> str:
    """How far the game has come, where one is told: ` (2 now, 4 to go)`."""
    if s.numbers is None or value is None or isinstance(value, int) or value.players is not None:
        return ""
    now = number_now(s, value)
    wanted = number_now(s, least if least is not None else most if most is not None else 0)
    if now is None or wanted is None:
        return ""
    left = wanted - now if least is not None else now - wanted
    return f" ({now} now, {left} to go)" if left > 0 else f" ({now} now)"
