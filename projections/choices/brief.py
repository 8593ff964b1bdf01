"""The brief: a role's situation and numbered options in a text that is short at any point of any game, for language models.

Made of the role's own view and decisions, so it tells nothing else. `tokens_at_most` bounds its length without anybody's tokenizer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from content.patterns import displayable
from domain.facts.commands import AnyCommand, Trade
from projections.choices.decisions import Decisions
from projections.choices.families import Division, Faces, Field, OneOf, Places, Subset
from projections.naming.names import closed, counted, enumerated, readable
from projections.shapes import Id, Number, Shape, Title
from projections.view.game import GameView, Role, Status
from projections.view.haunts import HauntView
from projections.view.people import ExplorerView, MonsterView
from projections.view.rooms import RoomView
from projections.view.waiting import who_is_awaited

SHOWN: dict[str, tuple[str, ...]] = {}
"""Nothing of a state is read here."""

BUDGET = 1_200
"""Tokens that no page of a brief exceeds."""
SITUATION = 560
"""Of these, tokens for the situation, and whatever the options leave; the least important is left out first."""
FRAME = 60
"""Tokens for what stands above and below the options."""
LEFT_OUT = 16
"""Tokens of the line that says how many are missing."""
LINE = 400
"""Tokens of an option; what is longer is cut, and whole in the JSON."""
GOAL = 130
"""Tokens of a side's goal; the book has it whole."""
SENTENCE = 60
"""Tokens of what is asked."""
PERSON = 150
"""Tokens of an explorer or monster with all its cards, and of a trade."""
CROWD = 240
"""Tokens of monsters that are alike, of tokens of one name, and of what lies on floors."""

_PIECE = re.compile(r"[A-Za-z]+| (?=[0-9])|[0-9]|\n+|[^\sA-Za-z0-9]")


def tokens_at_most(text: str) -> int:
    """More tokens than the tokenizers of language models make of a text: a bound, and no count.

    They split text into words, digits, and signs, and have the common words and stems of English whole. Here each four letters of a word count as
    one, a digit, the space before a number, which joins no digit, a sign, and line breaks in a row; any character beyond ASCII counts as its
    bytes, since no tokenizer makes more of it. English words have about 1.3 tokens; counted like this, they have 1.6.
    """
    return sum(_cost(piece) for piece in _PIECE.findall(text))


