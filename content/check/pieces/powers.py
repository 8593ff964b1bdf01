"""What a haunt says about monsters' turns, about what damage does to monsters, and about the traitor's powers."""

from collections.abc import Iterator

from content.check.written import written_for
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.pack import Haunt, Monster, Tile, Trigger


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


def damage(survey: Survey) -> Iterator[Finding]:
    """What damage kills is not asked whether it stuns."""
    for spot in survey.of(Monster):
        if spot.value.dies and not spot.value.stuns:
            yield Finding(spot.at("stuns"), "damage kills this monster: it `dies`", "leave `stuns` out", key=True)


def powers(survey: Survey) -> Iterator[Finding]:
    """A power is withdrawn where somebody has it, and given where nobody has (3E-TRAI-009)."""
    for spot in survey.of(Haunt):
        said = spot.value.traitor_powers
        if said is None:
            continue
        traitor = spot.value.kind in ("one-traitor", "hidden-traitor")
        given = {"tiles": said.tiles, "events": said.events}
        if set(given.values()) == {None}:
            yield Finding(spot.at("traitor-powers"), "it says nothing", "give it `tiles` or `events`", key=True)
        for field, value in given.items():
            if value is traitor:
                message = "the traitor has this power anyway" if traitor else "nobody has this power anyway"
                yield Finding(spot.at("traitor-powers", field), message, key=True)


def marks(survey: Survey) -> Iterator[Finding]:
    """Where traitor and monsters ignore damage alone, no text needs a mark (3E-TRAI-004)."""
    written_so = written_for(survey)
    if written_so is None or not written_so.ignore_damage:
        return
    marked: list[Spot[Trigger]] = [spot for spot in survey.of(Trigger) if spot.inside(Tile) is not None]
    for spot in marked:
        if spot.value.harmful:
            message = "in the third edition traitor and monsters ignore damage, and nothing else of a text"
            yield Finding(spot.at("harmful"), message, "leave `harmful` out", key=True)
