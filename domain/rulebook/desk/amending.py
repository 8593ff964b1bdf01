"""Amendments: what a ruling puts right, as steps in the words of content files, checked and run like those of an entry.

A rewind to before an amendment undoes it. The ruling that goes back may do the steps again, in the same commit, on the game as it stood then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from content.errors import Finding
from content.load.entries import mistakes, read, said_by_haunts
from content.survey import Spot, children, walk
from content.vocabulary.base import Word
from content.vocabulary.effects import CounterChange, Effect
from content.vocabulary.pack import Book
from content.vocabulary.pack import Haunt as HauntSheet
from content.vocabulary.values import Condition, Each, Number, Rooms, Who
from content.vocabulary.verbs import RemoveToken
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.audience import EVERYBODY, Mask, seats_mask
from domain.facts.commands import Choose
from domain.facts.desk import AMEND, Desk, Dispute, Ruled, block_of
from domain.facts.desk_commands import RuleDispute
from domain.facts.events import AmendmentTold
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, Haunt, State

NOT_TO_YOU = frozenset(
    (
        *("place_token", "remove_token", "remove_tile", "place_monster", "stun"),
        *("each_room", "count", "tell", "reveal", "win"),
    )
)
"""Verbs that do nothing to `you`, whom steps with them may mention all the same."""
FOR_THE_LIVING = frozenset(
    (
        *("gain", "lose", "heal", "set_trait", "damage", "roll", "roll_each", "reroll", "next_roll", "attacked"),
        *("must_attack", "draw", "reveal_until", "search", "look", "take", "keep", "give", "shift", "break_wall"),
        *("trap", "extra_turn", "survive", "haunt_roll", "escape"),
    )
)
"""Verbs that come to nothing, or to nonsense, where `you` are dead or out of the house."""
BESIDE_YOU = frozenset({"you", "here", "left-of-you", "right-of-you", "nearest-explorer", "room-of:you"})
"""Words for somebody or some place that depend on who `you` are."""
OF_SIDES = frozenset({"traitor", "heroes", "living-heroes", "all-heroes", "exists"})
"""Words for those of a side, the truth whether known or not; `hero` is only whom all take for one."""
OF_SIDES_UNDER = frozenset({("side", "you"), ("traitor", "none"), ("traitor", "dead")})
"""Words that ask for sides under one key only."""


def told_of(dispute: Dispute) -> Mask:
    """Who knows what a dispute is about."""
    return EVERYBODY if dispute.table else seats_mask([dispute.by])


def check_amendment(m: Machine, dispute: Dispute, actor: int, command: RuleDispute) -> AmendmentTold:
    """Check the steps as those of an entry are.

    Raises:
        Refused: `decision-closed` while something is half-done, `unfit-amendment` with every mistake and its place.
    """
    if m.state.open:
        why = "nothing is amended while something is half-done: wait for the answer to it, or go back to before it"
        raise Refused(why, problem="decision-closed")
    you = dispute.by if command.you is None else command.you
    found = _unfit(m.rules, m.state, actor, you, command.do)
    if found:
        errors = [_error(one) for one in found]
        raise Refused(errors[0][1], problem="unfit-amendment", errors=errors)
    return AmendmentTold(number=dispute.number, you=you, do=command.do)


def _unfit(rules: Rules, state: State, judge: int, you: int, do: list[dict[str, Any]]) -> list[Finding]:
    """What is wrong with steps as a game stands; `judge` has ruled so."""
    entry, found = read({"do": do})
    if entry is not None:
        found = mistakes(rules.pack.source, _known(rules, state, judge), entry)
        if state.haunt is None:
            found += said_by_haunts(entry)
    if you >= state.seats:
        found = [*found, Finding(("you",), f"there is no seat {you}", f"the last one is {state.seats - 1}")]
    return found


def _known(rules: Rules, state: State, judge: int) -> HauntSheet:
    """The haunt in play, for the referee, who may name its pieces; for a seat only its kind, or error messages would reveal more."""
    playing = None if state.haunt is None else rules.pack.haunts[state.haunt.id]
    if judge == MODERATOR and playing is not None:
        return playing
    kind = "no-traitor" if playing is None else playing.kind
    return HauntSheet(id="none", title="-", stage="draft", kind=kind, story="-", heroes=Book(story="-", goal="-"))


def _error(finding: Finding) -> tuple[str, str]:
    """A mistake as JSON pointer and sentence."""
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in finding.trail)
    hint = f": {finding.suggestion}" if finding.suggestion else ""
    return "".join(f"/{step}" for step in steps), f"{finding.message}{hint}"


def amend(m: Machine, rulings: Sequence[Ruled | Dispute]) -> None:
    """Do the steps of some rulings now, one after the other; `you` is the one whom each of them names."""
    for ruling in reversed(rulings):
        assert ruling.amendment is not None  # noqa: S101 -- it was told before the dispute was closed
        you, block = ruling.amendment.you, m.rules.compile_amendment(_block(m.state, ruling), ruling.amendment)
        m.call(block, you=you, drawer=you, owner=you, src="ruling")
    m.run()


def _block(state: State, ruling: Ruled | Dispute) -> str:
    rulings = [] if state.desk is None else state.desk.disputes[ruling.number - 1].rulings()
    return block_of(ruling, next(rank for rank, one in enumerate(rulings) if one is ruling))


def amends(command: object, state: State) -> bool:
    """Whether a command starts or continues the steps of an amendment, so that a failure is the amendment's fault."""
    if isinstance(command, RuleDispute):
        return command.outcome == "amend" or bool(command.reapply)
    disputed = isinstance(command, Choose) and command.decision.startswith("dispute-")
    return disputed or any(frame.block.startswith(AMEND) for frame in state.frames)


