"""Side streams: what some at the table tell each other, and what a player leaves to be done, beside the log.

A message is an entry of the stream of exactly those who were told, resolved when it is posted and never evaluated again. What is said to the whole
table everybody at it says and hears; spectators and the host hear it as late as they see the game, and say nothing: whoever watches would
otherwise have a way into the game.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

import msgspec

from content.patterns import TALK, whole
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.refusal import Refused
from domain.facts.state import State
from domain.rulebook.turn.standing_orders import Orders
from projections.naming.names import enumerated
from service.games.horizon import Horizon
from service.games.orders import ORDERS, LeaveOrders, encode, unfit_steps
from service.games.play.submit import Play
from service.games.tables import Hints, LiveGame, Tables
from service.games.talk import (
    KEY,
    MESSAGE,
    TEXT,
    Entry,
    Message,
    changed,
    entry_in,
    message,
    messages_in,
    read_messages,
    written,
)
from service.identity import Caller, scoped_key
from service.log.facts import SaltedText, salted_digest
from service.log.requests import Body
from service.outside import Outside
from service.problems import ProblemError, forbidden
from service.store.port import RecordChanges

MOST = 2000
"""Messages in one stream."""
WRITERS = ("seat", "referee")

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=4000, pattern=whole(TALK))]
To = Annotated[str, msgspec.Meta(pattern=whole(r"^(table|heroes|traitor|referee|seat:[0-5])$"))]


class PostMessage(Body, frozen=True, kw_only=True):
    """A message to the table, to one's own side, or to or from the referee."""

    to: To
    """`table`: everybody; `heroes` or `traitor`: everybody on that side, of which the sender is one (or the referee); `referee`; or, from the
    referee, `seat:1`."""
    text: Words


class Posted(msgspec.Struct, frozen=True):
    """What came of posting a message."""

    message: Message
    replayed: bool = False
    """It was there already: this is a retry."""


class Messages(msgspec.Struct, frozen=True, kw_only=True):
    """The caller's messages, oldest first."""

    messages: list[Message]
    to: list[To]
    """To whom the caller may write now; empty for spectators and the host. Sides come and go with the haunt: read it again as the game goes on."""


class Spent(msgspec.Struct, frozen=True):
    """What an idempotency key was used for; kept for ever, like those of commands."""

    place: str
    fingerprint: str
    """Digest of the request and of the key, which nobody keeps: so an erased text can't be found by trying texts."""


_spent = msgspec.json.Decoder(Spent).decode


