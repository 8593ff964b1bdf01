"""What people read is in words of the rules: no word of the content files' vocabulary, and no key or id, stands in it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import msgspec

import content.vocabulary
from content.ledger import ledger
from content.survey import Spot, walk
from content.vocabulary.base import Word
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Pack
from domain.decide import decide
from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import REFEREE, Mask, principal_name, seat_bit
from domain.facts.commands import (
    Act,
    Allocate,
    AnswerChance,
    AnyCommand,
    Attack,
    BreakFree,
    Choose,
    Cross,
    Demand,
    Drop,
    EndTurn,
    Explore,
    LookThrough,
    Loot,
    Move,
    PickUp,
    Trade,
)
from domain.facts.desk_commands import GiveEvidence, OpenDispute, RuleDispute
from domain.facts.events import AmendmentTold
from domain.facts.grid import DIRECTIONS
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, Figure, MonsterId, State
from domain.rulebook.desk.disputing import disputes
from domain.rulebook.turn.options import turn_decision
from projections.choices.brief import brief_of
from projections.choices.decisions import decisions_of
from projections.naming.names import readable
from projections.naming.questions import UNKNOWN, Asking
from projections.sentences.history import worded
from projections.sentences.waiting import NOTHING_CAME
from projections.trace.ruling import Disputed, ruling_as_markdown
from projections.trace.shapes import TraceStep
from projections.view.desk import dispute_view
from projections.view.game import view_of
from tests.laws.playout import Game, copy_of, open_table, principals, steps
from tests.laws.tracing import commits_of, trace
from tests.laws.trying import Anything, Roles

JOINED = re.compile(r"\b[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+\b")
"""Words that are joined as in keys: `place-tile`, `rabbits-foot`, `set_trait`."""
IDS = re.compile(r"\b[a-z-]+[:#@][a-z0-9]|[a-z]/[a-z-]+#|[{}]|\bNone\b|[a-z]_[a-z]")
"""What stands in ids and in data: `seat:1`, `card/axe#do`, `{…}`."""
WANTED = re.compile(r" \[with \".*\]$")
"""What a brief's option still needs, as its command has it: members with their values."""
LAST_RESORTS = (NOTHING_CAME, UNKNOWN[0])
"""Said of what has no words."""


@cache
def vocabulary() -> frozenset[str]:
    """The joined words of the vocabulary: names of verbs and fields, as Python and as files write them, and of closed sets."""
    for module in iter_modules(content.vocabulary.__path__):
        import_module(f"{content.vocabulary.__name__}.{module.name}")
    found: set[str] = set()
    for kind in _kinds(Word):
        for field in msgspec.structs.fields(kind):
            found |= {field.name, field.encode_name}
    _, schemas = msgspec.json.schema_components(list(_kinds(Word)))
    found |= {word for one in _within(schemas) if isinstance(one, dict) for word in map(str, one.get("enum", ()))}
    return frozenset(filter(JOINED.fullmatch, found))


def _kinds(kind: type[Word]) -> Iterator[type[Word]]:
    for one in kind.__subclasses__():
        yield one
        yield from _kinds(one)


def _within(data: Any) -> Iterator[Any]:  # noqa: ANN401 -- JSON
    yield data
    for one in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _within(one)


@cache
def keys_of(rules: Rules) -> frozenset[str]:
    """The joined names of all that a pack's files name; not those that its prose or the rules write in the same way."""
    found, prose = set[str](), set[str]()
    for one in _within(msgspec.to_builtins(rules.pack.source)):
        texts = list(one) if isinstance(one, dict) else [one] if isinstance(one, str) else []
        for text in texts:
            (found if JOINED.fullmatch(text) else prose).update(JOINED.findall(text))
    for rule in ledger().values():
        prose.update(JOINED.findall(f"{rule.title} {rule.text}"))
    return frozenset(found - prose)


def raw_in(rules: Rules, text: str) -> list[str]:
    """What stands in a text that only files and programs say."""
    said = [word for word in JOINED.findall(text) if word in vocabulary() or word in keys_of(rules)]
    return [*said, *IDS.findall(text), *(words for words in LAST_RESORTS if words in text)]


