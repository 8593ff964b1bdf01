"""What golden games tell of each type of event: a real example, the rules that are cited with it, and that only its audience is told.

`told.json` names for each rule a game in which the event cites it, so that each game can be held against the file by itself.
`./dev golden` writes it; `openapi/events.json` and `docs/events.md` are made of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from domain.facts.audience import EVERYBODY, REFEREE, SPECTATORS, Mask, seat_bit, seats_mask
from domain.facts.events import EVENT_TYPES, Told
from domain.facts.events.base import TO_ALL, TO_REFEREE, Event
from domain.facts.state import State
from tests.golden import library
from tests.golden.script import Script
from tests.golden.stage import Stage, played
from tests.laws.golden_events import golden
from tests.laws.playout import play
from tests.support.packs import rules, rules_with
from tests.support.renewing import renew

FILE = Path(__file__).parent / "told.json"
KINDS = {str(kind.__struct_config__.tag): kind for kind in EVENT_TYPES}
PLAYED = (
    ("third-edition", 1, "a-tiding-of-magpies"),
    ("third-edition", 2, "the-night-shift"),
    ("second-edition", 1, "the-same-evening"),
)
"""Games played at random for what no golden game shows: pack, seed, haunt."""
RARE = """
  id: rare
  title: What no built-in haunt does
  stage: draft
  kind: one-traitor
  story: S
  tokens: [{id: rope, title: Rope, links: [{to: upper-landing}]}]
  monsters: {eel: {title: Eel, speed: 5, might: 3, hidden: true}}
  heroes:
    story: S
    goal: G
    actions:
      - {word: HANG, do: [{place-token: {token: rope, at: here}}]}
      - {word: CUT, do: [{remove-token: {token: rope}}]}
      - {word: SWALLOW, do: [{remove-tile: {tile: kitchen}}, {remove-tile: {tile: chapel}}, {remove-tile: {tile: library}}]}
      - {word: DROP, do: [{lose-card: {how: random, kind: any}}]}
      - {word: BURY, target: {each: corpse}, do: [{remove: target}]}
  traitor-book:
    story: S
    goal: G
    actions:
      - {word: BREED, do: [{place-monster: {kind: eel, at: here}}]}
"""
RARELY = 3
"""Seeds of random games of this haunt."""

_encode = msgspec.json.Encoder().encode


class Fact(msgspec.Struct, omit_defaults=True):
    """What is known of one type."""

    example: dict[str, Any]
    """An event as it was written."""
    game: str = ""
    """The golden game that it is from; empty: a golden log, or a game of bots."""
    rules: dict[str, str] = {}
    """By rule that was cited with it: a golden game in which it was."""


@cache
def facts() -> dict[str, Fact]:
    """By type: what `told.json` says."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Fact])


def in_story(stage: Stage) -> Iterator[Event]:
    """All events of a golden game."""
    return (told.event for commit in stage.story for told in commit)


def tag(event: Event) -> str:
    """What a stored event calls itself."""
    return str(event.__struct_config__.tag)


def untold(name: str, stage: Stage) -> list[str]:
    """What `told.json` says of a game that is not so, and rules that it does not name."""
    told = facts()
    events = list(in_story(stage))
    cited = {(tag(event), event.rule) for event in events if event.rule}
    wrong = [f"{kind} cites {rule}" for kind, rule in cited if kind not in told or rule not in told[kind].rules]
    wrong += [
        f"{kind} does not cite {rule} in {name}"
        for kind, fact in told.items()
        for rule, game in fact.rules.items()
        if game == name and (kind, rule) not in cited
    ]
    shown = {kind: fact.example for kind, fact in told.items() if fact.game == name}
    written = [(tag(event), json.loads(_encode(event))) for event in events if tag(event) in shown]
    return wrong + [
        f"{kind} is not written like its example" for kind, one in shown.items() if (kind, one) not in written
    ]


# -- audiences ------------------------------------------------------------------------------------------------------------------------


def misdirected(commits: Iterable[list[Told]]) -> list[str]:
    """Events that were told to others than their type says, in words."""
    state, wrong = State(), []
    for commit in commits:
        for one in commit:
            if not _fits(one, state):
                wrong.append(f"{tag(one.event)} to {one.to:08b}: {one.event.audience}")
            one.event.apply(state)
    return wrong


def _fits(told: Told, state: State) -> bool:
    event: Any = told.event
    if event.audience == TO_ALL:
        return told.to == EVERYBODY
    if event.audience == TO_REFEREE:
        return told.to == REFEREE
    return AUDIENCES[tag(event)](event, told.to, state)


def _seat_alone(to: Mask) -> bool:
    """One seat and the referee."""
    return bool(to & REFEREE) and (to & ~REFEREE).bit_count() == 1 and not to & SPECTATORS


def _side(side: str, to: Mask, state: State) -> bool:
    """Nobody but members of this side, and the referee."""
    return not to & ~state.side_mask(side)


