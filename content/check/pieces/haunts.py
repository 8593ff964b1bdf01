"""Haunts: the books that the kind calls for, a way to win for either side, what a haunt forbids and keeps secret, its figures."""

from collections.abc import Iterator

from content.errors import Finding, did_you_mean, listed
from content.survey import Spot, Survey, walk
from content.vocabulary.base import Side
from content.vocabulary.effects import Effect
from content.vocabulary.haunts import Kind
from content.vocabulary.pack import (
    Action,
    Bar,
    Card,
    Chart,
    Haunt,
    PackHead,
    Scenario,
    Seek,
    Standing,
    Stealing,
    Tile,
    TokenKind,
)
from content.vocabulary.values import Each, SecretIs

FIELDS: dict[Side, str] = {"heroes": "heroes", "traitor": "traitor-book"}
"""By the side that it is written for: the field of a book."""
BOOKS: dict[Kind, frozenset[Side]] = {
    "one-traitor": frozenset({"heroes", "traitor"}),
    "no-traitor": frozenset({"heroes"}),
    "hidden-traitor": frozenset({"heroes"}),
    "free-for-all": frozenset({"traitor"}),
}
"""By the haunt's kind: whose books there are."""

RESERVED = "external"
"""What a game's options call a haunt from the players' own books."""


def names(survey: Survey) -> Iterator[Finding]:
    """No haunt has the name by which a game asks for one from the players' own books."""
    for spot in survey.of(Haunt):
        if spot.value.id == RESERVED:
            yield Finding(spot.at("id"), f"`{RESERVED}` is the name for haunts from people's own books")


def books(survey: Survey) -> Iterator[Finding]:
    """One traitor reads a book of their own; a hidden one, or none, leaves everybody with one book (2E-HID-004, 3E-HTYPE-009)."""
    for spot in survey.of(Haunt):
        haunt = spot.value
        needed = BOOKS[haunt.kind]
        for side, field in FIELDS.items():
            if side in needed and side not in haunt.books:
                what = "a free-for-all" if haunt.kind == "free-for-all" else "a haunt with a traitor"
                yield Finding(
                    spot.trail, f"{what} lacks `{field}`" if side == "traitor" else f"the haunt lacks `{field}`"
                )
            if side in haunt.books and side not in needed:
                yield Finding(spot.at(field), f"nobody reads this: the kind is `{haunt.kind}`", key=True)
        if haunt.traitor_first and len(haunt.books) < len(FIELDS):
            missing = next(field for side, field in FIELDS.items() if side not in haunt.books)
            yield Finding(spot.at("traitor-first"), f"there is no `{missing}`", key=True)
        if haunt.kind in {"no-traitor", "free-for-all"} and haunt.traitor is not None:
            yield Finding(spot.at("traitor"), f"the kind is `{haunt.kind}`", key=True)
        if haunt.kind == "hidden-traitor" and haunt.traitor is not None and not haunt.traitor.hidden:
            message = "nobody becomes the traitor by this: a hidden one is dealt by chance"
            yield Finding(spot.at("traitor"), message, "leave it out, or write `kind: one-traitor`", key=True)


def stories(survey: Survey) -> Iterator[Finding]:
    """A haunt's own story is read where a chart of rooms leads to it; where scenarios do, those of its books are read aloud (3E-START-004)."""
    charts = survey.of(Chart)
    aloud = bool(survey.of(Scenario)) and bool(charts) and not any(spot.value.cells for spot in charts)
    for spot in survey.of(Haunt):
        if aloud and spot.value.story:
            message = "nobody reads this: the stories of the books are read aloud"
            yield Finding(spot.at("story"), message, "move it into the book that is read first", severity="warning")
        if not aloud and not spot.value.story:
            yield Finding(spot.trail, "a haunt needs a `story`, which is read to everybody")


def revealing(survey: Survey) -> Iterator[Finding]:
    """Only a hidden traitor is revealed (2E-HID-005)."""
    hidden = {spot.trail for spot in survey.of(Haunt) if spot.value.kind == "hidden-traitor"}
    for haunt in survey.of(Haunt):
        if haunt.value.revealed and haunt.trail not in hidden:
            yield Finding(haunt.at("revealed"), f"nobody is hidden: the kind is `{haunt.value.kind}`", key=True)
        saying = {
            "reveal-if": haunt.value.reveal_if is not None,
            "truce": haunt.value.truce,
            "revealer-runs": haunt.value.revealer_runs,
        }
        for field, said in saying.items():
            if said and haunt.trail not in hidden:
                yield Finding(haunt.at(field), f"nobody is hidden: the kind is `{haunt.value.kind}`", key=True)
        if haunt.value.revealer_runs and not haunt.value.monsters:
            yield Finding(haunt.at("revealer-runs"), "the haunt has no `monsters`", key=True)
    for effect in survey.of(Effect):
        home = effect.inside(Haunt)
        if effect.value.reveal is not None and home is not None and home.trail not in hidden:
            yield Finding(effect.at("reveal"), f"nobody is hidden: the kind is `{home.value.kind}`", key=True)


