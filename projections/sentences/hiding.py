"""Sentences for monsters that hide."""

from __future__ import annotations

from domain.facts.events import MonsterHid, MonsterShown
from projections.naming.questions import Asking
from projections.sentences.wording import Sentences


def _hid(a: Asking, e: MonsterHid) -> str:
    return f"{a.names.monster(e.monster)} hides{f' in {a.names.room(e.room)}' if e.room else ''}."


def _shown(a: Asking, e: MonsterShown) -> str:
    return f"{a.names.monster(e.monster)} shows itself in {a.names.room(e.room)}."


SENTENCES: Sentences = {MonsterHid: _hid, MonsterShown: _shown}
