"""The way to a haunt: the chart covers each omen and room, each number leads to a traitor and a haunt that fits."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from content.errors import Finding, Trail, listed
from content.survey import Spot, Survey
from content.vocabulary.effects import HauntRoll
from content.vocabulary.haunts import Kind
from content.vocabulary.pack import Card, Chart, Haunt, Scenario, Tile, TraitorRule

HIGHEST = 999
"""The highest haunt number that a chart may have; the printed ones end at 50."""

_NUMBERS = [str(number) for number in range(1, HIGHEST + 1)]


def chart_covers(survey: Survey) -> Iterator[Finding]:
    """The chart has a row for every room with an omen symbol, and in it a number for every omen; where scenarios lead on it may have none."""
    omens = _omens(survey)
    by_scenario = bool(survey.of(Scenario))
    rooms = [spot.value.id for spot in survey.of(Tile) if "omen" in spot.value.symbols]
    for spot in survey.of(Chart):
        chart = spot.value
        if by_scenario and not (chart.omens or chart.rooms or chart.cells):
            continue
        yield from _complete(spot.at("omens"), chart.omens, omens, "the omen")
        yield from _complete(
            spot.at("rooms"), chart.rooms, _in_order(rooms, chart.cells), "the room with an omen symbol"
        )
        yield from _complete(spot.at("cells"), chart.cells, _in_order(rooms, chart.rooms), "the row of")
        for index, room in enumerate(chart.rooms):
            if room not in rooms:
                yield Finding(spot.at("rooms", index), f"`{room}` is no room with an omen symbol")
        for room, row in chart.cells.items():
            if room not in chart.rooms:
                yield Finding(spot.at("cells", room), f"`{room}` is not among the chart's rooms", key=True)
            if len(row) != len(chart.omens):
                message = f"the row has {len(row)} numbers for {len(chart.omens)} omens"
                yield Finding(spot.at("cells", room), message)


def numbers_lead_on(survey: Survey) -> Iterator[Finding]:
    """Every number from 1 to the highest on the chart has a traitor and a haunt, and a cell, a scenario or an event leads to it."""
    elsewhere = {number for spot in survey.of(Scenario) for number in spot.value.haunts.values()}
    by_scenario = bool(elsewhere)
    rolls = survey.of(HauntRoll)
    elsewhere |= {spot.value.number for spot in rolls}
    for spot in survey.of(Chart):
        chart = spot.value
        tables: dict[str, Collection[str]] = {"traitors": chart.traitors, "haunts": chart.haunts}
        if chart.titles:
            tables["titles"] = chart.titles
        known = [int(key) for table in tables.values() for key in table if key in _NUMBERS]
        highest = max(known, default=0)
        for roll in rolls:
            if roll.value.number > highest:
                message = f"nothing is said for the number `{roll.value.number}`: they end at {highest}"
                yield Finding(roll.at("number"), message)
        led_to = set(elsewhere)
        for room, row in chart.cells.items():
            for index, number in enumerate(row):
                led_to.add(number)
                if not 1 <= number <= HIGHEST:
                    yield Finding(spot.at("cells", room, index), f"`{number}` is no haunt number")
                elif number > highest:
                    message = f"nothing is said for the number `{number}`: they end at {highest}"
                    yield Finding(spot.at("cells", room, index), message)
        for field, table in tables.items():
            yield from _numbered(spot.at(field), table, highest, led_to, by_scenario=by_scenario)


def _numbered(
    trail: Trail, table: Collection[str], highest: int, led_to: Collection[int], *, by_scenario: bool
) -> Iterator[Finding]:
    """Check a table by haunt numbers."""
    for key in table:
        if key not in _NUMBERS:
            yield Finding((*trail, key), f"`{key}` is no haunt number", key=True)
        elif int(key) not in led_to:
            leads = "cell, scenario or event" if by_scenario else "cell of the chart"
            yield Finding((*trail, key), f"no {leads} leads to the number `{key}`", key=True)
    for number in range(1, highest + 1):
        if str(number) not in table:
            before = next((str(low) for low in range(number - 1, 0, -1) if str(low) in table), "")
            place = (*trail, before) if before else trail
            message = f"nothing is said for the number `{number}`" + (f", after `{before}`" if before else "")
            yield Finding(place, message, key=True)


def traitors_fit(survey: Survey) -> Iterator[Finding]:
    """The haunt that a number plays has a traitor of the kind that the chart names for the number."""
    haunts = {spot.value.id: spot.value for spot in survey.of(Haunt)}
    for spot in survey.of(Chart):
        for number, name in spot.value.haunts.items():
            rule, haunt = spot.value.traitors.get(number), haunts.get(name)
            if rule is not None and haunt is not None and (message := _misfit(rule, haunt)):
                yield Finding(spot.at("haunts", number), f"number {number} {message}")


def scenarios_cover(survey: Survey) -> Iterator[Finding]:
    """A scenario gives a haunt number for every omen; where there is a chart, it knows that number."""
    numbers = [spot.value.haunts for spot in survey.of(Chart)]
    for spot in survey.of(Scenario):
        yield from _complete(spot.at("haunts"), spot.value.haunts, _omens(survey), "the omen")
        for omen, number in spot.value.haunts.items():
            if message := _unknown(number, numbers):
                yield Finding(spot.at("haunts", omen), message)


def events_lead_on(survey: Survey) -> Iterator[Finding]:
    """A card that names its own haunt names a number of the chart, where there is one."""
    numbers = [spot.value.haunts for spot in survey.of(Chart)]
    for spot in survey.of(HauntRoll):
        if message := _unknown(spot.value.number, numbers):
            yield Finding(spot.at("number"), message)


def _unknown(number: int, numbers: Iterable[Collection[str]]) -> str:
    """Say what is wrong with a number that leads to a haunt; nothing if the chart, if any, has an entry for it."""
    if not 1 <= number <= HIGHEST:
        return f"`{number}` is no haunt number"
    for known in numbers:
        if str(number) not in known:
            highest = max((int(key) for key in known if key in _NUMBERS), default=0)
            return f"nothing is said for the number `{number}`: they end at {highest}"
    return ""


def _misfit(rule: TraitorRule, haunt: Haunt) -> str:
    """Say why a haunt cannot be played under a number with this traitor; nothing if it can."""
    kind: Kind = "hidden-traitor" if rule.hidden else "free-for-all" if rule.free_for_all else "one-traitor"
    if kind != haunt.kind and {kind, haunt.kind} & {"hidden-traitor", "free-for-all"}:
        told = {"hidden-traitor": "has a hidden traitor", "free-for-all": "is a free-for-all"}
        named = told.get(kind) or ("has no traitor" if rule.none else "has a traitor whom all know")
        return f"{named}, `{haunt.id}` is of the kind `{haunt.kind}`"
    if haunt.kind == "no-traitor" and not rule.none:
        return f"has a traitor, `{haunt.id}` has none"
    if haunt.kind == "one-traitor" and rule.none and haunt.traitor is None:
        return f"names no traitor, and `{haunt.id}` has no rule of its own for one"
    return ""


def _omens(survey: Survey) -> list[str]:
    spots: list[Spot[Card]] = survey.of(Card)
    return [spot.value.id for spot in spots if spot.above is None and spot.value.deck == "omen"]


def _in_order(names: list[str], order: Iterable[str]) -> list[str]:
    """Put names in the order in which another list has them, so that what is missing is missed in its place."""
    known = list(order)
    return sorted(names, key=lambda name: known.index(name) if name in known else len(known))


def _complete(trail: Trail, written: Iterable[str], wanted: Iterable[str], what: str) -> Iterator[Finding]:
    """Compare what is listed with what has to be; that it exists is checked with all other references."""
    there = list(written)
    by_name = isinstance(written, Mapping)
    before: str | int | None = None
    for name in wanted:
        if name in there:
            before = name if by_name else there.index(name)
        else:
            place = trail if before is None else (*trail, before)
            after = "" if before is None else f", after `{before if by_name else there[int(before)]}`"
            yield Finding(place, f"missing: {what} `{name}`{after}", key=True)
    if twice := [name for name in dict.fromkeys(there) if there.count(name) > 1]:
        yield Finding(trail, f"twice: {what} {listed(twice)}", key=True)


def traitors(survey: Survey) -> Iterator[Finding]:
    """Only a named explorer may be out of the game, and the revealer is left out only of a comparison."""
    cards: list[Spot[Card]] = survey.of(Card)
    events = {spot.value.id for spot in cards if spot.value.deck == "event"}
    for spot in survey.of(TraitorRule):
        rule = spot.value
        compares = rule.highest or rule.lowest or rule.oldest or rule.youngest or rule.most_omens
        hint = "say who is: `otherwise: {...}`"
        if rule.explorer is not None and rule.otherwise is None:
            message = f"nobody is the traitor where `{rule.explorer}` is not in the game"
            yield Finding(spot.at("explorer"), message, hint, key=True)
        if rule.holds is not None and rule.otherwise is None:
            yield Finding(spot.at("holds"), f"nobody is the traitor where nobody has `{rule.holds}`", hint, key=True)
        if rule.holds in events:
            yield Finding(spot.at("holds"), f"nobody has an event: `{rule.holds}` is one", "name an item or an omen")
        if rule.otherwise is not None and rule.explorer is None and rule.holds is None:
            yield Finding(
                spot.at("otherwise"), "this never applies: only an explorer or a card's holder may be missing", key=True
            )
        named = rule.explorer or rule.revealer or rule.left_of_revealer or rule.hidden or rule.none or rule.holds
        if rule.besides_revealer and named and not compares:
            hint = "it goes with `highest`, `lowest`, `oldest`, `youngest` and `most-omens`"
            yield Finding(spot.at("besides-revealer"), "nobody is compared here", hint, key=True)
