"""Non-interference: two games that differ only in what a role may not know tell that role the same bytes.

All that is made for a role is compared: `_looked_at` has what it can look at or try at one moment, `_retold` what it can read of the past.
`tests/service/games/read/test_secrecy.py` requires that whatever the service or the library makes of a state is among it.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence

import msgspec

from content.vocabulary.abilities import Action, Trigger
from content.vocabulary.base import Side
from content.vocabulary.effects import CounterChange, Effect, Monsters, Tell
from content.vocabulary.pack import Card, Counter, Haunt, Monster, Pack, Seek
from content.vocabulary.values import Number, Value
from domain.decide import decide
from domain.dry_run import dry_run
from domain.editions import EDITIONS
from domain.engine.books import known_to_all, named_in
from domain.engine.parts import kind_of_box
from domain.engine.rules import Rules
from domain.evolve import fold, fold_commit, redact
from domain.facts.audience import SPECTATORS, Mask, seat_bit
from domain.facts.chance import Answer, Chance, Request, Seeded
from domain.facts.commands import Act, AnyCommand, Attack, Choose, Demand, Move, Reveal
from domain.facts.events import (
    CounterMoved,
    DecisionOpened,
    DiceRolled,
    ExplorerDied,
    GameEnded,
    MonsterKilled,
    MonsterShown,
    MonsterStunned,
    PartUsed,
    SideTold,
    SlotSeen,
    TextTold,
    TileDrawn,
    Told,
)
from domain.facts.refusal import Refused
from domain.facts.state import Figure, State, is_monster
from domain.game import rules_for
from domain.rulebook.desk.disputing import disputes, precedents
from domain.rulebook.haunt.demanding import PARTS, demandable
from domain.rulebook.table.sparing import EXEMPTIONS
from domain.rulebook.turn.options import legal
from projections.board import boards_of
from projections.books.book import book_of
from projections.books.pages import as_html, as_markdown, sections
from projections.books.setup import setup_of
from projections.choices import throws as misfit
from projections.choices.brief import brief_of
from projections.choices.decisions import decisions_of
from projections.choices.odds import odds
from projections.choices.odds_asked import AnyAsked, AttackAsked, TraitAsked
from projections.diff.compare import Moment, difference
from projections.diff.markdown import diff_as_markdown
from projections.diff.markdown import sentences as worded_changes
from projections.naming.questions import Asking
from projections.sentences.history import amended
from projections.text.picture import house_as_text
from projections.text.post import status_post
from projections.trace.sifting import Unfit, Wanted, names_of
from projections.view.desk import dispute_view, precedent_view
from projections.view.game import view_of
from service.games.read.tracing import Narrator, cards_in_books
from tests.laws.playout import Game, awaited, copy_of, encode, open_table, pick, principals
from tests.laws.tracing import commits_of, trace


class Twisted:
    """Chance as in another game, but for one answer."""

    def __init__(self, source: Chance, what: str, answer: str) -> None:
        self.source = source
        self.what = what
        self.answer = answer
        self.twisted = False

    def ask(self, request: Request) -> Answer | None:
        told = self.source.ask(request)
        if request.what == self.what and not self.twisted and self.answer in request.options:
            self.twisted = True
            return Answer(pick=self.answer)
        return told


def hidden_roles_tell_nothing(rules: Rules, seed: int, haunt: str, *, seats: int = 4, source: str = "seeded") -> int:
    """Two worlds with another hidden traitor: all others see the same, until a death or a reveal tells. Returns commits compared."""
    worlds = []
    for traitor in (1, 2):
        chance = Twisted(Seeded(b"seed %d" % seed, "twins"), "roles", f"seat:{traitor}")
        worlds.append(open_table(rules, seed, seats=seats, haunt=haunt, chance=chance, source=source))
    ignorant = [who for who in principals(seats)[:-1] if who not in (seat_bit(1), seat_bit(2))]
    return _same_course(worlds, ignorant, random.Random(seed), _tells_roles, (1, 2))


def private_looks_tell_nothing(
    rules: Rules, seed: int, *, seats: int = 4, haunt: str = "", source: str = "seeded"
) -> int:
    """Two worlds in which somebody saw another tile on top of the stack: all others see the same until it is drawn."""
    first = open_table(rules, seed, seats=seats, haunt=haunt, source=source)
    lot = random.Random(seed)
    looker, seen, others = -1, "", ""
    while first.state.status == "started" and looker < 0:
        actor = awaited(first.state)
        told = first.do(actor, pick(lot, legal(rules, first.state, actor)))
        for one in told:
            if isinstance(one.event, SlotSeen) and one.event.deck == "tiles":
                looker, seen = actor, one.event.face
    if looker < 0:
        return 0
    back = rules.pack.back_of(seen)
    others = next((face for face in first.state.decks["tiles"].pool if rules.pack.back_of(face) == back), "")
    if not others:
        return 0
    worlds = []
    for face in (seen, others):
        chance = Twisted(Seeded(b"seed %d" % seed, first.name), f"tile:seen-by:{looker}", face)
        world = open_table(rules, seed, seats=seats, haunt=haunt, chance=chance, source=source)
        world.name = first.name
        for actor, command in first.acts:
            world.do(actor, command)
        worlds.append(world)
    ignorant = [who for who in principals(seats)[:-1] if who != seat_bit(looker)]
    for who in ignorant:
        _compare(worlds, who, 0)
    return _same_course(worlds, ignorant, lot, _tells_tiles)


def _same_course(
    worlds: list[Game], ignorant: list[Mask], lot: random.Random, tells: object, traitors: tuple[int, int] = (1, 1)
) -> int:
    """Play the same commands in both worlds and compare what the ignorant are told, until something is told rightly.

    Whoever is awaited does them; in a hidden traitor's place that is another seat in each. Where the players say which tokens they
    were dealt, that makes these the traitors.
    """
    one, compared = worlds[0], 0
    while one.state.status == "started":
        actor = awaited(one.state)
        commands = [command for command in legal(one.rules, one.state, actor) if not _gives_away(command)]
        command = pick(lot, commands)
        told = [
            _do(world, awaited(world.state), _with_token(world, command, traitor))
            for world, traitor in zip(worlds, traitors, strict=True)
        ]
        if any(tells(commit) for commit in told):  # type: ignore[operator]  # a predicate on commits
            _same_past(worlds, ignorant, len(one.commits) - 1)
            return compared
        for who in ignorant:
            mine, theirs = (msgspec.json.encode(redact(commit, who)) for commit in told)
            assert mine == theirs, (
                f"{one.name}: {who} can tell the worlds apart at commit {one.state.commit}: {mine!r} / {theirs!r}"
            )
        compared += 1
    _same_past(worlds, ignorant, len(one.commits))
    for who in ignorant:
        _compare(worlds, who, 0)
    return compared


def _with_token(world: Game, command: AnyCommand, traitor: int) -> AnyCommand:
    """The command; where each player says which token it was dealt, 1 for the traitor and 2 for the other of seats 1 and 2."""
    asked = world.state.open.get(command.decision)
    if asked is None or asked.about != "role":
        return command
    token = {0: 3, traitor: 1, 3 - traitor: 2}.get(asked.seat, asked.seat + 1)
    return Choose(decision=asked.id, option=str(token))


def _same_past(worlds: Sequence[Game], ignorant: Sequence[Mask], commits: int) -> None:
    """Compare what one of the ignorant reads of the past: over many games it is each of them."""
    who = ignorant[commits % len(ignorant)]
    found = [dict(_retold(world, who, commits)) for world in worlds]
    for what, mine in found[0].items():
        assert mine == found[1][what], f"{worlds[0].name}: {who} can tell the worlds apart by its {what}"


def _retold(world: Game, who: Mask, commits: int) -> Iterator[tuple[str, bytes]]:
    """All that a role can read of the commits up to one."""
    rules, told = world.rules, list(commits_of(world, who))[:commits]
    yield "trace", encode(trace(rules, told, who))
    narrator, words = Narrator(rules, State()), list[bytes]()
    for one in told:
        events = msgspec.json.encode([each.event for each in one.told])
        words.append(narrator.add(b'{"data":{"number":%d,"events":%b}}' % (one.number, events)))
    yield "sentences", b"\n".join(words)
    state, moments = State(), list[Moment]()
    for one in told:
        fold_commit(state, one.number, one.told)
        if one.number in (commits // 2, commits):
            view, found = view_of(rules, state, who), decisions_of(rules, state, who)
            moments.append(Moment(view, found))
    changed = difference(*moments)
    yield "diff", encode(changed) + diff_as_markdown(changed).encode()
    yield "boards", boards_of(moments[0].view, moments[1].view, worded_changes(changed)).encode()
    yield "setup", encode(setup_of(rules, state, ((one.number, [each.event for each in one.told]) for one in told)))
    heard = names_of([each.event for one in told for each in one.told]) | cards_in_books(rules, state, who)
    for haunt in rules.pack.haunts.values():
        for card in [*haunt.items, OTHER_CARD]:
            yield f"filter for {card.id}", _filter(rules, state, who, card.title, heard)


def _filter(rules: Rules, state: State, who: Mask, card: str, heard: set[str]) -> bytes:
    try:
        return encode(Wanted(card=card).settled(rules, state, who, state.seats, heard))
    except Unfit as unfit:
        return str(unfit).encode()


def _do(world: Game, actor: int, command: AnyCommand) -> list[Told]:
    try:
        return world.do(actor, command)
    except Refused as refusal:
        raise AssertionError(
            f"{world.name}: legal in one world, refused in the other: {command}: {refusal.detail}"
        ) from None


def _compare(worlds: list[Game], who: Mask, start: int) -> None:
    views = [encode(fold(State(), [redact(commit, who) for commit in world.commits[start:]])) for world in worlds]
    assert views[0] == views[1], f"{worlds[0].name}: {who} has another view in the other world"


def _gives_away(command: AnyCommand) -> bool:
    """Whether the hidden traitor alone can do it: reveal itself, or use a power in public (3E-TRAI-009)."""
    return isinstance(command, Reveal) or getattr(command, "option", "") in ("reveal", *EXEMPTIONS)


def _tells_roles(commit: list[Told]) -> bool:
    return any(
        isinstance(told.event, ExplorerDied | GameEnded) or (isinstance(told.event, SideTold) and told.event.revealed)
        for told in commit
    )


def _tells_tiles(commit: list[Told]) -> bool:
    return any(isinstance(told.event, TileDrawn | SlotSeen | GameEnded) for told in commit)


# -- monsters that hide ----------------------------------------------------------------------------------------------------------


def hideouts_tell_nothing(rules: Rules, seed: int, haunt: str, *, seats: int = 4, source: str = "seeded") -> int:
    """Two worlds in which monsters hide elsewhere: the other side, and who has none, see and find out the same until one shows itself.

    Returns commits compared while they were in different rooms.
    """
    worlds = [open_table(rules, seed, seats=seats, haunt=haunt, source=source) for _ in range(2)]
    one, other = worlds
    lot, compared = random.Random(seed), 0
    known = [{who: State() for who in principals(seats)[:-1]} for _ in worlds]
    while one.state.status == "started":
        actor = awaited(one.state)
        told = [
            _do(world, actor, command) for world, command in zip(worlds, _elsewhere(worlds, actor, lot), strict=True)
        ]
        if any(isinstance(one.event, MonsterShown | GameEnded) for commit in told for one in commit):
            break
        for world, states in zip(worlds, known, strict=True):
            for who, state in states.items():
                fold(state, [redact(commit, who) for commit in world.commits[state.commit :]])
        ignorant = [who for who in known[0] if one.state.haunt is None or who != seat_bit(one.state.haunt.traitor)]
        for who in ignorant:
            raw = [msgspec.json.encode(redact(commit, who)) for commit in told]
            assert raw[0] == raw[1], f"{one.name}: {who} can tell the worlds apart at commit {one.state.commit}: {raw}"
        if encode(one.state.monsters) != encode(other.state.monsters):
            compared += 1
            if compared % 8 == 0:
                for who in ignorant:
                    _finds_out_nothing(worlds, [states[who] for states in known], who)
    haunted = one.state.haunt
    if haunted is not None:
        _same_past(worlds, [seat_bit((haunted.traitor + 1) % seats), SPECTATORS], len(one.commits) - 1)
    return compared


def _elsewhere(worlds: list[Game], actor: int, lot: random.Random) -> tuple[AnyCommand, AnyCommand]:
    """One command for both worlds; where a monster goes in secret, another for each."""
    mine, theirs = (legal(world.rules, world.state, actor) for world in worlds)
    traitor = worlds[0].state.haunt is not None and worlds[0].state.haunt.traitor == actor
    if not traitor:
        assert mine == theirs, f"{worlds[0].name}: seat {actor} may do something else in the other world"
    secret = [traitor and _goes_in_secret(worlds[0], command) for command in mine]
    if any(secret) and (all(secret) or lot.random() < 0.8):
        chosen = lot.choice([command for command, hidden in zip(mine, secret, strict=True) if hidden])
        alike = [one for one in theirs if _goes_in_secret(worlds[1], one) and _who(one) == _who(chosen)]
        if alike:
            return chosen, lot.choice(alike)
    both = [one for one, hidden in zip(mine, secret, strict=True) if one in theirs and not hidden and not _shows(one)]
    chosen = pick(lot, both)
    return chosen, chosen


def _goes_in_secret(world: Game, command: AnyCommand) -> bool:
    """Whether it says where a monster that hides, or will, goes."""
    if isinstance(command, Move) and command.monster is not None:
        return world.state.monsters[command.monster].hides
    about = world.state.open[command.decision].about if command.decision in world.state.open else ""
    return about.startswith(("monster:eel", "move-to", "move-other:eel"))


def _who(command: AnyCommand) -> tuple[str, str]:
    return command.decision, str(getattr(command, "monster", ""))


def _shows(command: AnyCommand) -> bool:
    """Whether a monster does something at which it may be seen."""
    return isinstance(command, Attack | Act) and command.monster is not None


# -- books ------------------------------------------------------------------------------------------------------------------------

SIDES: tuple[Side, Side] = ("heroes", "traitor")
OTHERWISE = " (otherwise)"
OTHER_CARD = Card(id="otherwise", deck="item", title="Other Card", text="It is another.")
ALOUD = ("story", "right-now")
"""The parts of a book that some editions read to everybody."""


def rewritten(pack: Pack, haunt: str, side: Side, *, titles: bool, keep: Collection[str] | None = None) -> Pack:
    """The pack with another book for one side of a haunt: other words, goals, counters and deeds; what it does so far is the same.

    With `titles` its counters have other titles too, which show as soon as they move. These parts stay as they are: unless they are
    named, what the pack's edition reads aloud. Where tokens are secret one more is named.
    """
    if keep is None:
        keep = ALOUD if EDITIONS[pack.head.edition].haunt.reads_aloud else ()
    hides = not EDITIONS[pack.head.edition].secrets.tokens
    sheets = [
        _rewritten(one, side, titles=titles, keep=keep, hides_tokens=hides) if one.id == haunt else one
        for one in pack.haunts
    ]
    return msgspec.structs.replace(pack, haunts=sheets)


def _with_one_haunt(pack: Pack, haunt: str) -> Pack:
    """The pack without other haunts: they are not played, and to compile them takes long."""
    return msgspec.structs.replace(pack, haunts=[one for one in pack.haunts if one.id == haunt])


def _further(end: Value | None) -> Value | None:
    if isinstance(end, Number):
        return Number(players={players: number + 3 for players, number in (end.players or {}).items()})
    return None if end is None else end + 3


def _rewritten(sheet: Haunt, side: Side, *, titles: bool, keep: Collection[str], hides_tokens: bool) -> Haunt:
    replace = msgspec.structs.replace
    mine = set(kept_by(sheet, side))
    counters = {
        name: replace(one, title=one.title + OTHERWISE * titles, max=_further(one.max)) if name in mine else one
        for name, one in sheet.counters.items()
    }
    counters["otherwise"] = Counter(title="Otherwise", start=2, max=7)
    book = sheet.heroes if side == "heroes" else sheet.traitor_book
    assert book is not None
    step = Effect(count=CounterChange(counter="otherwise", by=1))
    told = Effect(tell=Tell(side=side, text="otherwise"))
    changed = replace(
        book,
        story=book.story + OTHERWISE * ("story" not in keep),
        goal=book.goal + OTHERWISE,
        because=book.because + OTHERWISE,
        ending=book.ending + OTHERWISE,
        right_now=[*[told] * ("right-now" not in keep), *book.right_now],
        actions=[Action(word="OTHERWISE", title="Do otherwise", do=[step])]
        + [
            one if f"{side}.actions.{one.word}" in keep else replace(one, title=one.title + OTHERWISE)
            for one in book.actions
        ],
        on=[*book.on, Trigger(when="turn-ended", for_="everyone", do=[told])],
        texts={**book.texts, "otherwise": "It is otherwise."},
        seek=[Seek(explore=True), *book.seek],
    )
    books = {"heroes": changed} if side == "heroes" else {"traitor_book": changed}
    return replace(sheet, counters=counters, items=[*sheet.items, *[OTHER_CARD] * hides_tokens], **books)


def kept_by(sheet: Haunt, side: str) -> list[str]:
    """Counters of which only one side reads."""
    others = {*named_in(sheet, "traitor" if side == "heroes" else "heroes"), *known_to_all(sheet)}
    return [name for name in named_in(sheet, side) if name not in others]


def books_tell_nothing(
    pack: Pack,
    haunt: str,
    side: Side,
    seed: int,
    *,
    seats: int = 4,
    titles: bool = False,
    edition: str = "",
    source: str = "seeded",
) -> int:
    """Two worlds in which one side reads another book: the other side, and who has none, see and find out the same until play shows it.

    What somebody had read out is in both books. Returns commits compared since the haunt began.
    """
    pack = _with_one_haunt(pack, haunt)
    rules = rules_for(pack, edition)
    keep = [*(ALOUD if rules.edition.haunt.reads_aloud else ()), *_read_out(rules, haunt, seed, seats, source)]
    packs = (pack, rewritten(pack, haunt, side, titles=titles, keep=keep))
    worlds = [open_table(rules_for(one, edition), seed, seats=seats, haunt=haunt, source=source) for one in packs]
    for world in worlds[1:]:
        world.name = worlds[0].name
    mine, compared = kept_by(pack.haunts[0], side) if titles else [], 0
    outsiders = principals(seats)[:-1]
    known = [{who: State() for who in outsiders} for _ in worlds]
    one = worlds[0]
    for actor, command in _with_demands(one, seed):
        told = [_do(world, actor, command) for world in worlds]
        if any(_tells_book(commit, mine) for commit in told):
            break
        for world, states in zip(worlds, known, strict=True):
            for who, state in states.items():
                fold(state, [redact(commit, who) for commit in world.commits[state.commit :]])
        outsiders = [who for who in outsiders if f"{side}.book" not in known[0][who].texts]
        for who in outsiders:
            raw = [msgspec.json.encode(redact(commit, who)) for commit in told]
            assert raw[0] == raw[1], f"{one.name}: {who} is told of the book of the {side} at commit {one.state.commit}"
            if one.state.haunt is not None and compared % 16 == 0:
                _finds_out_nothing(worlds, [states[who] for states in known], who)
        compared += one.state.haunt is not None
    _same_past(worlds, outsiders[-2:], len(one.commits) - 1)
    return compared


def _with_demands(game: Game, seed: int) -> Iterator[tuple[int, AnyCommand]]:
    """The next commands of a game, whoever does them: at random, and now and then somebody has a used part of a book read out."""
    lot, mind = random.Random(seed), random.Random(seed + 1)
    while game.state.status == "started":
        asked = [(seat, part) for seat in range(game.state.seats) for part in demandable(game.state, seat)]
        if asked and mind.random() < 0.2:
            seat, part = mind.choice(asked)
            yield seat, Demand(decision=PARTS, part=part)
            continue
        actor = awaited(game.state)
        yield actor, pick(lot, legal(game.rules, game.state, actor))


def _read_out(rules: Rules, haunt: str, seed: int, seats: int, source: str) -> list[str]:
    """The parts of both books that are read out by the end of this game."""
    if not rules.edition.secrets.boxes:
        return []
    game = open_table(rules, seed, seats=seats, haunt=haunt, source=source)
    for actor, command in _with_demands(game, seed):
        game.do(actor, command)
    return game.state.haunt.disclosed if game.state.haunt is not None else []


def nothing_is_read_before_the_traitor_is_settled(
    pack: Pack, haunt: str, seed: int, *, seats: int = 4, edition: str = "", source: str = "seeded"
) -> int:
    """Two worlds with other books of both sides, introductions and all: until something is read aloud they are alike to everybody.

    So nobody knows more than the others of what is to come while they are asked whether they will be the traitor, or come forward in
    the place of whoever declines. Returns how often somebody was asked.
    """
    other = pack = _with_one_haunt(pack, haunt)
    for side in SIDES:
        other = rewritten(other, haunt, side, titles=True, keep=())
    worlds = [
        open_table(rules_for(one, edition), seed, seats=seats, haunt=haunt, source=source) for one in (pack, other)
    ]
    worlds[1].name = worlds[0].name
    one, asked = worlds[0], 0
    lot = random.Random(seed)
    everybody = principals(seats)[:-1]
    while one.state.status == "started":
        actor = awaited(one.state)
        told = [
            _do(world, actor, command)
            for command in [pick(lot, legal(one.rules, one.state, actor))]
            for world in worlds
        ]
        if any(isinstance(each.event, TextTold | GameEnded) for commit in told for each in commit):
            break
        for who in everybody:
            raw = [msgspec.json.encode(redact(commit, who)) for commit in told]
            assert raw[0] == raw[1], f"{one.name}: {who} is told of a book too early, at commit {one.state.commit}"
        if any(decision.about in ("traitor", "volunteer", "volunteers") for decision in one.state.open.values()):
            asked += 1
            for who in everybody:
                states = [fold(State(), [redact(commit, who) for commit in world.commits]) for world in worlds]
                _finds_out_nothing(worlds, states, who)
    return asked


def _tells_book(commit: list[Told], mine: list[str]) -> bool:
    """Whether play has shown what the book says: one of these counters has moved, or the game is over."""
    return any(
        isinstance(told.event, GameEnded) or (isinstance(told.event, CounterMoved) and told.event.counter in mine)
        for told in commit
    )


def _finds_out_nothing(worlds: list[Game], states: list[State], who: Mask) -> None:
    """Whatever a role can look at or try, the worlds give the same. A board is drawn from the view alone: `_retold` draws two."""
    found = [_looked_at(world, state, who) for world, state in zip(worlds, states, strict=True)]
    for what, mine in found[0].items():
        assert mine == found[1][what], f"{worlds[0].name}: {who} can tell the books apart by its {what}"


def _looked_at(world: Game, state: State, who: Mask) -> dict[str, bytes]:
    rules = world.rules
    view, book = view_of(rules, state, who), book_of(rules, state, who)
    pages = [] if book is None else list(sections(book))
    looked = {
        "state": encode(state),
        "view": encode(view),
        "decisions": encode(decisions_of(rules, state, who, hints=True)),
        "brief": encode(brief_of(view, decisions_of(rules, state, who, whole=True))),
        "book": encode(book),
        "book's pages": as_markdown(pages).encode() + as_html("Book", pages).encode(),
        "picture": house_as_text(rules, state).encode(),
        "disputes": encode([dispute_view(state, one) for one in disputes(state)]),
        "amended": encode([amended(Asking(rules.of(state), state), one) for one in disputes(state)]),
        "precedents": encode([precedent_view(state, one) for one in precedents(state)]),
    }
    if who == SPECTATORS:
        looked["post"] = status_post(rules, state, "markdown", []).encode()
    targets: list[Figure] = [*list(state.monsters)[-2:], len(state.explorers) - 1]
    for target in targets:
        looked[f"odds against {target}"] = _odds(rules, state, AttackAsked(attacker=state.first_seat(), target=target))
        looked[f"odds of {target}"] = _odds(rules, state, TraitAsked(who=target, trait="might"))
    if who == SPECTATORS:
        return looked
    seat = who.bit_length() - 1
    tries: list[AnyCommand] = legal(rules, state, seat)[:40]
    tries += [
        Act(decision=f"turn-{state.turn.number}", source=f"haunt:{side}", word=word)
        for side in ("heroes", "traitor")
        for word in ("OTHERWISE", "NONE")
    ]
    for number, command in enumerate(tries):
        looked[f"try of {command}, {number}"] = encode(_tried(world, state, seat, command))
    return looked


def _odds(rules: Rules, state: State, asked: AnyAsked) -> bytes:
    try:
        return encode(odds(rules, copy_of(state), asked))
    except misfit.Unfit as fault:
        return f"{fault.pointer} {fault.detail}".encode()


def _tried(world: Game, state: State, seat: int, command: AnyCommand) -> object:
    found: list[object] = []
    try:
        found.append(dry_run(world.rules, copy_of(state), seat, command))
    except Refused as refusal:
        found.append((refusal.rule, refusal.problem, refusal.detail))
    try:
        decide(world.rules, copy_of(world.state), seat, command, Stopping())
    except Refused as refusal:
        found.append((refusal.rule, refusal.problem, refusal.detail))
    return found


class Stopping:
    """Chance that answers nothing."""

    def ask(self, _request: Request) -> Answer | None:
        return None


# -- boxes ------------------------------------------------------------------------------------------------------------------------


def reboxed(pack: Pack, haunt: str) -> Pack:
    """The pack with other boxes of a haunt's monsters: other numbers of the same traits, another death, another text."""
    sheets = [
        msgspec.structs.replace(one, monsters={kind: _reboxed(each) for kind, each in one.monsters.items()})
        if one.id == haunt
        else one
        for one in pack.haunts
    ]
    return msgspec.structs.replace(pack, haunts=sheets)