def is_in_words(rules: Rules, where: str, texts: Sequence[str]) -> int:
    """Returns how many texts there were."""
    for text in texts:
        assert not (raw := raw_in(rules, text)), f"{where}: {raw} in {text!r}"
    return len(texts)


def texts_of(step: TraceStep) -> list[str]:
    """All that a step says to people, besides the rules' own texts and those printed on pieces."""
    found = [step.who, step.did, *step.waiting]
    found += [step.legal.text, *step.legal.labels] if step.legal is not None else []
    found += [one.words for one in step.happened]
    found += [text for one in step.changes for text in (one.what, one.before, one.after)]
    found += [text for one in step.spoke for text in (one.title, *one.rules)]
    return [*found, *(text for one in step.rulings for text in (one.title, one.text))]


def everything_is_in_words(game: Game, roles: Sequence[Mask], every: int) -> int:
    """Traces, sentences and, of each so many commits, briefs. Returns how many texts were read."""
    read = 0
    for who in roles:
        where = f"{game.name}, {principal_name(who)}"
        for step in trace(game.rules, list(commits_of(game, who)), who):
            read += is_in_words(game.rules, f"{where}, commit {step.number}", texts_of(step))
        known = State()
        for number, commit in enumerate(game.commits, 1):
            fold(known, [redact(commit, who)])
            if number % every == 0:
                brief = brief_of(view_of(game.rules, known, who), decisions_of(game.rules, known, who, whole=True))
                lines = [WANTED.sub("", line) for line in brief.text.splitlines()]
                read += is_in_words(game.rules, f"{where}, brief of commit {number}", lines)
    return read


def every_effect_is_in_words(rules: Rules, state: State, pieces: Sequence[Word]) -> int:
    """What amendments by each effect of some pieces would be told as. Returns how many effects there were."""
    asking = Asking(rules.of(state), state)
    found = [spot.value for piece in pieces for spot in walk(Spot((), piece)) if isinstance(spot.value, Effect)]
    for effect in found:
        told = AmendmentTold(number=1, you=0, do=[msgspec.to_builtins(effect)])
        is_in_words(rules, rules.pack.head.id, [worded(asking, told)])
    return len(found)


def pieces_of(pack: Pack) -> list[Word]:
    """Cards, tiles and tokens that are no haunt's."""
    return [*pack.cards, *pack.tiles, *pack.tokens]


def disputes_are_in_words(game: Game, roles: Sequence[Mask]) -> int:
    """Dispute what was done last, cite it, amend it, and read the pages. Returns how many lines were read."""
    last = len(game.commits)
    game.do(0, OpenDispute(first=max(1, last - 4), last=last, claim="0" * 64))
    game.do(0, GiveEvidence(number=1, commits=[last], rules=[]))
    steps = [{"gain": {"trait": "might", "steps": 1}}] if not game.state.open else []
    game.do(MODERATOR, RuleDispute(number=1, outcome="amend" if steps else "stands", text="So it is.", do=steps))
    read = 0
    for who in roles:
        known = fold(State(), [redact(commit, who) for commit in game.commits])
        (dispute,) = disputes(known)
        page = Disputed(
            game="game",
            role=principal_name(who),
            version=len(game.commits),
            dispute=dispute_view(known, dispute),
            texts={},
            amended=[""],
            called=[Asking(game.rules, known).names.figure(seat) for seat in range(known.seats)],
        )
        told = ruling_as_markdown(page, trace(game.rules, list(commits_of(game, who)), who))
        own = told.partition("## Rules")
        lines = [line.replace("\\", "") for line in (own[0] + own[2].partition("## Ruling")[2]).splitlines()]
        read += is_in_words(game.rules, f"{game.name}, page of {principal_name(who)}", lines)
    return read


def everybody(game: Game) -> list[Mask]:
    """All roles, the referee first."""
    return sorted(principals(game.state.seats), key=lambda who: who != REFEREE)


CODE = re.compile(r"`[^`]*`")
"""What is to be posted, or was: decisions, options, words of actions."""


