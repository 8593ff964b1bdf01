"""Monsters of haunts: that they can do what they are for, when they act, who may know where they are and what their numbers are."""

from collections.abc import Iterator

from content.check.pieces.haunts import RESERVED
from content.check.written import written_for
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect, PlaceMonster
from content.vocabulary.pack import (
    Action,
    Book,
    Haunt,
    Monster,
    Seek,
    Standing,
)
from content.vocabulary.values import Each, Number


def equipped(survey: Survey) -> Iterator[Finding]:
    """A monster that attacks has the trait that it attacks with; only one that carries keeps, uses or steals anything."""
    for spot in survey.of(Monster):
        monster = spot.value
        trait = monster.attack.trait if monster.attack is not None else "might"
        if monster.attacks and getattr(monster, trait) is None:
            hint = f"give it `{trait}`, or `attacks: false`"
            yield Finding(spot.trail, f"it attacks with {trait}, but has none", hint)
        steals = monster.attack is not None and monster.attack.steals
        for field, said in (("keeps", monster.keeps), ("uses-items", monster.uses_items), ("attack", steals)):
            if said and not monster.carries:
                yield Finding(spot.at(field), "it carries nothing", "give it `carries: true`", key=True)


def killed(survey: Survey) -> Iterator[Finding]:
    """A monster that damage kills does not say whether damage stuns it."""
    for spot in survey.of(Monster):
        if spot.value.dies and not spot.value.stuns:
            yield Finding(spot.at("stuns"), "damage kills this monster: it `dies`", "leave `stuns` out", key=True)


def colors(survey: Survey) -> Iterator[Finding]:
    """Small tokens come in colors, one for each kind of a haunt; a large one bears its name instead (2E-COMP-007)."""
    for spot in survey.of(Haunt):
        taken: dict[str, str] = {}
        for name, monster in spot.value.monsters.items():
            color = monster.color
            if color is not None and monster.size == "large":
                yield Finding(spot.at("monsters", name, "color"), "a large token has a name and no color", key=True)
            elif color is not None and taken.setdefault(color, name) != name:
                message = f"the tokens of `{taken[color]}` are {color} already"
                yield Finding(spot.at("monsters", name, "color"), message)


def acting(survey: Survey) -> Iterator[Finding]:
    """A haunt says when its monsters act where no known traitor runs them, and only there (3E-MON-002)."""
    for spot in survey.of(Haunt):
        haunt, said = spot.value, spot.value.monsters_turn
        if said is None:
            continue
        if not haunt.monsters:
            yield Finding(spot.at("monsters-turn"), "the haunt has no `monsters`", key=True)
        elif haunt.kind == "one-traitor":
            yield Finding(
                spot.at("monsters-turn"), "the traitor runs the monsters: the kind is `one-traitor`", key=True
            )
        elif haunt.revealer_runs:
            yield Finding(spot.at("revealer-runs"), "`monsters-turn` says already who runs them", key=True)
        elif said.run_by == "traitor" and haunt.kind != "hidden-traitor":
            yield Finding(spot.at("monsters-turn", "run-by"), f"nobody is the traitor: the kind is `{haunt.kind}`")


def told_when(survey: Survey) -> Iterator[Finding]:
    """Where monsters act right after the traitor, a haunt in which nobody is known to be it says after whom (3E-MON-002)."""
    written_so = written_for(survey)
    if written_so is None or not written_so.told_when:
        return
    for spot in survey.of(Haunt):
        haunt = spot.value
        if haunt.monsters and haunt.kind != "one-traitor" and haunt.monsters_turn is None:
            message = f"nobody says when the monsters act, or who runs them: the kind is `{haunt.kind}`"
            yield Finding(spot.at("monsters"), message, "give the haunt `monsters-turn`", key=True)


def hiding(survey: Survey) -> Iterator[Finding]:
    """A monster that hides is the traitor's, who runs it and keeps the secret; nothing that it does in the open gives it away."""
    for spot in survey.of(Monster):
        monster, haunt = spot.value, spot.inside(Haunt)
        if not monster.hidden or haunt is None:
            continue
        why, hint = "", "leave `hidden` out"
        if haunt.value.id == RESERVED:
            why = "what is entered of people's own books is placed for all to see"
        elif haunt.value.kind != "one-traitor":
            why = f"only a traitor with a book can know where it is: the kind is `{haunt.value.kind}`"
        elif monster.side == "heroes":
            why, hint = "the traitor's player moves it, and would know where it is", "let it be on the traitor's side"
        elif monster.carries or monster.explores:
            told = "carries" if monster.carries else "explores"
            why, hint = f"everybody would see what it {told}", f"leave `hidden` or `{told}` out"
        if why:
            yield Finding(spot.at("hidden"), why, hint, key=True)
    for step in survey.of(PlaceMonster):
        haunt = step.inside(Haunt)
        kind = haunt.value.monsters.get(step.value.kind) if haunt is not None else None
        if haunt is not None and kind is not None and kind.hidden and "heroes" in step.trail[: len(haunt.trail) + 1]:
            yield Finding(
                step.at("kind"),
                f"the heroes would know where `{step.value.kind}` is, which is hidden",
                "place it in `traitor-book`",
            )


MONSTROUS = ("monster", "character", "opponent")
"""Selections that may find monsters."""


def boxes(survey: Survey) -> Iterator[Finding]:
    """Players must know what they may do: the numbers in a monster's box decide only in steps, but for readers of the box (3E-ANAT-012)."""
    written_so = written_for(survey)
    if written_so is None or not written_so.boxes:
        return
    asked = [spot.at("lowest") for spot in survey.of(Each) if spot.value.lowest is not None and _is_closed(spot)]
    for spot in survey.of(Number):
        whose = spot.inside(Each)
        if spot.value.trait is not None and whose is not None and _is_closed(whose):
            asked.append(spot.at("trait"))
    for trail in asked:
        message = "it compares numbers of monsters, which only readers of their boxes know"
        yield Finding(trail, message, "ask in an `if` under `do`, or choose among explorers", key=True)


def _is_closed(spot: Spot[Each]) -> bool:
    """Whether a selection may find monsters, decides what may be done, and is asked by players who have not read their boxes."""
    if spot.value.each not in MONSTROUS or spot.inside(Effect) is not None:
        return False
    if spot.inside(Action, Standing, Seek) is None or spot.inside(Monster) is not None:
        return False
    haunt, book = spot.inside(Haunt), spot.inside(Book)
    return haunt is None or (not haunt.value.one_book and (book is None or book.value is haunt.value.heroes))