def hangs_on_the_traitor(state: State, do: object) -> bool:
    """Whether what steps do depends on who the hidden traitor is, in the state of a role that was not told; better once too often."""
    return state.haunt is not None and state.haunt.hidden and state.haunt.traitor < 0 and _asks_sides(do)


def _asks_sides(part: object, key: str = "") -> bool:
    """By words, as they were written: whatever is added to the vocabulary is looked through, too."""
    match part:
        case dict():
            return "win" in part or any(_asks_sides(value, name) for name, value in part.items())
        case list():
            return any(_asks_sides(one, key) for one in part)
        case str():
            return part.rpartition(":")[2] in OF_SIDES or (key, part) in OF_SIDES_UNDER
        case _:
            return False


# -- undone, and done again ---------------------------------------------------------------------------------------------------------


def undone(state: State, to: int) -> list[int]:
    """Disputes, by number, whose amendments hold now and would not if play went back to a commit."""
    desk = state.desk or Desk()
    found = [one for one in desk.amendments() if desk.holds(one, state.commit) and not desk.holds(one, to)]
    return sorted({one.number for one in found})


def lacking(state: State, number: int, to: int) -> list[Ruled | Dispute]:
    """What was ruled to amend on a dispute, as far as the game as it stood at a commit doesn't have it."""
    desk = state.desk or Desk()
    return [one for one in desk.amendments() if one.number == number and not desk.holds(one, to)]


def check_reapplied(state: State, command: RuleDispute) -> None:
    """Check all of what a rewind does again that can be checked without the log.

    Raises:
        Refused: `unfit-ruling`, or `ruling-open` where it may change until all have agreed.
    """
    known = state.desk.disputes if state.desk is not None else []
    for index, number in enumerate(command.reapply):
        why, problem = "", "unfit-ruling"
        if number > len(known):
            why = f"there is no dispute {number}"
        elif number in command.reapply[:index]:
            why = f"dispute {number} is named twice"
        elif not any(one.outcome == "amend" for one in known[number - 1].rulings()):
            why = f"dispute {number} was not decided by an amendment, so there is nothing to apply again"
        elif not lacking(state, number, command.to or 0):
            why = f"the amendment of dispute {number} holds at commit {command.to}: a rewind to it does not undo that"
        elif known[number - 1].proposed is not None and number != command.number:
            why, problem = f"a ruling on dispute {number} is still waiting for consent", "ruling-open"
        if why:
            raise Refused(why, problem=problem, errors=[(f"/reapply/{index}", why)])


