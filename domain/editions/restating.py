"""Makes a pack what an edition plays: its citations are translated, and what the edition limits is limited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from content.vocabulary.abilities import Limit
from content.vocabulary.pack import Action, Haunt, Pack


def restate(pack: Pack, restated: Mapping[str, str]) -> Pack:
    """The same content, citing the rules on the right where it cites those on the left; the pack itself is left alone.

    What a game pins is the digest of the pack as it was written: the wording of citations belongs to the edition.
    """
    return msgspec.convert(_restate(msgspec.to_builtins(pack), restated), Pack) if restated else pack


def _restate(value: Any, restated: Mapping[str, str]) -> Any:  # noqa: ANN401 -- plain data of any shape
    if isinstance(value, dict):
        return {
            key: restated.get(part, part) if key == "rule" and isinstance(part, str) else _restate(part, restated)
            for key, part in value.items()
        }
    return [_restate(part, restated) for part in value] if isinstance(value, list) else value


def limit_actions(pack: Pack, rule: str) -> Pack:
    """The pack with a limit on each action of a haunt that has none: once in a turn, by this rule."""
    return msgspec.structs.replace(pack, haunts=[_limited(haunt, rule) for haunt in pack.haunts])


def _limited(haunt: Haunt, rule: str) -> Haunt:
    books = {name: getattr(haunt, name) for name in ("heroes", "traitor_book")}
    limited = {
        name: msgspec.structs.replace(book, actions=[_once(action, rule) for action in book.actions])
        for name, book in books.items()
        if book is not None
    }
    monsters = {
        kind: msgspec.structs.replace(one, actions=[_once(action, rule) for action in one.actions])
        for kind, one in haunt.monsters.items()
    }
    return msgspec.structs.replace(haunt, monsters=monsters, **limited)


def _once(action: Action, rule: str) -> Action:
    once = action.once or (None if action.again else Limit(per="own-turn"))
    return msgspec.structs.replace(action, once=once, rule=action.rule or rule)