def _reboxed(monster: Monster) -> Monster:
    numbers = {trait: _more(value) for trait, value in monster.traits.items()}
    return msgspec.structs.replace(
        monster,
        dies=not monster.dies,
        text=monster.text + OTHERWISE,
        actions=[Action(word="OTHERWISE", do=[Effect(stun=Monsters(kind="any"))]), *monster.actions],
        **numbers,
    )


def _more(value: Value) -> Value:
    further = _further(value)
    assert further is not None
    return further


def boxes_tell_nothing(
    pack: Pack, haunt: str, seed: int, *, seats: int = 4, edition: str = "", source: str = "seeded"
) -> int:
    """Two worlds in which a haunt's monsters have other boxes: who has not read them sees and finds out the same until play shows it.

    Returns commits compared while a monster was in the house.
    """
    pack = _with_one_haunt(pack, haunt)
    packs = (pack, reboxed(pack, haunt))
    worlds = [open_table(rules_for(one, edition), seed, seats=seats, haunt=haunt, source=source) for one in packs]
    worlds[1].name = worlds[0].name
    lot, compared = random.Random(seed), 0
    known = [{who: State() for who in principals(seats)[:-1]} for _ in worlds]
    one = worlds[0]
    while one.state.status == "started":
        actor = awaited(one.state)
        lists = [legal(world.rules, world.state, actor) for world in worlds]
        traitor = one.state.haunt is not None and one.state.haunt.traitor == actor
        assert traitor or lists[0] == lists[1], f"{one.name}: seat {actor} may do something else in the other world"
        command = pick(lot, [each for each in lists[0] if each in lists[1]])
        told = [_do(world, actor, command) for world in worlds]
        if any(_tells_box(commit) for commit in told):
            break
        for world, states in zip(worlds, known, strict=True):
            for who, state in states.items():
                fold(state, [redact(commit, who) for commit in world.commits[state.commit :]])
        for who in [who for who, state in known[0].items() if "traitor.book" not in state.texts]:
            raw = [msgspec.json.encode(redact(commit, who)) for commit in told]
            assert raw[0] == raw[1], f"{one.name}: {who} can tell the boxes apart at commit {one.state.commit}: {raw}"
            if one.state.monsters and compared % 8 == 0:
                _finds_out_nothing(worlds, [states[who] for states in known], who)
        compared += bool(one.state.monsters)
    _same_past(worlds, [SPECTATORS], len(one.commits) - 1)
    return compared