def refusals_are_in_words(rules: Rules, seed: int, *, seats: int, haunt: str, every: int) -> int:
    """Whatever is tried at random, and refused, is refused in words, and by no name that the role has not met. Returns refusals."""
    game, lot, read = open_table(rules, seed, seats=seats, haunt=haunt), random.Random(seed), 0
    roles, seen = Roles(game), list[AnyCommand]()
    for actor, commands in steps(game, lot):
        seen += lot.sample(commands, min(2, len(commands)))
        if game.state.commit % every:
            continue
        roles.follow()
        for seat in {actor, lot.randrange(seats)} - {MODERATOR}:
            asking = Asking(rules, roles.of(seat_bit(seat)), seen_only=True)
            for command in [*lot.sample(seen, min(12, len(seen))), *_guesses(rules, game.state, lot)]:
                where = lot.choice([turn_decision(game.state), *game.state.open, command.decision])
                posted = msgspec.structs.replace(command, decision=where or command.decision)
                try:
                    decide(rules, copy_of(game.state), seat, posted, Anything(lot))
                except Refused as refusal:
                    read += _is_told_in_words(asking, posted, refusal.worded(asking.named).detail)
    return read


def _is_told_in_words(asking: Asking, command: AnyCommand, detail: str) -> int:
    pack, said = asking.rules.pack, CODE.sub("", detail)
    is_in_words(asking.rules, str(command), [said])
    ids = {one for one in _within(msgspec.to_builtins(command)) if isinstance(one, str)}
    raw = [
        *ids.intersection(pack.tiles.keys() | pack.titles.keys(), re.findall(r"[a-z-]+", said)),
        *re.findall(r"\b[Ss]eat [0-5]", said),
    ]
    assert not raw, f"{command}: {raw} in {detail!r}"
    haunts = pack.haunts.values()
    titles = {name: kind.title for one in haunts for name, kind in one.monsters.items()}
    titles |= {token.id: token.title for one in haunts for token in one.tokens}
    titles |= {card.id: card.title for one in haunts for card in one.items}
    hidden = [titles[name] for name in asking.names.unseen if titles[name] != readable(name)]
    assert not [title for title in hidden if title in said], f"{command}: {detail!r} tells what its role has not met"
    return 1


def _guesses(rules: Rules, state: State, lot: random.Random) -> list[AnyCommand]:
    """Commands of every kind, about anything in the box."""
    pack, turn = rules.pack, "turn"
    room, card, other = lot.choice(list(pack.tiles)), lot.choice(list(pack.titles)), lot.choice(list(pack.titles))
    kinds = sorted({kind for haunt in pack.haunts.values() for kind in haunt.monsters})
    monster = lot.choice([*state.monsters, *(MonsterId(f"{lot.choice(kinds)}-1") for _ in range(2))])
    source, word = lot.choice([(source, one.action.word) for source, found in pack.offers.items() for one in found])
    source = source if source.count("#") == 0 else f"haunt:{lot.choice(['heroes', 'traitor'])}"
    seat, by = lot.randrange(state.seats), lot.choice([None, monster])
    target: Figure = seat if lot.random() < 0.5 else monster
    return [
        Move(decision=turn, to=room, monster=by),
        Explore(decision=turn, door=lot.choice(DIRECTIONS), monster=by),
        Cross(decision=turn, monster=by),
        Act(decision=turn, source=source, word=word, target=lot.choice([None, target, room]), monster=by),
        Act(decision=turn, source=f"box:{lot.choice(kinds)}", word=word, monster=monster),
        BreakFree(decision=turn, seat=seat),
        Attack(decision=turn, target=target, weapon=lot.choice([None, card]), monster=by),
        Trade(decision=turn, partner=seat, gives=[card], wants=[other], monster=by),
        Drop(decision=turn, cards=[card], monster=by),
        PickUp(decision=turn, cards=[card], monster=by),
        Loot(decision=turn, corpse=seat, card=card, monster=by),
        LookThrough(decision=turn),
        Demand(decision="parts", part=lot.choice(["heroes.actions.LIGHT", "traitor.on.2", f"monster.{kinds[0]}"])),
        Choose(decision=turn, option=lot.choice([room, card, "pass", "exempt"])),
        Allocate(decision=turn, points={"might": 1}),
        AnswerChance(decision=turn, faces=[0], pick=card),
        EndTurn(decision=turn),
    ]