def _cost(piece: str) -> int:
    if piece[0].isascii():
        return -(-len(piece) // 4) if piece[0].isalpha() else 1
    return len(piece.encode())


SIDES = {"heroes": "hero", "traitor": "traitor"}
"""What an explorer is called by its side; any other side is its own."""


class NumberedOption(Shape, frozen=True, kw_only=True, omit_defaults=True):
    """Something that the role may do."""

    number: Annotated[int, Meta(ge=1, le=100_000)]
    """At this version; `{"type": "option", "number": 3}` does it."""
    label: Title
    command: AnyCommand
    """What it is, ready to be posted; with `fields`, one example of it."""
    fields: list[Field] = []
    """What has to be chosen beside the number: `{"type": "option", "number": 3, "with": {"points": {"might": 2}}}`."""


class Brief(Shape, frozen=True, kw_only=True):
    """The situation of a role and what it may do, in under 1,200 tokens."""

    game: Id
    version: Number
    """The number of the latest commit: what `If-Match` has to name to act by number."""
    role: Role
    status: Status
    asked: bool
    """Whether the role has something to answer. If not, it may still have options: to take back, or as a hidden traitor to reveal itself."""
    text: str
    """As the text/plain answer has it."""
    options: list[NumberedOption]
    """Those of this page."""
    page: Number
    pages: Number
    """More than one only if there are more options than fit."""


def options_of(decisions: Decisions) -> list[NumberedOption]:
    """All that the role may do, numbered from 1: the same at one version, whatever page is looked at.

    Args:
        decisions: the role's, listed `whole`.
    """
    found: list[tuple[str, AnyCommand, list[Field]]] = []
    for decision in decisions.yours:
        told = decision.count <= len(decision.commands)
        constrained = not told and decision.kind != "turn"  # its one family is all that it takes
        if not constrained:
            found += [(one.label, one.command, []) for one in decision.commands]
        if not told:
            single = [command for _, command, _ in found]
            families = [one for one in decision.families if one.count > 1 or one.example not in single]
            found += [(one.label, one.example, one.fields) for one in families]
    if decisions.take_back is not None:
        found.append((decisions.take_back.label, decisions.take_back.command, []))
    return [
        NumberedOption(number=number, label=label[:120], command=command, fields=fields)
        for number, (label, command, fields) in enumerate(found, 1)
    ]


class Misfit(ValueError):
    """What was given with an option's number does not make a command of it; the message says what would."""


def command_of(option: NumberedOption, chosen: dict[str, Any]) -> AnyCommand:
    """The command that an option is, with what was chosen for its fields. Raises `Misfit`."""
    names = [field.field for field in option.fields]
    if not names:
        if chosen:
            raise Misfit(f"Option {option.number} ({option.label}) takes nothing with its number.")
        return option.command
    strange = [name for name in chosen if name not in names]
    needs = "; ".join(_field(field) for field in option.fields)
    if strange or not chosen:
        raise Misfit(f"Option {option.number} ({option.label}) takes `with`: {needs}.")
    whole = {name: value for name, value in msgspec.to_builtins(option.command).items() if name not in names}
    try:
        made: AnyCommand = msgspec.convert(whole | chosen, type=AnyCommand)
    except msgspec.ValidationError as fault:
        raise Misfit(f"Option {option.number} ({option.label}) takes `with`: {needs}. {fault}") from None
    return made


def brief_of(view: GameView, decisions: Decisions, page: int = 1) -> Brief:
    """A page of the brief; behind the last page there are no options.

    Args:
        view: the role's.
        decisions: the role's as of the same commit, listed `whole`.
        page: counted from 1.
    """
    options = options_of(decisions)
    spare = BUDGET - FRAME - sum(_cost_of(option) for option in options)
    lines = list(_situation(view, decisions, max(SITUATION, spare)))
    pages = _pages(options, BUDGET - FRAME - tokens_at_most("\n".join(lines)))
    shown = pages[page - 1] if page <= len(pages) else []
    if shown:
        lines += ["", _above(decisions.version, shown, len(options)), *(_line(one) for one in shown)]
        if page < len(pages):
            lines.append(f"More: page {page + 1} of {len(pages)}.")
    elif options:
        lines += ["", f"There is no page {page}: the options are on {counted(len(pages), 'page')}."]
    else:
        lines += ["", "You have nothing to decide now."]
    return Brief(
        game=view.game,
        version=view.version,
        role=view.role,
        status=view.status,
        asked=decisions.asked,
        text="\n".join(lines) + "\n",
        options=shown,
        page=page,
        pages=len(pages),
    )


def _above(version: int, shown: Sequence[NumberedOption], count: int) -> str:
    if len(shown) == count:
        return f"Options at version {version}:"
    return f"Options {shown[0].number} to {shown[-1].number} of {count} at version {version}:"


def _pages(options: Sequence[NumberedOption], room: int) -> list[list[NumberedOption]]:
    """The options on pages of so many tokens, each with one at least."""
    pages: list[list[NumberedOption]] = [[]]
    left = room
    for option in options:
        cost = _cost_of(option)
        if cost > left and pages[-1]:
            pages.append([])
            left = room
        pages[-1].append(option)
        left -= cost
    return pages


def _cost_of(option: NumberedOption) -> int:
    return tokens_at_most(_line(option)) + 1


def _line(option: NumberedOption) -> str:
    told = f"{option.number}. {_plain(option.label)}"
    if option.fields:
        if isinstance(option.command, Trade):
            told += f" with seat {option.command.partner}"
        told += f" [with {'; '.join(_field(field) for field in option.fields)}]"
    return _cut(told, LINE)


def _field(field: Field) -> str:
    """What a member may be, as one writes JSON."""
    match field:
        case OneOf():
            return f'"{field.field}": one of {_listed(field.values)}'
        case Division():
            least = f"{field.least} to " if field.least < field.total else ""
            caps = ", ".join(f"{trait} up to {cap}" for trait, cap in field.caps.items())
            return f'"{field.field}": points by trait, {least}{field.total} in all: {caps}'
        case Places():
            dice = ", ".join(f"{place}: {face}" for place, face in enumerate(field.of))
            return f'"{field.field}": a list of at most {field.most} of these places: {dice}'
        case Subset():
            return f'"{field.field}": a list of at least {field.least} of {_listed(field.of)}'
        case Faces():
            return f'"{field.field}": a list of {field.dice} numbers from {field.least} to {field.least + 2}'


def _listed(values: Sequence[object]) -> str:
    return ", ".join(map(str, values)) or "none"


# -- the situation ------------------------------------------------------------------------------------------------------


def _situation(view: GameView, decisions: Decisions, most: int) -> Iterator[str]:
    """The most important lines that fit into so many tokens, in the order of reading."""
    ranked = list(_lines(view, decisions))
    left = most - LEFT_OUT
    kept: list[str | None] = [None] * len(ranked)
    for at in sorted(range(len(ranked)), key=lambda at: ranked[at][0]):
        line = ranked[at][1]
        if (cost := tokens_at_most(line) + 1) <= left:
            kept[at] = line
            left -= cost
    yield from (line for line in kept if line is not None)
    if missing := kept.count(None):
        yield f"({counted(missing, 'line')} left out; the view has all.)"


def _lines(view: GameView, decisions: Decisions) -> Iterator[tuple[int, str]]:
    """Lines with their rank, 0 for what must be known."""
    yield 0, _headline(view)
    if view.status in ("finished", "abandoned"):
        won = f"{view.winner.replace(':', ' ')} won" if view.winner else "nobody won"
        yield 0, _cut(f"The game is over: {won}. {_plain(view.because)}".rstrip(), SENTENCE)
    for own in decisions.yours:
        turn = "You play the monsters now." if view.turn.monsters else "It is your turn."
        yield 0, turn if own.kind == "turn" else _cut(closed(f"You are asked: {_plain(own.text)}"), SENTENCE)
        if own.offer is not None:
            offer = own.offer
            told = f"The trade: you get {_cards(view, offer.gives)}; you give {_cards(view, offer.wants)}."
            yield 0, _cut(told, PERSON)
    yield from _cards_asked_about(view, decisions)
    mine = {own.id for own in decisions.yours}
    for one in view.waiting:
        if one.decision not in mine:
            who = who_is_awaited(one, lambda seat: _called(view, seat))
            yield 1, _cut(closed(f"Waiting for {who}: {_plain(one.text)}"), SENTENCE)
    if view.haunt is not None:
        yield from _haunt(view.haunt, view)
    for explorer in view.explorers:
        yield (0 if explorer.seat == view.you else 3), _cut(_explorer(view, explorer), PERSON)
    for monsters in _monsters(view):
        yield 4, monsters
    yield from _room(view)
    yield from _tokens(view)
    if view.piles:
        piles = (f"{_cards(view, pile.cards)} in {_title(view, pile.room)}" for pile in view.piles)
        yield 6, _cut(f"On the floor: {'; '.join(piles)}", CROWD)
    yield from _map(view)


def _cards_asked_about(view: GameView, decisions: Decisions) -> Iterator[tuple[int, str]]:
    """What cards do that a question names."""
    asked = " ".join(own.text for own in decisions.yours if own.kind != "turn")
    for card in view.cards.values():
        if card.rules and re.search(rf"\b{re.escape(card.title)}(?!\w)", asked):
            yield 2, _cut(f"{_plain(card.title)}: {_plain(' '.join(card.rules))}", GOAL)


def _headline(view: GameView) -> str:
    you = "the referee" if view.role == "referee" else "a spectator"
    if view.you is not None:
        you = _called(view, view.you)
    if not view.explorers:
        return f"The game has not started. You are {you}."
    turn = view.turn
    whose = "the hidden traitor" if turn.seat is None else _called(view, turn.seat)
    if turn.monsters:
        whose = f"the monsters, played by {whose}"
    omens = counted(view.omens_drawn, "omen")
    return f"Turn {turn.number} ({whose}). {omens} drawn. You are {you}."


def _haunt(haunt: HauntView, view: GameView) -> Iterator[tuple[int, str]]:
    traitor = "" if haunt.traitor is None else f"; the traitor is {_called(view, haunt.traitor)}"
    if haunt.hidden:
        traitor += "; a traitor is hidden"
    yield 0, f"Haunt {haunt.number}, {_plain(haunt.title)}, round {haunt.round}{traitor}."
    for book in haunt.books:
        yield 1, _cut(f"Goal of the {book.side or 'explorers'}: {_plain(book.goal)}", GOAL)
    for counter in haunt.counters:
        most = "" if counter.max is None else f" of {counter.max}"
        yield 2, f"{_plain(counter.title)}: {counter.value}{most}"


def _explorer(view: GameView, explorer: ExplorerView) -> str:
    who = f"{_called(view, explorer.seat)}{' (you)' if explorer.seat == view.you else ''}"
    if explorer.revealed and explorer.side == "traitor":
        who += " (traitor)"
    elif explorer.seat == view.you and explorer.side:
        who += f" ({SIDES.get(explorer.side, 'against everybody')})"
    where = _title(view, explorer.room)
    if not explorer.alive:
        gone = "escaped" if explorer.escaped else "out of the house" if explorer.removed else f"dead in {where}"
        return f"{who}: {gone}{_carried(view, explorer.cards)}"
    traits = explorer.traits
    told = ", ".join(
        f"{readable(name)} {value.value}{' (lowest)' if value.critical else ''}"
        for name, value in msgspec.structs.asdict(traits).items()
    )
    held = "" if explorer.held is None else f"; held: {explorer.held.trait} {explorer.held.at_least}+ frees"
    left = ""
    if explorer.seat == view.turn.seat and not view.turn.monsters and view.turn.acting:
        left = f"; {counted(view.turn.spaces_left, 'space')} left"
    return f"{who}: {where} ({explorer.floor}); {told}{left}{held}{_carried(view, explorer.cards)}"


def _monsters(view: GameView) -> Iterator[str]:
    """A line for each monster, and one for all that differ in number, place and state alone."""
    alike: dict[tuple[str, str], list[MonsterView]] = {}
    for monster in view.monsters:
        traits = ", ".join(f"{readable(trait)} {number}" for trait, number in monster.traits.items())
        title = _plain(monster.title)
        alike.setdefault((title if monster.cards else title.rstrip(" 0123456789"), traits), []).append(monster)
    for (title, traits), found in alike.items():
        if len(found) == 1:
            told = f"{_plain(found[0].title)}: {_state(view, found[0])}{f'; {traits}' if traits else ''}"
            yield _cut(told + _carried(view, found[0].cards), PERSON)
        else:
            each = (f"{_plain(one.title).removeprefix(title).strip()} in {_state(view, one)}" for one in found)
            yield _cut(f"{title}{f' ({traits})' if traits else ''}: {', '.join(each)}", CROWD)


def _state(view: GameView, monster: MonsterView) -> str:
    where = _title(view, monster.room) if monster.room else "a place that you don't know"
    return f"{where} (stunned)" if monster.stunned else where


def _tokens(view: GameView) -> Iterator[tuple[int, str]]:
    """Where tokens of each name are; those of the haunt matter more."""
    places: dict[tuple[bool, str], list[str]] = {}
    for token in view.tokens:
        many = f" ({token.count})" if token.count > 1 else ""
        places.setdefault((token.of_haunt, _plain(token.title)), []).append(f"{_title(view, token.room)}{many}")
    for (of_haunt, title), rooms in places.items():
        yield (4 if of_haunt else 7), _cut(f"Token {title}: {', '.join(rooms)}", CROWD)


def _room(view: GameView) -> Iterator[tuple[int, str]]:
    """Where the role's explorer stands: what the room does, and where its ways lead."""
    own = next((one for one in view.explorers if one.seat == view.you and one.alive), None)
    room = None if own is None else next((one for one in view.rooms if one.id == own.room), None)
    if room is None:
        return
    if room.text:
        yield 2, _cut(f"{_plain(room.title)}: {_plain(room.text)}", SENTENCE * 2)
    if told := _ways(view, room):
        yield 3, f"From here: {told}"


def _ways(view: GameView, room: RoomView) -> str:
    ways = [_title(view, to) for to in _next(room)]
    doors = msgspec.structs.asdict(room.doors)
    unknown = [side for side, behind in doors.items() if behind == "free" and room.floor in view.open_floors]
    told = [f"ways to {enumerated(ways)}"] if ways else []
    told += [f"unexplored doors {enumerated(unknown)}"] if unknown else []
    return "; ".join(told)


def _next(room: RoomView) -> list[str]:
    return list(dict.fromkeys(way.to for way in room.ways if not way.monsters_only))


def _map(view: GameView) -> Iterator[tuple[int, str]]:
    """All other rooms, the nearest first."""
    rooms = {room.id: room for room in view.rooms}
    here = next((one.room for one in view.explorers if one.seat == view.you and one.alive), "")
    near = [here] if here in rooms else []
    for at in near:  # which grows
        near += [to for to in _next(rooms[at]) if to in rooms and to not in near]
    for room in dict.fromkeys([*near, *rooms]):
        told = _ways(view, rooms[room])
        if told and room != here:
            yield 8, f"{_title(view, room)} ({rooms[room].floor}): {told}"


def _carried(view: GameView, cards: Sequence[str]) -> str:
    return f"; carries {_cards(view, cards)}" if cards else ""


def _cards(view: GameView, cards: Sequence[str]) -> str:
    known = view.cards
    return ", ".join(_plain(known[card].title) if card in known else readable(card) for card in cards) or "nothing"


def _called(view: GameView, seat: int) -> str:
    title = next((one.title for one in view.explorers if one.seat == seat), "")
    return f"{_plain(title)}, seat {seat}" if title else f"seat {seat}"


def _title(view: GameView, room: str) -> str:
    return next((_plain(one.title) for one in view.rooms if one.id == room), readable(room))


def _plain(text: str) -> str:
    """A text on one line, without signs that would steer a terminal."""
    return " ".join(displayable(text).split())


def _cut(text: str, most: int) -> str:
    """As many words of a text as have so many tokens, with an ellipsis where some are missing."""
    if tokens_at_most(text) <= most:
        return text
    kept: list[str] = []
    left = most - 3
    for word in text.split(" "):
        left -= tokens_at_most(f" {word}")
        if left < 0:
            break
        kept.append(word)
    return " ".join([*kept, "…"])


__all__ = ["BUDGET", "Brief", "Misfit", "NumberedOption", "brief_of", "command_of", "options_of", "tokens_at_most"]
