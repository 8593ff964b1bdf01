"""Opening, claiming and starting a game: the commits before the first turn, and the rules of a pack."""

from __future__ import annotations

from collections.abc import Sequence

from content.errors import did_you_mean, listed
from content.vocabulary.base import TRAITS
from content.vocabulary.pack import Pack, Tile
from domain.editions import EDITIONS, Edition
from domain.editions.restating import limit_actions, restate
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.audience import REFEREE
from domain.facts.chance import Chance
from domain.facts.events import (
    GameArranged,
    GameEnded,
    GameOpened,
    GameStarted,
    RuleApplied,
    ScenarioChosen,
    SeatClaimed,
    StackArranged,
    Told,
    TurnStarted,
    WayOpened,
)
from domain.facts.grid import join, mask_of
from domain.facts.pieces import Deck, Room
from domain.facts.refusal import Refused
from domain.facts.state import Explorer, State
from domain.house.placing import Spot, laid
from domain.pack.build import compile_pack
from domain.rulebook.haunt.winning import judge
from domain.rulebook.turn.procedures import procedures
from domain.verbs.table import compile_amendment


def rules_for(pack: Pack, edition: str | Edition = "") -> Rules:
    """The rules that a pack is played by: an edition's policy, the content compiled, the procedures.

    Args:
        pack: the content.
        edition: the edition to play, by id or as an object of policy; empty: the one that the pack was written for.

    Raises:
        ValueError: the edition is not played with this pack.
    """
    policy = edition if isinstance(edition, Edition) else EDITIONS[edition or pack.head.edition]
    if not policy.plays(pack.head.edition):
        raise ValueError(f"the edition {policy.id} can't be played with the pack {pack.head.id}")
    restated = restate(pack, policy.restated)
    if policy.turns.actions_once:
        restated = limit_actions(restated, policy.cite.haunt_action)
    return Rules(
        policy,
        restated,
        procedures(policy),
        ended=judge,
        compile_pack=compile_pack,
        compile_amendment=compile_amendment,
    )


def open_game(rules: Rules, opened: GameOpened, setup: dict[str, object] | None = None) -> tuple[State, list[Told]]:
    """The first commit. The caller has checked edition, pack, options and setup."""
    low, high = rules.pack.head.players[0], rules.pack.head.players[-1]
    if not low <= opened.seats <= high:
        raise Refused(
            f"{opened.seats} seat{'' if opened.seats == 1 else 's'}: this pack seats {low} to {high}",
            rule=rules.cite.player_count,
        )
    state = State()
    machine = Machine(rules, state, _NoChance())
    machine.emit(opened)
    if setup:
        machine.emit(GameArranged(setup=setup), REFEREE)
    return state, machine.told


def claim(rules: Rules, state: State, claimed: SeatClaimed) -> list[Told]:
    """A seat is taken, perhaps with an explorer.

    Raises:
        Refused: the game has started or is over, the seat is taken, or the explorer (or the other face of its card) is (2E-SETUP-002).
    """
    _check_open(state)
    if not 0 <= claimed.seat < state.seats or state.claimed[claimed.seat]:
        raise Refused(f"seat {claimed.seat} is taken", problem="seat-taken")
    if claimed.explorer:
        check_explorer(rules, state, claimed.explorer)
    machine = Machine(rules, state, _NoChance())
    machine.emit(claimed)
    return machine.told


def _check_open(state: State) -> None:
    if state.status in ("finished", "abandoned"):
        raise Refused(f"the game is {state.status}: {state.because}", problem="game-over")
    if state.status != "open":
        raise Refused("the game has already started", problem="not-open")


def check_explorer(rules: Rules, state: State, explorer: str) -> None:
    """Refuse an explorer that does not exist or that another seat has made unavailable."""
    found = rules.pack.explorers.get(explorer)
    if found is None:
        raise Refused(f"there is no explorer `{explorer}`", problem="unknown-character")
    if explorer in state.claimed or found.other_side in state.claimed:
        raise Refused(f"the character card of {found.title} is already in use", rule=rules.cite.explorer_choice)


