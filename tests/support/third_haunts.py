"""A haunt of each of the third edition's four types, for tests: as little in it as the type needs."""

from domain.facts.commands import Choose
from domain.facts.events import Told
from projections.view.game import GameView, view_of
from tests.support.packs import rules_with
from tests.support.table import Table
from tests.support.third import FRIENDS, SIX, bring_on, settle

RIVALS = """
  id: h
  title: The Last Seat
  stage: draft
  kind: free-for-all
  story: S
  counters: {coins: {title: Coins, each: explorer, public: true}}
  monsters: {moth: {title: Moth, speed: 3, might: 2}}
  traitor-book:
    story: There is one seat.
    goal: Win with three coins, or as the last alive.
    actions:
      - {word: DIG, do: [{count: {counter: coins, by: 1}}]}
      - {word: BOARD, do: [{win: {side: you, because: The boat leaves.}}]}
      - {word: GNAW, do: [{damage: {kind: physical, points: 1}, who: {each: opponent, in: here}}]}
    wins-when: {any: [{counter: coins, at-least: 3}, {count: {explorers: living}, at-most: 1}]}
    because: One seat is taken.
    loses-when: {count: {explorers: living}, at-most: 0}
    because-lost: The boat drifts off.
    ending: You row.
"""
"""Everybody plays against everybody."""

HIDDEN = """
  id: h
  title: The Guest
  stage: draft
  kind: hidden-traitor
  story: S
  monsters: {moth: {title: Moth, speed: 3, might: 2}}
  heroes:
    story: One of you is the guest.
    goal: Win when the guest is dead.
    actions: [{word: UNMASK, do: [{reveal: traitor}]}]
    wins-when: {dead: traitor}
    because: The guest is dead.
    loses-when: {count: {explorers: living-heroes}, at-most: 0}
    because-lost: The guest is alone.
    ending: It was the guest.
    ending-lost: You are at home here.
  revealed: []
"""
"""One of all is the traitor in secret."""

LONG = HIDDEN.replace("{dead: traitor}", "{round-at-least: 9}")
"""The same, where nobody's death ends it."""

TOGETHER = """
  id: h
  title: The Tide
  stage: draft
  kind: no-traitor
  story: S
  monsters: {moth: {title: Moth, speed: 3, might: 2}}
  heroes:
    story: The water rises.
    goal: Win when the plug is pulled.
    actions: [{word: PULL, do: [{win: {side: heroes, because: It runs out.}}]}]
    wins-when: {round-at-least: 9}
    because: It is morning.
    loses-when: {count: {explorers: living}, at-most: 0}
    because-lost: Nobody is left.
    ending: You wring out your coats.
"""
"""All play together."""

DUEL = """
  id: h
  title: The Duel
  stage: draft
  kind: one-traitor
  traitor: {revealer: true}
  story: S
  monsters: {moth: {title: Moth, speed: 3, might: 2}}
  heroes:
    story: One of you has turned.
    goal: Win when the traitor is dead.
    wins-when: {dead: traitor}
    because: The traitor is dead.
    ending: You bury what you can.
  traitor-book:
    story: You have turned.
    goal: Win when no hero is left.
    wins-when: {count: {explorers: living-heroes}, at-most: 0}
    because: No hero is left.
    ending: You have the house to yourself.
"""
"""One against all others."""


def table_in(haunt: str, *, traitor: int = -1, seats: int = 3) -> Table:
    """A haunt `h` of the tests' own; all stand in the Entrance Hall, and it is the turn of seat 0."""
    return settle(rules_with("third-edition", haunt=haunt), "h", traitor=traitor, explorers=SIX[:seats])


def begun(haunt: str) -> Table:
    """The same haunt begun by the revealer's roll and set up; seat 0 is the revealer."""
    table = Table(FRIENDS, game=rules_with("third-edition", haunt=haunt), options={"haunt": "h", "scenario": "cursed"})
    table.picks("seat:1", "seat:0", "seat:2")
    bring_on(table)
    set_up(table)
    return table


def set_up(table: Table) -> None:
    """Whatever is asked before the first turn of the haunt is answered in the first way."""
    while table.state.haunt is not None and not table.state.haunt.started:
        decision = next(iter(table.state.open.values()))
        table.play(decision.seat, Choose(decision=decision.id, option=decision.options[0]))


def view(table: Table, who: int) -> GameView:
    return view_of(table.rules, table.roles[who], who)


def seen_by_all(table: Table) -> list[GameView]:
    return [view(table, 1 << seat) for seat in range(table.state.seats)]


def strike(table: Table, target: int, *, hit: int = 0) -> list[Told]:
    """The explorer whose turn it is attacks another, and wins by so many."""
    dice = [table.value(seat, "might") for seat in (table.seat, target)]
    faces = [1] * hit + [0] * (dice[0] - hit)
    return table.rolls(faces, [0] * dice[1]).attack(target)