def _tells_box(commit: list[Told]) -> bool:
    """Whether a monster's dice were rolled or are awaited, or it came to harm: play shows then what its box says."""
    return any(
        isinstance(told.event, MonsterKilled | MonsterStunned | GameEnded)
        or (isinstance(told.event, PartUsed) and kind_of_box(told.event.part))
        or (isinstance(told.event, DiceRolled) and is_monster(told.event.who))
        or (isinstance(told.event, DecisionOpened) and is_monster(told.event.decision.who))
        for told in commit
    )


# -- whatever there is ------------------------------------------------------------------------------------------------------------


SOURCES = ("seeded", "moderator", "table")
"""Who rolls: the service, a moderator, or whoever is at the table."""


def check_game(rules: Rules, pack: Pack, seed: int, *, seats: int, haunt: str = "") -> int:
    """Whatever this haunt of a pack keeps secret, which is played by these rules, tells nobody anything; returns commits compared."""
    source = SOURCES[random.Random(seed).randrange(len(SOURCES))]
    compared = private_looks_tell_nothing(rules, seed, seats=seats, haunt=haunt, source=source)
    edition = rules.edition.id
    sheet = next((one for one in pack.haunts if one.id == haunt), None)
    if sheet is None:
        return compared
    if sheet.kind == "hidden-traitor":
        compared += hidden_roles_tell_nothing(rules, seed, haunt, seats=seats, source=source)
    if not sheet.one_book:
        compared += books_tell_nothing(pack, haunt, SIDES[seed % 2], seed, seats=seats, edition=edition, source=source)
        if rules.edition.haunt.reads_aloud:
            compared += nothing_is_read_before_the_traitor_is_settled(
                pack, haunt, seed, seats=seats, edition=edition, source=source
            )
        if rules.edition.secrets.boxes and sheet.monsters:
            compared += boxes_tell_nothing(pack, haunt, seed, seats=seats, edition=edition, source=source)
    return compared