def check_fits_again(rules: Rules, state: State, actor: int, command: RuleDispute, then: State) -> None:
    """Check that what a rewind does again fits the game as it stood then.

    Raises:
        Refused: `unfit-amendment`. A seat is not told what is wrong with steps of which it was not told.
    """
    for index, number in enumerate(command.reapply):
        told = actor == MODERATOR or (state.desk is not None and state.desk.disputes[number - 1].table)
        for ruling in lacking(state, number, command.to or 0):
            why = _why_not(rules.of(then), then, ruling)
            if why is not None:
                detail = f"the amendment of dispute {number} does not fit the game as it stood at commit {command.to}"
                about = why.about if told else ()
                detail += f": {why.sentence}" if told or then.open else ""
                raise Refused(detail, *about, problem="unfit-amendment", errors=[(f"/reapply/{index}", detail)])


def _why_not(rules: Rules, then: State, ruling: Ruled | Dispute) -> Refused | None:
    if then.open:
        return Refused("something was half-done there, and nothing is amended while something is half-done")
    if ruling.amendment is None:
        return Refused("nothing is known of it")
    found = _unfit(rules, then, ruling.judge, ruling.amendment.you, ruling.amendment.do)
    return Refused(_error(found[0])[1]) if found else lifeless(then, ruling.amendment.you, ruling.amendment.do)


# -- whom it is about ---------------------------------------------------------------------------------------------------------------


def lifeless(state: State, you: int, do: list[dict[str, Any]]) -> Refused | None:
    """What refuses steps that can't be done to the explorer of a seat that has no part in the game any more; None if they can."""
    entry, _ = read({"do": do})
    if entry is None or not 0 <= you < len(state.explorers) or state.explorers[you].alive:
        return None
    verb = next((one.verb() for one in _to_you(entry) if (one.verb() or ("",))[0] in FOR_THE_LIVING), None)
    gone = "has left the house" if state.explorers[you].removed else "is dead"
    if verb is None:
        return None
    why = f"{{}} {gone}, and `{verb[0].replace('_', '-')}` is for the living"
    return Refused(why, f"seat:{you}", problem="unfit-amendment", errors=[("/you", why)])


def about_you(haunt: Haunt | None, do: list[dict[str, Any]]) -> bool:
    """Whether steps do something to `you`, or may depend on who `you` are; steps that can't be read don't.

    Args:
        haunt: in play, for those who may know all of it.
        do: the steps.
    """
    entry, _ = read({"do": do})
    if entry is None:
        return False
    steps = [spot.value for spot in walk(Spot((), entry)) if isinstance(spot.value, Effect)]
    return any(_counted_from_you(one.who) for one in steps) or any(_is_about_you(haunt, one) for one in _to_you(entry))


def _to_you(word: Word) -> Iterator[Effect]:
    """The steps in something for which `you` are still the one whom the ruling names."""
    for spot in children(Spot((), word)):
        if not isinstance(spot.value, Effect):
            yield from _to_you(spot.value)
        elif spot.value.who in (None, "you"):
            yield spot.value
            yield from _to_you(spot.value)


def _counted_from_you(who: Who | None) -> bool:
    if isinstance(who, Each):
        return who.besides_you or who.first or who.one or who.each == "opponent"
    return who in BESIDE_YOU


def _is_about_you(haunt: Haunt | None, step: Effect) -> bool:
    """Better once too often: whoever rules is asked to name somebody."""
    verb, _ = step.verb() or ("if", None)
    return verb not in NOT_TO_YOU or any(_mentions_you(haunt, spot) for spot in walk(Spot((), step)))


def _mentions_you(haunt: Haunt | None, spot: Spot[Any]) -> bool:
    if any(text in BESIDE_YOU for text in msgspec.structs.astuple(spot.value) if isinstance(text, str)):
        return True
    match spot.value:
        case Condition() | Rooms():
            return True
        case CounterChange(counter=name) | Number(counter=str(name)):
            return haunt is None or name not in haunt.counters  # each explorer has one of its own
        case Number(trait=trait, count=counted):
            return trait is not None or counted is not None
        case RemoveToken(at=place, all=everywhere):
            return place is None and not everywhere
        case _:
            return False
