"""Labels and descriptions against the data beside them: what an action's title or a monster's text says is so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from content.check.sense.data import WORDS, data_below, data_in, titles_in
from content.errors import Finding, listed
from content.survey import Spot, Survey
from content.vocabulary.base import TRAITS
from content.vocabulary.effects import Effect, Option
from content.vocabulary.pack import Action, Haunt, Monster
from content.vocabulary.values import Each

_KILLS = re.compile(r"\b(?:damage (?:kills|destroys)|kills? (?:it|him|her|them)|for good|dies of)\b")
_STUNS = re.compile(r"\bstun(?:s|ned)?\b")
_HARMLESS = re.compile(r"\battacks? (?:nobody|no one)\b|\bnever attacks?\b|\bdoes(?:n't| not) attack\b")
_WITH = re.compile(r"\battacks? with (Might|Speed|Sanity|Knowledge)\b")


def dies(survey: Survey) -> Iterator[Finding]:
    """What a monster's text says of damage is so."""
    for spot in survey.of(Monster):
        text = spot.value.text.lower()
        kills, stuns = _KILLS.search(text), _STUNS.search(text)
        if spot.value.dies and stuns and not kills:
            message = f"the text says `{stuns[0]}`, and damage kills this monster"
            yield Finding(spot.at("dies"), message, "leave `dies` out", key=True, severity="warning")
        elif not spot.value.dies and kills and not stuns:
            message = f"the text says `{kills[0]}`, and damage only stuns this monster"
            yield Finding(spot.at("text"), message, "write `dies: true`", key=True, severity="warning")


def attacks(survey: Survey) -> Iterator[Finding]:
    """What a monster's text says of its attacks is so."""
    for spot in survey.of(Monster):
        monster, trait = spot.value, spot.value.attack.trait if spot.value.attack is not None else "might"
        harmless, named = _HARMLESS.search(monster.text), _WITH.search(monster.text)
        if harmless and monster.attacks:
            message = f"the text says `{harmless[0]}`, and this monster attacks"
            yield Finding(spot.at("text"), message, "write `attacks: false`", severity="warning")
        elif not monster.attacks and named:
            message = f"the text says `{named[0]}`, and this monster never attacks"
            yield Finding(spot.at("attacks"), message, "leave `attacks` out", severity="warning")
        elif named and named[1].lower() != trait:
            message = f"the text says `{named[0]}`, and it attacks with `{trait}`"
            yield Finding(
                spot.at("text"), message, f"write `attack: {{trait: {named[1].lower()}}}`", severity="warning"
            )


def figures(survey: Survey) -> Iterator[Finding]:
    """Numbers and traits in the label of an action or an option are those of what it does."""
    labelled: list[Spot[Any]] = [*survey.of(Action), *survey.of(Option)]
    for spot in labelled:
        if spot.inside(Haunt) is None or not spot.value.title:
            continue
        data, title = data_below(spot), spot.value.title
        said = [int(word) if word.isdecimal() else WORDS.get(word, 0) for word in re.findall(r"\w+", title.lower())]
        strange = [number for number in said if number > 1 and number not in data.numbers]
        for number in strange[:1]:
            known = ", ".join(str(one) for one in sorted(data.numbers - {0, 1})) or "none"
            message = f"the title says {number}, and the numbers beside it are: {known}"
            yield Finding(spot.at("title"), message, "say the number of the data", severity="warning")
        for trait, name in titles_in(title, {trait: trait.capitalize() for trait in TRAITS}):
            if trait not in data.names:
                message = f"the title says {name}, and nothing of it is about `{trait}`"
                yield Finding(spot.at("title"), message, "name the trait of the data", severity="warning")


def things(survey: Survey) -> Iterator[Finding]:
    """What the title of an action names, the action asks for or changes."""
    for spot in survey.of(Action):
        haunt = spot.inside(Haunt)
        if haunt is None or not spot.value.title:
            continue
        known = _titles(haunt)
        nouns = {_noun(title): name for name, title in known if _names(title, spot.value.title)}
        said = [name for noun, name in nouns.items() if sum(_noun(title) == noun for _, title in known) == 1]
        data = data_below(spot).names | set(_own(spot, haunt))
        akin = [name for name, title in known if set(title.lower().split()) & nouns.keys()]
        if said and not {*said, *akin} & data and not _is_the_monsters(spot, haunt, said):
            message = f"the title names {listed(said)}, and the action neither asks for it nor changes it"
            used = sorted({name for name, _ in known} & data)
            hint = f"it is about {listed(used)}" if used else "ask for it, or change it"
            yield Finding(spot.at("title"), message, hint, severity="warning")


