"""Views: everything that lies open, what the role alone was told, and nothing else."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import jsonschema
import msgspec
import pytest

import projections
from domain.facts import desk as desks
from domain.facts import pieces
from domain.facts import state as states
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.state import State
from projections.choices.decisions import Decisions, decisions_of
from projections.naming import names, questions
from projections.view import desk, ending, haunts, identification, people, rooms, stacks, waiting
from projections.view import game as whole
from projections.view import wording as words
from projections.view.game import CHANGES, GameView, view_after, view_of
from projections.wording.words import numbers
from tests.projections.driver import play
from tests.support.gaps import report
from tests.support.packs import rules
from tests.support.table import Table
from tests.support.third import FRIENDS

GAMES = [("second-edition", 5, ""), ("second-edition", 6, "the-hollow-guest"), ("third-edition", 7, "")]

PARTS = (
    whole,
    desk,
    ending,
    haunts,
    identification,
    names,
    people,
    questions,
    rooms,
    stacks,
    waiting,
    words,
    numbers,
)
"""The modules that make a view."""


VALIDATORS = {shape: jsonschema.Draft202012Validator(msgspec.json.schema(shape)) for shape in (GameView, Decisions)}


def seen(table: Table, mask: Mask) -> GameView:
    return view_of(table.rules, table.roles[mask], mask)


def sent(table: Table, mask: Mask) -> tuple[bytes, bytes]:
    """All that a role is sent about the present."""
    known = table.roles[mask]
    return (
        msgspec.json.encode(view_of(table.rules, known, mask)),
        msgspec.json.encode(decisions_of(table.rules, known, mask, hints=True)),
    )


# -- the published shape ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack,seed,haunt", GAMES)
def test_what_is_sent_fits_the_published_schema_and_decodes_to_the_same(pack: str, seed: int, haunt: str) -> None:
    for game in play(pack, seed, haunt):
        if game.steps % 10:
            continue
        for mask in (game.mask, SPECTATORS, REFEREE):
            known = game.roles[mask]
            for shape in (view_of(game.rules, known, mask), decisions_of(game.rules, known, mask, hints=True)):
                encoded = msgspec.json.encode(shape)
                assert msgspec.json.encode(msgspec.json.decode(encoded, type=type(shape))) == encoded
                if game.steps % 50 == 0 or game.state.status == "finished":
                    VALIDATORS[type(shape)].validate(msgspec.json.decode(encoded))


# -- hidden until it is named -------------------------------------------------------------------------------------------


def test_every_allow_list_names_fields_that_exist() -> None:
    for found in pkgutil.walk_packages(projections.__path__, "projections."):
        shown: dict[str, tuple[str, ...]] = getattr(importlib.import_module(found.name), "SHOWN", {})
        for struct, fields in shown.items():
            holder = next(one for one in (states, pieces, desks) if hasattr(one, struct))
            known = getattr(holder, struct).__struct_fields__
            report(
                f"SHOWN of {found.name} names `{field}`, which {struct} does not have: correct it there."
                for field in fields
                if field not in known
            )


def _allowed() -> dict[str, set[str]]:
    allowed: dict[str, set[str]] = {}
    for module in PARTS:
        for struct, fields in module.SHOWN.items():
            allowed.setdefault(struct, set()).update(fields)
    return allowed


def _other(value: Any) -> Any:  # noqa: ANN401 -- any value of a field, and another of its type
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 7
    if isinstance(value, str):
        return f"{value}-other"
    if isinstance(value, list):
        return [] if value and isinstance(value[0], msgspec.Struct) else ["other"]
    return {"other": ["other"]} if isinstance(value, dict) else value


def _change_what_is_hidden(node: Any, allowed: dict[str, set[str]]) -> int:  # noqa: ANN401 -- anything in a state
    """Change every field that no allow-list names, at any depth; returns how many."""
    if isinstance(node, dict | list):
        return sum(_change_what_is_hidden(one, allowed) for one in (node.values() if isinstance(node, dict) else node))
    if not isinstance(node, msgspec.Struct):
        return 0
    changed = 0
    for field in node.__struct_fields__:
        if field in allowed.get(type(node).__name__, set()):
            changed += _change_what_is_hidden(getattr(node, field), allowed)
        else:
            msgspec.structs.force_setattr(node, field, _other(getattr(node, field)))
            changed += 1
    return changed


@pytest.mark.parametrize("pack,seed,haunt", GAMES)
def test_a_field_that_no_list_names_changes_nothing_in_a_view(pack: str, seed: int, haunt: str) -> None:
    allowed = _allowed()
    for game in play(pack, seed, haunt):
        if game.steps % 16:
            continue
        for mask, known in game.roles.items():
            before = msgspec.json.encode(view_of(game.rules, known, mask))
            changed = msgspec.json.decode(msgspec.json.encode(known), type=State)
            assert _change_what_is_hidden(changed, allowed) > 10
            assert msgspec.json.encode(view_of(game.rules, changed, mask)) == before


# -- non-interference ---------------------------------------------------------------------------------------------------


def test_who_the_hidden_traitor_is_changes_nothing_for_the_others() -> None:
    worlds = []
    for traitor in (1, 2):
        table = Table()
        table.haunt("the-hollow-guest", traitor=traitor)
        worlds.append(table)
    one, other = worlds
    for mask in (seat_bit(0), SPECTATORS):
        assert sent(one, mask) == sent(other, mask)
    for mask in (seat_bit(1), seat_bit(2), REFEREE):
        assert sent(one, mask) != sent(other, mask)


def test_what_one_has_seen_in_a_stack_changes_nothing_for_the_others() -> None:
    worlds = []
    for tile in ("abandoned-room", "kitchen"):  # their backs are alike
        table = Table()
        table.hold(0, "spirit-board")
        table.turn(0)
        table.picks(tile)
        table.act("card:spirit-board", "ASK")
        worlds.append(table)
    one, other = worlds
    for mask in (seat_bit(1), seat_bit(2), SPECTATORS):
        assert sent(one, mask) == sent(other, mask)
    known = seen(one, seat_bit(0)).decks["tiles"].known
    assert [(slot.index, slot.face) for slot in known] == [(0, "abandoned-room")]
    public = seen(one, seat_bit(1)).decks["tiles"].known
    assert [(slot.back, slot.face) for slot in public] == [("basement+ground", "")]
    assert sent(one, seat_bit(0)) != sent(other, seat_bit(0))


def test_each_side_reads_its_own_book_and_the_referee_both() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)

    def books(mask: Mask) -> list[str]:
        shown = seen(table, mask).haunt
        assert shown is not None
        return [book.side for book in shown.books]

    assert [books(mask) for mask in (1, 2, 4, SPECTATORS, REFEREE)] == [
        ["heroes"],
        ["traitor"],
        ["heroes"],
        [],
        ["heroes", "traitor"],
    ]
    secret = table.rules.pack.haunts["the-bell-below"].traitor_book
    assert secret is not None
    for mask in (seat_bit(0), seat_bit(2), SPECTATORS):
        assert secret.story.encode() not in sent(table, mask)[0]


def test_with_a_hidden_traitor_everybody_reads_the_one_book() -> None:
    table = Table()
    table.haunt("the-hollow-guest", traitor=1)
    for mask in (*(seat_bit(seat) for seat in range(3)), SPECTATORS, REFEREE):
        shown = seen(table, mask).haunt
        assert shown is not None
        assert [book.side for book in shown.books] == ["heroes"]
        assert shown.traitor == (1 if mask in (seat_bit(1), REFEREE) else None)


# -- what lies open -----------------------------------------------------------------------------------------------------


def test_a_room_tells_what_is_behind_each_side() -> None:
    table = Table()
    table.lay("statuary-corridor", "ground", 1, 1)
    shown = {room.id: room for room in seen(table, SPECTATORS).rooms}
    hall, foyer = shown["entrance-hall"].doors, shown["foyer"].doors
    assert (hall.north, hall.east, hall.south, hall.west) == ("foyer", "free", "wall", "free")
    assert (foyer.north, foyer.east, foyer.south, foyer.west) == ("grand-staircase", "false", "entrance-hall", "free")
    stairs = [(way.to, way.by) for way in shown["grand-staircase"].ways]
    assert stairs == [("foyer", "door"), ("upper-landing", "tile:grand-staircase")]


def test_a_barrier_divides_the_ways_of_a_room() -> None:
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    shown = {room.id: room for room in seen(table, SPECTATORS).rooms}
    assert shown["chasm"].parts == [["east"], ["west"]]
    assert [(way.to, way.part, way.from_part) for way in shown["chasm"].ways] == [("basement-landing", 0, 1)]
    assert [(way.to, way.part) for way in shown["basement-landing"].ways] == [("chasm", 1)]


def test_the_vault_has_a_side_behind_its_door_until_it_is_open() -> None:
    table = Table()
    table.lay("vault", "basement", 0, 1, turns=2)
    table.put(0, "vault")
    shut = next(room for room in seen(table, SPECTATORS).rooms if room.id == "vault")
    assert (shut.parts, shut.open, [way.from_part for way in shut.ways]) == ([["south"], []], False, [0])

    table.token("vault-empty", "vault")

    free = next(room for room in seen(table, SPECTATORS).rooms if room.id == "vault")
    assert (free.parts, free.open, [way.from_part for way in free.ways]) == ([["south"], []], True, [None])
    table.turn(0)
    labels = {one.label for decision in decisions_of(table.rules, table.view(0), 1).yours for one in decision.commands}
    assert "Cross the Vault" in labels


def test_a_companion_is_shown_on_its_side_of_a_barrier() -> None:
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.put(1, "chasm", part=1)
    table.hold(1, "girl")
    table.haunt("the-bell-below", traitor=2)
    table.die(1)

    shown = seen(table, SPECTATORS)

    assert (shown.companions, shown.companion_parts) == ({"girl": "chasm"}, {"girl": 1})


def test_the_house_is_looked_at_anew_when_a_tile_is_laid() -> None:
    table = Table()
    before = seen(table, SPECTATORS)
    assert seen(table, seat_bit(0)).rooms is before.rooms
    table.lay("attic", "upper", 0, 1)
    assert [room.id for room in seen(table, SPECTATORS).rooms] == [*[room.id for room in before.rooms], "attic"]


def test_the_turn_tells_how_far_the_active_figure_may_go() -> None:
    table = Table()
    table.haunt("the-gnawing-tide", traitor=1)
    table.monster("rat-1", "foyer")
    speed = table.value(0, "speed")
    table.move("foyer")
    assert seen(table, seat_bit(0)).turn.spaces_left == speed - 2  # the traitor stood beside it
    table.turn(1, monsters=True)
    assert seen(table, seat_bit(0)).turn.spaces_left == 0
    table.let_move(3, "rat-1")
    table.move("entrance-hall", monster="rat-1")
    turn = seen(table, seat_bit(0)).turn
    assert (turn.monsters, turn.seat, turn.active, turn.spaces_left) == (True, 1, "rat-1", 1)


def test_cards_lie_open_with_their_states() -> None:
    table = Table()
    table.hold(0, "mask", "axe")
    table.pile("foyer", "ring")
    shown = seen(table, SPECTATORS)
    assert shown.explorers[0].cards == ["mask", "axe"]
    assert shown.cards["mask"].state == "off"
    attack = shown.cards["ring"].attack
    assert attack is not None
    assert (attack.trait, attack.damage) == ("sanity", "mental")
    assert [(pile.room, pile.cards) for pile in shown.piles] == [("foyer", ["ring"])]


def test_before_the_start_there_are_seats_and_nothing_else() -> None:
    game = next(play("second-edition", 1))
    known = State()
    for told in game.told[0]:
        told.event.apply(known)
    shown = view_of(game.rules, known, SPECTATORS)
    assert (shown.status, shown.phase, shown.turn.seat) == ("open", "setup", None)
    assert [(seat.seat, seat.taken) for seat in shown.seats] == [(seat, False) for seat in range(4)]
    assert (shown.rooms, shown.explorers, shown.waiting) == ([], [], [])


def test_everybody_sees_which_traits_stand_on_the_last_space_before_the_skull() -> None:
    table = Table()
    table.clips(1, might=1, speed=2)
    for mask, role in table.roles.items():
        traits = view_of(table.rules, role, mask).explorers[1].traits
        assert (traits.might.position, traits.might.critical) == (1, True)
        assert (traits.speed.position, traits.speed.critical) == (2, False)


@pytest.mark.parametrize("chosen, dice", [({}, 1), ({"rulings": {"crossbow": "crossbow-plain"}}, 0)])
def test_a_weapon_adds_the_dice_of_this_table(chosen: dict[str, object], dice: int) -> None:
    table = Table(FRIENDS, game=rules("third-edition"), options=chosen)
    table.hold(0, "crossbow")
    attack = view_of(table.rules, table.view(1), seat_bit(1)).cards["crossbow"].attack
    assert attack is not None
    assert attack.dice == dice


def _forget() -> None:
    """Drop every piece of a view that is kept."""
    for module in PARTS:
        for made in vars(module).values():
            if hasattr(made, "cache_clear"):
                made.cache_clear()


@pytest.mark.parametrize("pack,seed,haunt", GAMES)
def test_what_is_kept_of_a_view_is_what_would_be_made_anew(pack: str, seed: int, haunt: str) -> None:
    for game in play(pack, seed, haunt):
        if game.steps % 40:
            continue
        for mask, known in game.roles.items():
            kept = msgspec.json.encode(view_of(game.rules, known, mask))
            _forget()
            assert msgspec.json.encode(view_of(game.rules, known, mask)) == kept


@pytest.mark.parametrize("pack,seed,haunt", GAMES)
def test_an_event_changes_no_more_of_a_view_than_is_said_of_it(pack: str, seed: int, haunt: str) -> None:
    *_, game = play(pack, seed, haunt)
    for mask in (seat_bit(1), REFEREE):
        state, last = State(), None
        for one in (one for told in game.told for one in told if one.to & mask):
            one.event.apply(state)
            if state.status == "none" or not state.rooms:
                continue
            anew = view_of(game.rules, state, mask)
            if last is not None and type(one.event) in CHANGES:
                assert view_after(last, [one.event], game.rules, state, mask) == anew, one.event
            last = anew
