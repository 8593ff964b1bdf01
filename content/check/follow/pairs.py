"""Things that go in pairs or rows: options that differ in name only, twins of which one lacks a rule, two in one place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import msgspec

from content.check.follow.ways import roots, roots_of, ways
from content.check.sense.goals import guards
from content.check.sense.lists import conjuncts, steps_below
from content.errors import Finding
from content.survey import Spot, Survey, walk
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Haunt
from content.vocabulary.values import Rooms

WORD = re.compile(r"[a-z]{3,}")
SMALL = frozenset({"the", "and", "for", "with", "from"})
RULES = ("on", "actions", "always", "barred", "attack", "links", "rule")
"""Fields that say what a piece does."""


def options(survey: Survey) -> Iterator[Finding]:
    """Options with names of their own differ in what they do."""
    for step in survey.of(Effect):
        told = set[int]()
        for (_, one), (index, two) in combinations(enumerate(step.value.choose or ()), 2):
            if step.inside(Haunt) is not None and one.do and one.do == two.do and index not in told:
                told.add(index)
                message = f"`{two.id}` does the same as `{one.id}`"
                yield Finding(step.at("choose", index), message, "change what was copied", severity="warning")


def lacking(survey: Survey) -> Iterator[Finding]:
    """Of two pieces that are alike by their names and rules, both have them."""
    for haunt in survey.of(Haunt):
        for field, pieces in (("items", haunt.value.items), ("tokens", haunt.value.tokens)):
            said = [
                {name: value for name, value in msgspec.to_builtins(one).items() if name in RULES} for one in pieces
            ]
            for one, two in combinations(range(len(pieces)), 2):
                if not _alike(pieces[one].title, pieces[two].title):
                    continue
                missing = said[one].keys() ^ said[two].keys()
                shared = [name for name in said[one].keys() & said[two].keys() if said[one][name] == said[two][name]]
                poor = one if len(said[one]) < len(said[two]) else two
                if len(missing) == 1 and (shared or not said[poor]):
                    rich = pieces[two if poor == one else one].id
                    message = f"`{rich}` has `{min(missing)}`, and this has not"
                    yield Finding(haunt.at(field, poor, "id"), message, "write it here too", severity="warning")


def _alike(one: str, two: str) -> bool:
    """Whether two titles share more than half of their words."""
    words = [set(WORD.findall(title.lower())) - SMALL for title in (one, two)]
    return 2 * len(words[0] & words[1]) >= max(map(len, words)) > 1


def laid_together(survey: Survey) -> Iterator[Finding]:
    """Tokens of a kind that are laid in rooms of their own are not laid twice in one of them."""
    for root in roots(survey):
        if root.field != "right-now":
            continue
        titles = {token.id: token.title for token in root.haunt.value.tokens}
        laid = [(way.step, placed) for way in ways(root) if (placed := way.step.value.place_token) is not None]
        for place, (step, placed) in enumerate(laid):
            kin = [
                (one, two) for one, two in laid if two.token == placed.token or _kin(two.token, placed.token, titles)
            ]
            before = [
                two
                for one, two in laid[:place]
                if (one, two) in kin and two.at == placed.at and one.trail != step.trail
            ]
            if before and isinstance(placed.at, str) and len({str(two.at) for _, two in kin}) > 1:
                message = f"`{before[0].token}` is laid in `{placed.at}` already, and others have rooms of their own"
                yield Finding(step.at("place-token", "at"), message, "name another room", severity="warning")


def _kin(one: str, two: str, titles: dict[str, str]) -> bool:
    return one in titles and two in titles and _alike(titles[one], titles[two])


def brought_already(survey: Survey) -> Iterator[Finding]:
    """What has to be carried to a place is not laid there."""
    for haunt in survey.of(Haunt):
        actions = survey.inside(haunt, Action)
        sources = {item: token for action in actions for token in _here(action) for item in _given(action)}
        for action in actions:
            carried = {getattr(one.value, "carrying", None) for one in walk(action)} - {None}
            needed = {sources[item] for item in carried if item in sources} - _here(action)
            for step in steps_below(action):
                placed = step.value.place_token
                if placed is not None and placed.token in needed and _here(action) and placed.at == "here":
                    message = f"`{placed.token}` is laid where it has to be carried to"
                    hint = "name the room from which it is to be carried"
                    yield Finding(step.at("place-token"), message, hint, key=True, severity="warning")


def _here(action: Spot[Action]) -> set[str]:
    return {part.token for part in conjuncts(action.value.if_) if part.token is not None}


def _given(action: Spot[Action]) -> set[str]:
    return {step.value.give for step in steps_below(action) if step.value.give is not None}


def fewer_than_hidden(survey: Survey) -> Iterator[Finding]:
    """As many things are laid as there are to be found under them."""
    for haunt in survey.of(Haunt):
        for action in survey.inside(haunt, Action):
            steps = [step.value for step in steps_below(action)]
            used = {step.remove_token.token for step in steps if step.remove_token is not None}
            items = {step.give for step in steps if step.give is not None}
            for token in sorted(used & _here(action)):
                laid = _laid(haunt, survey, token)
                if laid is not None and 0 < laid < len(items):
                    message = f"{len(items)} things are to be found by this, and `{token}` is laid only {laid} time{'s' * (laid > 1)}"
                    yield Finding(action.at("do"), message, f"lay it {len(items)} times", key=True, severity="warning")


def _laid(haunt: Spot[Haunt], survey: Survey, token: str) -> int | None:
    """How many such tokens are laid as the haunt begins; None where more may come that nobody has given up."""
    first = 0
    known = [way.step for root in roots_of(haunt, survey) if root.field == "right-now" for way in ways(root)]
    for step in known:
        placed = step.value.place_token
        if placed is not None and placed.token == token:
            if placed.count != 1 or step.value.who is not None or "then" in step.trail or "else" in step.trail:
                return None
            first += 1
    for root in (one for one in roots_of(haunt, survey) if one.field != "right-now"):
        found = [way.step for way in ways(root)]
        brought = [one for one in found if one.value.place_token is not None and one.value.place_token.token == token]
        taken = any(one.value.remove_token is not None and one.value.remove_token.token == token for one in found)
        if brought and not taken and not all(_for_a_card(one) for one in brought):
            return None
    return first


def _for_a_card(step: Spot[Effect]) -> bool:
    above = step.above
    return above is not None and isinstance(above.value, Effect) and above.value.lose_card is not None


def lead_nowhere(survey: Survey) -> Iterator[Finding]:
    """Of tokens that lead to each other there can be two."""
    for haunt in survey.of(Haunt):
        for index, token in enumerate(haunt.value.tokens):
            steps = [one for one in survey.inside(haunt, Effect) if one.value.place_token is not None]
            placing = [one for one in steps if one.value.place_token and one.value.place_token.token == token.id]
            if token.links_alike and placing and all(_alone(step, token.id) for step in placing):
                message = f"there is never more than one `{token.id}`, so it leads nowhere"
                yield Finding(
                    haunt.at("tokens", index, "links-alike"), message, "let a second one be laid", severity="warning"
                )


def _alone(step: Spot[Effect], token: str) -> bool:
    """Whether a token is placed only while no other lies in the house."""
    placed = step.value.place_token
    if placed is None or placed.count != 1 or isinstance(placed.at, Rooms):
        return False
    for part in (part for condition in guards(step) for part in conjuncts(condition)):
        if part.count is not None and part.count.tokens == token and part.at_most == 0:
            return True
        if part.not_ is not None and part.not_.token_in_house == token:
            return True
    return False