def whom(survey: Survey) -> Iterator[Finding]:
    """An action whose title names a hero has one as its target."""
    for spot in survey.of(Action):
        target, haunt = spot.value.target, spot.inside(Haunt)
        if haunt is None or not isinstance(target, Each):
            continue
        if re.search(r"\bhero(?:es)?\b", spot.value.title) and target.each in {"traitor", "monster"}:
            message = f"the title names a hero, and the target is a `{target.each}`"
            yield Finding(spot.at("target", "each"), message, "write `each: hero`", severity="warning")
        elif re.search(r"\btraitor\b", spot.value.title) and target.each in {"hero", "monster"}:
            message = f"the title names the traitor, and the target is a `{target.each}`"
            yield Finding(spot.at("target", "each"), message, "write `each: traitor`", severity="warning")


def here(survey: Survey) -> Iterator[Finding]:
    """What an action does `in this room` by its title happens there."""
    for step in survey.of(Effect):
        action = step.inside(Action)
        if action is None or not re.search(r"\bin this room\b|\bhere\b", action.value.title):
            continue
        for field in ("place_token", "place_monster"):
            placed = getattr(step.value, field)
            if placed is not None and isinstance(placed.at, str) and placed.at != "here":
                message = f"the title says that it happens here, and this goes to `{placed.at}`"
                yield Finding(step.at(field.replace("_", "-"), "at"), message, "write `at: here`", severity="warning")


_TAKES = re.compile(r"(?:take|gain|eat|rest|drink|warm|recover)\b", re.IGNORECASE)
_GIVES = re.compile(r"(?:give|pay|sacrifice|lose|spend)\b", re.IGNORECASE)


def options(survey: Survey) -> Iterator[Finding]:
    """Who takes something by an option's title is not worse off, and who gives something is not better off."""
    for option in survey.of(Option):
        steps = [step for step in option.value.do if step.who is None]
        gains = any(step.gain is not None or step.heal is not None or step.draw is not None for step in steps)
        loses = any(step.lose is not None or step.damage is not None or step.lose_card is not None for step in steps)
        if _TAKES.match(option.value.title) and loses and not gains:
            message = f"the title says `{option.value.title}`, and this only costs something"
            yield Finding(option.at("do"), message, "write `gain`?", key=True, severity="warning")
        elif _GIVES.match(option.value.title) and gains and not loses:
            message = f"the title says `{option.value.title}`, and this costs nothing"
            yield Finding(option.at("do"), message, "write `lose`?", key=True, severity="warning")


def idle(survey: Survey) -> Iterator[Finding]:
    """A monster that never attacks does something else, or is counted."""
    for haunt in survey.of(Haunt):
        busy = any(action.trail[:2] == haunt.trail and action.value.for_ != "explorers" for action in survey.of(Action))
        bare = msgspec.structs.replace(haunt.value, monsters={})
        asked = data_in(bare, but="place-monster").names
        for name, monster in haunt.value.monsters.items():
            if not monster.attacks and not busy and name not in asked:
                message = f"`{name}` never attacks, and nothing else is done by it"
                yield Finding(
                    haunt.at("monsters", name),
                    message,
                    "give it an action `for: monsters`",
                    key=True,
                    severity="warning",
                )


def _titles(haunt: Spot[Haunt]) -> list[tuple[str, str]]:
    value = haunt.value
    named = [*((token.id, token.title) for token in value.tokens), *((item.id, item.title) for item in value.items)]
    return [*named, *((name, monster.title) for name, monster in value.monsters.items())]


def _names(title: str, words: str) -> bool:
    """Whether words name a thing by its title, or by the noun in it."""
    return bool(re.search(rf"\b{re.escape(_noun(title))}(?:s|es)?\b", words.lower()))


def _noun(title: str) -> str:
    return re.split(r" (?:of|in|from|on|with) ", title.lower())[0].split()[-1]


def _own(spot: Spot[Any], haunt: Spot[Haunt]) -> Iterator[str]:
    """The token or item whose text an action is."""
    above = spot.above
    if above is not None and above.value is not haunt.value and hasattr(above.value, "id"):
        yield above.value.id


def _is_the_monsters(spot: Spot[Action], haunt: Spot[Haunt], said: list[str]) -> bool:
    box = spot.inside(Monster)
    if box is not None:
        return box.trail[-1] in said
    return spot.value.for_ != "explorers" and any(name in haunt.value.monsters for name in said)