def winnable(survey: Survey) -> Iterator[Finding]:
    """Either side can win: by the condition in its book, or by a `win` that something leads to (2E-WIN-001)."""
    for spot in survey.of(Haunt):
        haunt = spot.value
        winners: set[str] = {effect.win.side for effect in _reached(spot) if effect.win is not None}
        winners |= {side for side, book in haunt.books.items() if book.wins_when is not None}
        if any(book.loses_when is not None for book in haunt.books.values()) or "you" in winners:
            winners.add("traitor")
        sides: tuple[Side, ...] = ("traitor",) if haunt.kind == "free-for-all" else ("heroes", "traitor")
        for side in sides:
            if side not in winners:
                message = f"the side `{side}` cannot win: it has neither `wins-when` nor a step that says `win`"
                yield Finding(spot.trail, message)


def endings(survey: Survey) -> Iterator[Finding]:
    """A side that wins by a condition says in a sentence what that was."""
    for spot in survey.of(Haunt):
        for side, book in spot.value.books.items():
            field = FIELDS[side]
            if book.wins_when is not None and not book.because.strip():
                yield Finding(spot.at(field, "wins-when"), "`wins-when` needs `because` beside it", key=True)
            if book.loses_when is not None and not book.because_lost.strip():
                yield Finding(spot.at(field, "loses-when"), "`loses-when` needs `because-lost` beside it", key=True)
            if book.loses_when is not None and not spot.value.one_book:
                hint = "write what the other side wins by into its own book"
                yield Finding(
                    spot.at(field, "loses-when"), "only a book that everybody reads says this", hint, key=True
                )
            if book.ending_lost and spot.value.kind != "hidden-traitor":
                message = f"nobody reads this: the kind is `{spot.value.kind}`"
                yield Finding(spot.at(field, "ending-lost"), message, key=True)


def one_track(survey: Survey) -> Iterator[Finding]:
    """The box has one Turn/Damage track: a single counter of a haunt is kept on it (2E-COMP-011)."""
    for spot in survey.of(Haunt):
        tracked = [name for name, counter in spot.value.counters.items() if counter.track]
        for name in tracked[1:]:
            yield Finding(spot.at("counters", name, "track"), f"the track is in use for `{tracked[0]}`", key=True)
        for name in tracked:
            if spot.value.counters[name].each is not None:
                message = "one track cannot hold a number for each explorer"
                yield Finding(spot.at("counters", name, "track"), message, "leave `track` or `each` out", key=True)


def own_counts(survey: Survey) -> Iterator[Finding]:
    """Who has most is asked of a counter that each explorer has: of one that all share everybody has as much."""
    for spot in survey.of(Each):
        haunt, name = spot.inside(Haunt), spot.value.most
        counter = haunt.value.counters.get(name) if haunt is not None and name is not None else None
        if counter is not None and counter.each is None:
            message = f"all have as much of `{name}`, which is one counter for all"
            yield Finding(spot.at("most"), message, "give the counter `each: explorer`")


def playing_on(survey: Survey) -> Iterator[Finding]:
    """The book that the traitor reads says what monsters need after the traitor's death (2E-HTURN-005)."""
    for spot in survey.of(Haunt):
        shared = spot.value.books.get("traitor")
        if spot.value.kind == "free-for-all" and shared is not None and shared.plays_on is not None:
            yield Finding(spot.at("traitor-book", "plays-on"), "there is no traitor who could die", key=True)
        heroes = spot.value.heroes
        if heroes is None or heroes.plays_on is None or spot.value.kind == "hidden-traitor":
            continue
        read = spot.value.kind == "one-traitor"
        message = "this belongs to `traitor-book`" if read else "there is no traitor who could die"
        yield Finding(spot.at("heroes", "plays-on"), message, key=True)


def played_on(survey: Survey) -> Iterator[Finding]:
    """After the traitor's death nothing goes on that needs the traitor alive (2E-HTURN-005)."""
    for spot in survey.of(Haunt):
        book = spot.value.traitor_book
        asks = book.plays_on if book is not None else None
        for part in [asks, *(asks.all or ())] if asks is not None else []:
            if part.not_ is not None and part.not_.dead == "traitor":
                message = "this never holds: it is asked after the traitor's death only"
                yield Finding(spot.at("traitor-book", "plays-on"), message, "ask for monsters that are left", key=True)


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


def bars(survey: Survey) -> Iterator[Finding]:
    """What a haunt bars is permitted by something: the piece offers the action, or any, or an attack (2E-PREC-003)."""
    permitted = _permitted(survey)
    for spot in survey.of(Bar):
        bar = spot.value
        for what, name in (("card", bar.card), ("kind", bar.kind), ("tile", bar.tile), ("token", bar.token)):
            words = permitted.get((what, name or ""), set() if what == "kind" else None)
            if name is None or words is None:
                continue  # what doesn't exist is told by another check
            if not words:
                yield Finding(spot.at(what), f"the {what} `{name}` permits nothing that could be barred")
            elif bar.word is not None and bar.word not in words:
                hint = did_you_mean(bar.word, sorted(words - {ATTACKING}))
                yield Finding(spot.at("word"), f"the {what} `{name}` has no action `{bar.word}`", hint)


