"""What a live stream says: news, that there are none, and why it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

Reason = Literal["game-over", "token-ended", "stopping", "too-slow", "unavailable", "ahead-of-log"]
"""Why a stream ends: all was told; the token holds no longer; the service stops; the reader accepted nothing for too long;
the store failed; the log was set back, as by an older backup, and is no longer the one that was told. Behind the three in the middle it
makes sense to come again with the cursor, behind the last one only from the beginning."""


Cursor = int | str
"""Where a stream stands: in a game the number of a commit; an account's is opaque."""


class News(msgspec.Struct):
    """A commit, as one role may see it; where many follow in that role, it is one object for all of them."""

    cursor: Cursor
    """The commit's number, or for an account where to go on behind it."""
    event: bytes
    """A CloudEvent, encoded."""
    _framed: dict[Callable[[News], bytes], bytes] = {}

    def framed(self, form: Callable[[News], bytes]) -> bytes:
        """Itself as `form` writes it, which is asked once, however many are sent it."""
        made = self._framed.get(form)
        if made is None:
            made = self._framed[form] = form(self)
        return made


class Quiet(msgspec.Struct, frozen=True):
    """Nothing has happened for a while."""

    cursor: Cursor


class End(msgspec.Struct, frozen=True):
    """The last item of every stream."""

    cursor: Cursor
    """All up to here was sent."""
    reason: Reason


class EndData(msgspec.Struct, frozen=True, kw_only=True):
    """What the last event of a live stream says."""

    reason: Reason
    cursor: Cursor
    """Where to go on, as in the event's id."""


Item = News | Quiet | End
Take = Callable[[News], bool]
"""Sends news to its reader at once, without waiting; False, and nothing was sent, where that can't be."""