def _within(to: Mask) -> bool:
    """Seats and the referee, or everybody."""
    return to == EVERYBODY or (bool(to & REFEREE) and not to & SPECTATORS)


AUDIENCES: dict[str, Callable[[Any, Mask, State], bool]] = {
    "SlotSeen": lambda _event, to, _state: _seat_alone(to),
    "StackContents": lambda _event, to, _state: _seat_alone(to),
    "OptionsTold": lambda event, to, state: (
        to == (REFEREE if (seat := state.seat_of(state.open[event.decision].seat)) < 0 else seats_mask([seat]))
    ),
    "SecretChosen": lambda event, to, _state: to == EVERYBODY if not event.value else _within(to),
    "SideTold": lambda event, to, _state: to == (EVERYBODY if event.revealed else seat_bit(event.seat) | REFEREE),
    "TextTold": lambda event, to, state: (
        to == EVERYBODY
        if event.side == "all"
        else _within(to) and (event.side == "you" or _side(event.side, to, state))
    ),
    "BookEntered": lambda _event, to, _state: _within(to),
    "EntryProposed": lambda _event, to, _state: _within(to),
    "CountersTold": lambda event, to, state: to == REFEREE if not event.side else _side(event.side, to, state),
    "RuleApplied": lambda _event, to, _state: _within(to),
    "ClaimMade": lambda event, to, state: to == _disputing(state, event.number),
    "EvidenceGiven": lambda event, to, state: (
        to in (EVERYBODY, seats_mask([event.by]), _disputing(state, event.number))
    ),
    "ReasonsGiven": lambda event, to, state: to in (EVERYBODY, _disputing(state, event.number)),
    "AmendmentTold": lambda _event, to, _state: to in (EVERYBODY, REFEREE),
    "Rewound": lambda _event, to, _state: to in (REFEREE, to & ~REFEREE),
    "SandboxBegun": lambda _event, to, _state: to in (REFEREE, to & ~REFEREE),
    "MonsterHid": lambda event, to, state: (
        to & REFEREE == 0 if not event.room else to == state.side_mask(state.monsters[event.monster].side)
    ),
    "BoxTold": lambda _event, to, _state: _within(to),
}
"""By type of event that is not for everybody or the referee alone: whether the audience is the one that its words say."""


def _disputing(state: State, number: int) -> Mask:
    assert state.desk is not None
    dispute = state.desk.disputes[number - 1]
    return EVERYBODY if dispute.table else seats_mask([dispute.by])


# -- writing --------------------------------------------------------------------------------------------------------------------------


def write() -> bool:
    """Play all golden games and write what they tell; returns whether it has changed."""
    found: dict[str, Fact] = {}
    best: dict[str, tuple[bool, bool, int, bool, int]] = {}

    def weigh(event: Event, game: str = "", *, played: bool = True, hand: bool = False) -> None:
        """Take it for the example if it says more than the one before, in fewer bytes; arranged scenes come last."""
        kind, body = tag(event), _encode(event)
        shown = json.loads(body)
        worth = (played, hand, len(shown), bool(event.rule), -len(body))
        if kind not in best or worth > best[kind]:
            best[kind] = worth
            found[kind] = Fact(shown, game, found[kind].rules if kind in found else {})

    for path in library.files():
        script = Script(path)
        _, stage = played(script)
        for number, commit in enumerate(stage.story):
            for event in (told.event for told in commit):
                weigh(event, path.stem, played=number >= stage.opened, hand=script.game.made_by == "hand")
                if event.rule:
                    found[tag(event)].rules.setdefault(event.rule, path.stem)
    missing = set(KINDS) - set(found)
    for event in _elsewhere(missing):
        weigh(event)
    lines = (
        f"{json.dumps(kind)}: {json.dumps(msgspec.to_builtins(_sorted(found[kind])), ensure_ascii=False)}"
        for kind in KINDS
        if kind in found
    )
    return renew(FILE, "{\n" + ",\n".join(lines) + "\n}\n")


def _elsewhere(missing: set[str]) -> Iterator[Event]:
    """Events of types that no golden game has: from golden logs, and from games played at random."""
    for kind in sorted(missing):
        lines = golden(kind).read_bytes().splitlines()[1:]
        yield from (msgspec.json.decode(line, type=KINDS[kind]) for line in lines if b'"said"' not in line)
    games = [play(rules(pack), seed, haunt=haunt) for pack, seed, haunt in PLAYED]
    rare = rules_with("third-edition", haunt=RARE)
    games += [play(rare, seed, haunt="rare") for seed in range(RARELY)]
    events = (told.event for game in games for commit in game.commits for told in commit)
    yield from (event for event in events if tag(event) in missing)


def _sorted(fact: Fact) -> Fact:
    return Fact(fact.example, fact.game, dict(sorted(fact.rules.items())))