class Side:
    """Messages and standing orders."""

    def __init__(self, tables: Tables, horizon: Horizon, play: Play, outside: Outside, due: Hints) -> None:
        self._tables = tables
        self._store = tables.store
        self._horizon = horizon
        self._outside = outside
        self._play = play
        self._due = due

    # -- messages -----------------------------------------------------------------------------------------------------

    async def post(self, caller: Caller, asked: PostMessage, *, key: str = "") -> Posted:
        """Tell a message to the table, to a side or to the referee.

        Raises `no-side`, `stream-full`, `key-reused` or `forbidden`; `Refused` where a hidden traitor makes all talk public (2E-HID-010).
        """

        async def told(live: LiveGame) -> tuple[Posted, RecordChanges | None]:
            known = await self._again(caller, asked, key)
            if known is not None:
                return known, None
            to = recipients(live, caller, asked.to)
            number, last = await self._last(live, to)
            if number >= MOST:
                raise ProblemError("stream-full", f"A stream holds {MOST} messages.")
            salt = self._outside.secret("name-salt").hex()
            entry = Entry(
                at=self._outside.now(),
                sender=caller.name,
                to=asked.to,
                digest=salted_digest(salt, asked.text),
                prev=hashlib.sha256(last.encode()).hexdigest() if last else "",
                rule=_leave(live, asked.to),
                commit=live.version,
            )
            place = (to, number + 1)
            said = SaltedText(salt, asked.text)
            texts = {f"{MESSAGE}{written(place)}": _text(entry), f"{TEXT}{written(place)}": _text(said)}
            texts |= changed(live.talk, [place], sent=True)
            if key:
                texts[f"{KEY}{scoped_key(caller.name, key)}"] = _text(Spent(written(place), _fingerprint(key, asked)))
            return Posted(message(place, entry, said)), RecordChanges(texts=texts)

        return await self._play.change_records(caller.game, told)

    async def _last(self, live: LiveGame, to: Mask) -> tuple[int, str]:
        """How many messages a stream has, and the last entry as it is stored."""
        known = live.talk.get(to)
        if known is None or not known.sent:
            stream = await self._store.get_texts(live.facts.id, f"{MESSAGE}{to:03d}:")
            return len(stream), stream[max(stream)] if stream else ""
        name = f"{MESSAGE}{written((to, known.sent))}"
        return known.sent, (await self._store.find_texts(live.facts.id, [name]))[name]

    async def _again(self, caller: Caller, asked: PostMessage, key: str) -> Posted | None:
        name = f"{KEY}{scoped_key(caller.name, key)}"
        kept = (await self._store.find_texts(caller.game, [name])).get(name) if key else None
        if kept is None:
            return None
        spent = _spent(kept)
        if spent.fingerprint != _fingerprint(key, asked):
            raise ProblemError("key-reused", "This Idempotency-Key came with another message before.")
        stream, _, number = spent.place.partition(":")
        place = (int(stream), int(number))
        return Posted((await read_messages(self._store, caller.game, [place]))[place], replayed=True)

    async def messages(self, caller: Caller) -> Messages:
        """Everything that the caller was told, as far as it may see by now."""
        live = await self._tables.live(caller.game)
        texts = await self._store.get_texts(caller.game, MESSAGE)
        mine = {key: text for key, text in texts.items() if int(key.split(":")[1]) & caller.principal}
        kept = await self._store.get_texts(caller.game, TEXT) if mine else {}
        found = messages_in({**mine, **kept})
        order = sorted(found, key=lambda place: (found[place].at, place))
        hears = self._horizon.hears
        return Messages(
            messages=[one for one in map(found.get, order) if one and await hears(live, caller, one.commit, one.at)],
            to=_open_to(live, caller),
        )

    async def erase(self, caller: Caller, name: str) -> None:
        """Erase the text of a message; that there was one remains. Its sender can, and the referee.

        A message that the caller was not told is `not-found`, like one that doesn't exist.
        """
        _may(caller)
        stream, _, number = name.partition("-")
        place = (int(stream), int(number))
        entry, text = f"{MESSAGE}{written(place)}", f"{TEXT}{written(place)}"

        async def erased(live: LiveGame) -> tuple[None, RecordChanges | None]:
            texts = await self._store.find_texts(caller.game, [entry, text])
            if entry not in texts or not place[0] & caller.principal:
                raise ProblemError("not-found", "You were told no such message.")
            if caller.role != "referee" and entry_in(texts[entry]).sender != caller.name:
                raise forbidden()
            if text not in texts:
                return None, None
            return None, RecordChanges(texts={text: None, **changed(live.talk, [place])})

        await self._play.change_records(caller.game, erased)

    # -- standing orders ----------------------------------------------------------------------------------------------

    async def leave(self, caller: Caller, asked: LeaveOrders) -> Orders:
        """Leave orders for the caller's own turn, in place of those left before. If it is the turn already, they begin.

        Raises `forbidden` without a seat, `game-over`, or `unfit-orders`.
        """
        live = await self._tables.live(caller.game)
        if live.state.status not in ("open", "started"):
            raise ProblemError("game-over", "No turn comes any more.")
        unfit = unfit_steps(live.rules, live.state, asked.steps)
        if unfit:
            detail = "; ".join(f"{one.pointer}: {one.detail}" for one in unfit)
            raise ProblemError("unfit-orders", detail, errors=unfit)
        orders = Orders(steps=asked.steps, before_haunt=live.state.haunt is None)
        await self._keep(caller, orders)
        self._due.add(caller.game)
        return orders

    async def withdraw(self, caller: Caller) -> None:
        """Take back the orders of the caller's seat, if there are any. Raises `forbidden` without a seat."""
        await self._keep(caller, None)

    async def _keep(self, caller: Caller, orders: Orders | None) -> None:
        if caller.role != "seat":
            raise forbidden()
        text = None if orders is None else encode(orders).decode()

        async def kept(_live: LiveGame) -> tuple[None, RecordChanges]:
            return None, RecordChanges(texts={f"{ORDERS}{caller.seat}": text})

        await self._play.change_records(caller.game, kept)

    async def orders(self, caller: Caller, seat: int) -> Orders:
        """The orders of a seat, for itself and the referee; `not-found` if none were left."""
        orders = (await self._tables.live(caller.game)).orders.get(seat)
        if orders is None:
            raise ProblemError("not-found", "No orders were left.")
        return orders


