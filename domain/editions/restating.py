"""Translates the rule ids that a pack's content cites into those of an edition that builds on another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from content.vocabulary.pack import Pack


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