def start_game(rules: Rules, state: State, chance: Chance, today: str, scenario: str = "") -> list[Told]:
    """Set the house up and give the first turn (2E-SETUP-003 to 2E-SETUP-008).

    `today` (MM-DD) is the date on which the game was opened: the next birthday from it begins. Seats without an explorer
    get those that are left, in the pack's order. Where the pack has scenarios, `scenario` names one; empty: the game's option does.

    Raises:
        Refused: not open, seats still free, or no scenario of the pack (3E-SETUP-012).
    """
    _check_open(state)
    if not all(state.claimed):
        free = ", ".join(str(seat) for seat, taken in enumerate(state.claimed) if not taken)
        raise Refused(f"seats still free: {free}", problem="seats-free")
    scenario = chosen_scenario(rules, state, scenario)
    explorers = _explorers(rules, state)
    machine = Machine(rules, state, chance)
    first = state.setup.get("first_seat")
    if not isinstance(first, int):
        first = next_birthday(rules, [one.id for one in explorers], today)
    rooms = _rooms(rules)
    machine.emit(
        GameStarted(explorers=explorers, rooms=rooms, decks=_decks(rules), first=first, rule=rules.cite.set_up)
    )
    for rule in (rules.cite.starting_values, rules.cite.card_stacks, rules.cite.tile_stack, rules.cite.starting_room):
        machine.emit(RuleApplied(source="setup", rule=rule))
    for rule in (rules.cite.reference_cards, rules.cite.own_reference):
        machine.apply_rule("setup", rule)
    if scenario:
        machine.emit(ScenarioChosen(scenario=scenario, rule=rules.cite.scenario))
    machine.apply_rule("setup", rules.cite.tokens_aside)
    for name in state.decks:
        order = state.setup.get(name)
        if isinstance(order, list):
            machine.emit(StackArranged(deck=name, faces=[str(face) for face in order]), REFEREE)
    placed = [room.id for room in rooms]
    for room in placed:
        for maker, link in rules.pack.links_at(room):
            known = any(one.to == link.to for one in state.links.get(maker, ()))
            if maker == room and link.to in placed and not known:
                machine.emit(
                    WayOpened(
                        room=maker,
                        to=link.to,
                        by=f"tile:{maker}",
                        both_ways=link.both_ways,
                        monsters_only=link.monsters_only,
                        rule=rules.cite.way_opened,
                    )
                )
    allowance = state.explorers[first].value("speed") if rules.edition.movement.speed_fixed else -1
    machine.emit(TurnStarted(seat=first, number=1, allowance=allowance, rule=rules.cite.first_player))
    machine.call("see-top")
    machine.run()
    return machine.told


def chosen_scenario(rules: Rules, state: State, named: str) -> str:
    """The scenario to be played: the one now named, or the option's; empty where the pack has none.

    Raises:
        Refused: none is named, there is no such scenario, or the option names another (3E-SETUP-012, 3E-SETUP-013).
    """
    scenarios = rules.pack.scenarios
    option = str(state.options.get("scenario") or "")
    chosen = named or option
    if chosen in scenarios or not (chosen or scenarios):
        if named and option and named != option:
            title = scenarios[option].title if option in scenarios else option
            detail = f"the game was opened for the scenario {title}: leave it out, or name that one"
            raise Refused(
                detail, rule=rules.cite.unused_scenarios, problem="unfit-scenario", errors=[("/scenario", detail)]
            )
        return chosen
    near = did_you_mean(chosen, scenarios)
    what = f"there is no scenario `{chosen}`{f': {near}' if near else '.'}" if chosen else "no scenario is chosen."
    offered = f"Choose one of {listed(scenarios)}." if scenarios else "This pack has none."
    detail = f"{what} {offered}"
    raise Refused(detail, rule=rules.cite.scenario, problem="unfit-scenario", errors=[("/scenario", detail)])


def close_game(rules: Rules, state: State, because: str) -> list[Told]:
    """Abandon a game.

    Raises:
        Refused: it is over already.
    """
    if state.status in ("finished", "abandoned"):
        raise Refused("the game is over", problem="game-over")
    machine = Machine(rules, state, _NoChance())
    machine.stack.clear()
    machine.emit(GameEnded(winner="", because=because, status="abandoned"))
    return machine.told


class _NoChance:
    """Nothing is random before the start."""

    def ask(self, request: object) -> None:
        """Never answers."""


def next_birthday(rules: Rules, explorers: Sequence[str], today: str) -> int:
    """The seat whose explorer's birthday comes next, a birthday today being the nearest (2E-SETUP-008, ruling)."""
    days = [(rules.pack.explorers[name].birthday, seat) for seat, name in enumerate(explorers)]
    later = sorted(day for day in days if day[0] >= today)
    return later[0][1] if later else min(days)[1]


def _explorers(rules: Rules, state: State) -> list[Explorer]:
    free = [
        one.id
        for one in rules.pack.explorers.values()
        if one.id not in state.claimed and one.other_side not in state.claimed
    ]
    found = []
    for seat, wanted in enumerate(state.claimed):
        name = wanted
        if wanted == "?":
            name = free.pop(0)
            free = [one for one in free if one != rules.pack.explorers[name].other_side]
        sheet = rules.pack.explorers[name]
        tracks = [sheet.tracks[trait] for trait in TRAITS]
        starts = [track.start + 1 for track in tracks]
        found.append(
            Explorer(
                seat=seat,
                id=name,
                tracks=[[0, *track.values] for track in tracks],
                starts=starts,
                at=list(starts),
                room=rules.edition.start_room,
                age=sheet.age,
            )
        )
    return found


def _rooms(rules: Rules) -> list[Room]:
    rooms: dict[str, Room] = {}
    grid: dict[str, str] = {}
    for tile in rules.pack.tiles.values():
        if tile.start is not None:
            join(rooms, grid, _start_room(tile))
    return list(rooms.values())


def _start_room(tile: Tile) -> Room:
    start = tile.start
    assert start is not None  # noqa: S101 -- the caller filters
    placement = laid(tile, Spot(start.floor, start.x, start.y, 0))
    return Room(
        id=tile.id,
        floor=start.floor,
        x=start.x,
        y=start.y,
        turns=0,
        doors=placement.doors | mask_of(start.passages),
        near=("", "", "", ""),
        windows=placement.windows,
        start=True,
    )


def _decks(rules: Rules) -> dict[str, Deck]:
    """All stacks shuffled: nothing is known of their order (2E-SETUP-004, 2E-SETUP-006)."""
    return {name: Deck(pool=list(faces), unknown=len(faces)) for name, faces in rules.pack.decks.items()}