def stealing(survey: Survey) -> Iterator[Finding]:
    """What a haunt says about stealing one card is not said where nothing is stolen, and no card is had for nothing (2E-STEAL-004)."""
    for spot in survey.of(Stealing):
        for card, damage in spot.value.cards.items():
            if spot.value.barred:
                yield Finding(spot.at("cards", card), "nobody steals in this haunt: it is `barred`", key=True)
            elif damage < 1:
                yield Finding(spot.at("cards", card), f"the damage is {damage}: it has to be at least 1")


ATTACKING = ""
"""Stands among the words of actions for attacking with a card."""


def _permitted(survey: Survey) -> dict[tuple[str, str], set[str]]:
    """Return the words of all that a card, kind of cards, tile or token lets somebody do."""
    found: dict[tuple[str, str], set[str]] = {}
    for tile in survey.of(Tile):
        found["tile", tile.value.id] = {action.word for action in (*tile.value.actions, *tile.value.unplaced)}
    for token in survey.of(TokenKind):
        found["token", token.value.id] = {action.word for action in token.value.actions}
    for card in survey.of(Card):
        words = {action.word for action in card.value.actions}
        if card.value.attack is not None:
            words.add(ATTACKING)
        found["card", card.value.id] = words
        for kind in card.value.kinds:
            found.setdefault(("kind", kind), set()).update(words)
    return found


def secrets(survey: Survey) -> Iterator[Finding]:
    """Players must know what they may do and what always holds for them: a secret decides only in steps."""
    for spot in survey.of(SecretIs):
        if spot.inside(Effect) is None and spot.inside(Action, Standing, Seek) is not None:
            yield Finding(spot.trail, "a secret can only be asked about in a step", "ask in an `if` under `do`")


FAIR = range(25, 76)
"""Of 100 games, how many either side may win of a haunt that is called playtested."""


def playtested(survey: Survey) -> Iterator[Finding]:
    """A haunt that was playtested says how often the heroes won, with each number of players; each side won 25 % at the least."""
    counts = [str(count) for head in survey.of(PackHead) for count in head.value.players]
    for spot in survey.of(Haunt):
        told = spot.value.playtest
        if told is None and spot.value.stage != "draft":
            hint = "run `omenlog content playtest --record`"
            yield Finding(spot.at("stage"), f"`{spot.value.stage}` needs the figures of a `playtest`", hint)
        if told is None:
            continue
        alone = spot.value.kind == "free-for-all"
        shares = "winners" if alone else "heroes"
        if told.heroes if alone else told.winners:
            wrong = "heroes" if alone else "winners"
            message = f"the kind is `{spot.value.kind}`"
            yield Finding(spot.at("playtest", wrong), message, f"write `{shares}`", key=True)
            continue
        for field, table in ((shares, told.winners if alone else told.heroes), ("rounds", told.rounds)):
            if list(table) != counts:
                message = f"the pack is for {listed(counts)} players, the figures are for {listed(table)}"
                yield Finding(spot.at("playtest", field), message)
        if spot.value.stage == "draft":
            continue
        for count, share in told.heroes.items():
            if share not in FAIR:
                message = f"with {count} players the heroes win {share} of 100 games: not between 25 and 75"
                yield Finding(spot.at("playtest", "heroes", count), message)
        for count, wins in told.winners.items():
            yield from _even(spot, count, wins)


def _even(haunt: Spot[Haunt], count: str, wins: list[int]) -> Iterator[Finding]:
    """In a free-for-all each wins between half and double its equal share, wherever it sits."""
    if len(wins) != int(count):
        message = f"with {count} players there are {count} places, the figures are for {len(wins)}"
        yield Finding(haunt.at("playtest", "winners", count), message)
        return
    least, most = -(-50 // len(wins)), 200 // len(wins)
    for place, share in enumerate(wins):
        if share not in range(least, most + 1):
            message = (
                f"with {count} players place {place + 1} wins {share} of 100 games: not between {least} and {most}"
            )
            yield Finding(haunt.at("playtest", "winners", count, place), message)


def _reached(haunt: Spot[Haunt]) -> Iterator[Effect]:
    """Return every step of a haunt that something leads to: all outside of blocks, and the blocks they run."""
    steps = [spot for spot in walk(haunt) if isinstance(spot.value, Effect)]
    blocks: dict[str, list[Effect]] = {}
    waiting: list[Effect] = []
    for spot in steps:
        block = spot.trail[3] if spot.trail[2] == "blocks" else None
        (waiting if block is None else blocks.setdefault(str(block), [])).append(spot.value)
    while waiting:
        step = waiting.pop()
        yield step
        waiting += blocks.pop(step.run or "", [])
