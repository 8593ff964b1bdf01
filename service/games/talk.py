"""Messages as the store keeps them, beside the log: in one stream for each set of roles that are told.

A commit's existence is public, so what is nobody else's business is never one. An entry of a stream holds a salted digest of its text and the
digest of the entry before; text and salt are stored apart, so that they can be erased and the stream still be checked. Beside the streams lies
what has last changed in each: whoever follows the game finds what is new by that, without reading the streams.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from domain.facts.audience import EVERYBODY, Mask, principal_name
from service.log.facts import SaltedText
from service.store.port import LogStore

MESSAGE, TEXT, KEY = "side:", "side-text:", "side-key:"
"""What keys begin with, in the store: an entry, its text with the salt, and what an idempotency key was used for."""
NEWS = "side-news"
"""The key of what has last changed, in all streams."""
LATEST = 32
"""Changes of one stream that are kept there."""

Place = tuple[Mask, int]
"""Whose stream, and the number of the message in it."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A message as the stream keeps it."""

    at: str
    sender: str
    to: str
    digest: str
    """SHA-256 of salt and text."""
    prev: str
    """SHA-256 of the entry before, as it is stored."""
    rule: str = ""
    commit: int = 0


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A message, as its recipients see it."""

    id: str
    """Its stream and number there: `7-3`."""
    at: str
    sender: str
    to: str
    told: list[str]
    """Who was told: `seat:0`, `spectators`, `referee`."""
    digest: str
    """SHA-256 of salt and text."""
    prev: str
    """SHA-256 of the entry before in the same stream; empty for the first."""
    text: str | None
    """Null if it was erased."""
    salt: str
    rule: str = ""
    """The rule that allows private talk now: the heroes confer while a haunt is set up (2E-HSET-004)."""
    commit: int = 0
    """The latest commit when it was sent; 0 of messages from before this was kept."""


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """What has last changed in a stream: each message that was sent or erased is a change."""

    sent: int = 0
    """Messages in the stream; 0: none was sent since this is kept."""
    changes: int = 0
    latest: list[int] = []
    """The numbers of the messages, the latest change last."""


_entry = msgspec.json.Decoder(Entry).decode
_salted = msgspec.json.Decoder(SaltedText).decode
_changes = msgspec.json.Decoder(dict[Mask, Changes]).decode
_encode = msgspec.json.Encoder().encode


def written(place: Place) -> str:
    """A place as the keys have it."""
    return f"{place[0]:03d}:{place[1]:06d}"


def place_in(key: str) -> Place:
    """The place in the key of an entry or of a text."""
    _, stream, number = key.split(":")
    return int(stream), int(number)


def entry_in(text: str) -> Entry:
    return _entry(text)


def changes_in(texts: Mapping[str, str]) -> dict[Mask, Changes]:
    """What has last changed, from what the store keeps."""
    text = texts.get(NEWS)
    return _changes(text) if text else {}


def changed(talk: Mapping[Mask, Changes], places: Collection[Place], *, sent: bool = False) -> dict[str, str]:
    """The text that notes further changes, by its key: these messages were sent, or else erased."""
    now = dict(talk)
    for stream, number in places:
        known = now.get(stream, Changes())
        now[stream] = Changes(
            sent=number if sent else known.sent,
            changes=known.changes + 1,
            latest=[*known.latest, number][-LATEST:],
        )
    return {NEWS: _encode(now).decode()}


async def read_messages(store: LogStore, game: str, places: Collection[Place]) -> dict[Place, Message]:
    """Those of these messages that are there."""
    keys = [f"{kind}{written(place)}" for place in places for kind in (MESSAGE, TEXT)]
    return messages_in(await store.find_texts(game, keys))


def messages_in(texts: Mapping[str, str]) -> dict[Place, Message]:
    """The messages in what the store keeps: their entries, with the texts that are left."""
    found = {}
    for key, text in texts.items():
        if key.startswith(MESSAGE):
            place = place_in(key)
            said = texts.get(f"{TEXT}{written(place)}")
            found[place] = message(place, _entry(text), None if said is None else _salted(said))
    return found


def message(place: Place, entry: Entry, said: SaltedText | None) -> Message:
    stream, number = place
    text, salt = (None, "") if said is None else (said.text, said.salt)
    return Message(id=f"{stream}-{number}", told=names(stream), text=text, salt=salt, **msgspec.structs.asdict(entry))


def names(told: Mask) -> list[str]:
    """Who is in a mask, the seats first."""
    return [principal_name(1 << bit) for bit in range(EVERYBODY.bit_length()) if told >> bit & 1]