def recipients(live: LiveGame, caller: Caller, to: str) -> Mask:
    """Who is told, as of now: seats of a side and the referee. A refusal says to whom the caller may write.

    Raises `no-side`: there is no such side (yet) or seat; `forbidden`: the caller is not of it; `Refused` as `Side.post` does.
    """
    _may(caller)
    if to == "referee":
        return caller.principal | REFEREE
    if to == "table":
        return sum(seat_bit(seat) for seat in range(len(live.facts.seats))) | SPECTATORS | REFEREE
    if to.startswith("seat:"):
        seat = int(to[5:])
        if seat >= len(live.facts.seats):
            raise ProblemError("no-side", f"The game has no such seat. {_instead(live, caller)}")
        if caller.role != "referee":
            raise ProblemError("forbidden", f"The referee alone writes to a single seat. {_instead(live, caller)}")
        return seat_bit(seat) | REFEREE
    return _side(live, caller, to)


def _side(live: LiveGame, caller: Caller, side: str) -> Mask:
    state = live.state
    if state.haunt is None:
        raise ProblemError("no-side", f"There are no sides before the haunt. {_instead(live, caller)}")
    if _all_hear(live):
        why = f"with a hidden traitor everything is said in everybody's hearing. {_instead(live, caller)}"
        raise Refused(why, rule=live.rules.cite.talk_is_public)
    members = _members(state, side)
    if not members:
        raise ProblemError("no-side", f"Nobody is on that side. {_instead(live, caller)}")
    if not (members | REFEREE) & caller.principal:
        raise ProblemError("forbidden", f"You are not on that side. {_instead(live, caller)}")
    return members | REFEREE


def _all_hear(live: LiveGame) -> bool:
    """Whether the haunt's traitor was dealt in secret: then talk is public to its end, whoever is revealed (2E-HID-010)."""
    haunt = live.state.haunt
    return haunt is not None and live.rules.of(live.state).pack.haunts[haunt.id].kind == "hidden-traitor"


def _members(state: State, side: str) -> Mask:
    return sum(seat_bit(one.seat) for one in state.explorers if one.side == side)


def _open_to(live: LiveGame, caller: Caller) -> list[To]:
    """To whom the caller may write, as of now."""
    if caller.role not in WRITERS:
        return []
    state, found = live.state, ["table", "referee"]
    if caller.role == "referee":
        found += [f"seat:{seat}" for seat in range(len(live.facts.seats))]
    if state.haunt is not None and not _all_hear(live):
        sides = {side: _members(state, side) for side in ("heroes", "traitor")}
        found += [side for side, members in sides.items() if members and (members | REFEREE) & caller.principal]
    return found


def _instead(live: LiveGame, caller: Caller) -> str:
    return f"You may write to {enumerated([f'`{one}`' for one in _open_to(live, caller)], 'or')}."


def _leave(live: LiveGame, to: str) -> str:
    """The rule by which the heroes talk apart before the haunt goes on."""
    haunt = live.state.haunt
    return live.rules.cite.heroes_confer if to == "heroes" and haunt is not None and not haunt.started else ""


def _fingerprint(key: str, asked: PostMessage) -> str:
    return hashlib.sha256(key.encode() + b"\x00" + msgspec.json.encode(asked)).hexdigest()


def _may(caller: Caller) -> None:
    if caller.role not in WRITERS:
        detail = "Messages are for seats and the referee; spectators and the host read those to the table."
        raise ProblemError("forbidden", detail)


def _text(what: object) -> str:
    return msgspec.json.encode(what).decode()
