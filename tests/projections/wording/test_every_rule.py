"""Every rule of every pack has a sentence, no two different ones have the same, and each reads as a sentence."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import Any

import msgspec
import pytest

from content.vocabulary.abilities import Action, Attack, Standing, Trigger
from content.vocabulary.effects import VERBS, Effect
from content.vocabulary.values import Condition
from projections.wording import Wording
from tests.golden import rulebook
from tests.projections.wording.walking import PACKS, Rule, every_rule, library, nodes, pieces
from tests.support.packs import pack


def folded_rule(rule: Rule) -> list[Any]:
    """What the table's rulings leave of a rule."""
    folded: list[Any] = rule.wording.folding.any(rule.said if isinstance(rule.said, list) else [rule.said])
    return folded


def test_every_rule_of_every_piece_has_a_sentence() -> None:
    assert [
        f"{rule.pack}, {rule.piece}: {rule.part}" for rule in every_rule() if not rule.text and folded_rule(rule)
    ] == []


def test_every_text_that_a_piece_has_is_a_rule_of_its_content() -> None:
    """So that what the tests walk is all that a reader gets."""
    facts = {
        "kinds",
        "declinable",
        "lasting",
        "states",
        "barred",
        "floors",
        "start",
        "links-alike",
        "kind",
        "traitor-wins",
        "wins-when",
        "reveal-if",
        "monsters-turn",
        "traitor-powers",
    }
    walked = defaultdict(set)
    for rule in every_rule():
        walked[rule.pack, rule.piece].add(rule.part)
    for name in PACKS:
        for piece, _, _ in pieces(pack(name)):
            for text in library(name).piece(piece):
                assert text.part.rpartition(".")[2] in facts or text.part in walked[name, piece], (piece, text)


SENTENCE = re.compile(r"""[A-Z“].*[.!?”]""", re.DOTALL)
IDS = re.compile(r"\b[a-z]+(?:[-_][a-z]+)+\b")


@pytest.mark.parametrize("name", PACKS)
def test_every_text_reads_as_sentences(name: str) -> None:
    known = [verb.replace("_", "-") for verb in VERBS if "_" in verb]
    for rule in every_rule():
        if rule.pack != name or not rule.text:
            continue
        assert SENTENCE.fullmatch(rule.text), rule
        assert "  " not in rule.text, rule
        assert "[" not in rule.text, rule
        assert not re.search(r"[.,;:] ?[.,;:]|\( | \)|\b(an?|the) (an?|the)\b", rule.text), rule
        assert not [word for word in known if word in rule.text], rule
        assert not IDS.findall(rule.text), rule


def told_of(rule: Rule) -> list[tuple[str, Any, str]]:
    """What of a rule has a sentence of its own: its kind, what it says, and the sentence."""
    wording = rule.wording
    found: list[tuple[str, Any, str]] = []
    folded = folded_rule(rule)
    for node in nodes(folded):
        match node:
            case Effect():
                found.append(("effect", node, wording.effects([node])))
            case Condition():
                found.append(("condition", node, wording.condition(node)))
            case Standing():
                found.append(("standing", node, wording.standing(node)))
            case Attack():
                found.append(("attack", node, wording.attack(node)))
            case Action():
                found.append(("action", node, wording.action(node)))
            case Trigger():
                found.append(
                    (f"trigger of a {rule.piece.partition(':')[0]}", node, wording.trigger(node, _piece(rule)))
                )
            case _:
                pass
    return found


def _piece(rule: Rule) -> str:
    return "book" if rule.piece.startswith("haunt:") else rule.piece.partition(":")[0]


def meant(wording: Wording, said: Any) -> Any:  # noqa: ANN401 -- any part of the vocabulary
    """What a part of the content means, without what is only told elsewhere; ids as the titles that readers see."""
    if isinstance(said, msgspec.Struct):
        parts = {name: meant(wording, value) for name, value in msgspec.structs.asdict(said).items()}
        for name in SILENT.get(type(said).__name__, ()):
            parts.pop(name, None)
        if isinstance(said, Effect):
            return _effect(wording, said, parts)
        if isinstance(said, Condition):
            return _condition(parts)
        return {name: value for name, value in parts.items() if value not in (None, [], False, "")}
    if isinstance(said, list):
        steps = [meant(wording, one) for one in said]
        return [
            step for one in steps for step in (one["run"] if isinstance(one, dict) and set(one) == {"run"} else [one])
        ]
    if isinstance(said, dict):
        return {key: meant(wording, value) for key, value in said.items()}
    titles = wording.titles
    for table in (titles.rooms, titles.cards, titles.tokens, titles.monsters, titles.counters):
        if said in table:
            return table[said]
    return said


def _effect(wording: Wording, effect: Effect, parts: dict[str, Any]) -> dict[str, Any]:
    if effect.run is not None and effect.run in wording.titles.blocks:
        parts["run"] = meant(wording, list(wording.titles.blocks[effect.run]))
    if effect.may is not None:
        parts["may"] = True
    said = {name: value for name, value in parts.items() if value not in (None, [], False)}
    shared = said.get("run")
    return dict(shared[0]) if set(said) == {"run"} and isinstance(shared, list) and len(shared) == 1 else said


def _condition(parts: dict[str, Any]) -> dict[str, Any]:
    if parts.get("dead") == "traitor":
        parts["dead"], parts["traitor"] = None, "dead"
    kept = {name: value for name, value in parts.items() if value is not None}
    for joined in ("any", "all"):
        if set(kept) == {joined} and len(kept[joined]) == 1:
            return dict(kept[joined][0])
    return kept


SILENT: dict[str, tuple[str, ...]] = {
    "Effect": ("rule",),
    "Action": ("title", "rule"),
    "Link": ("rule",),
    "Option": ("id", "title"),
    "Win": ("because",),
    "Ban": ("rule",),
    "Trigger": ("binds",),
}
"""What a rule's sentence leaves to others: ledger ids, labels, endings."""


def test_no_two_different_rules_have_the_same_sentence() -> None:
    meanings: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for rule in every_rule():
        for kind, node, text in told_of(rule):
            meaning = json.dumps(meant(rule.wording, node), sort_keys=True, default=str)
            meanings[kind, text].setdefault(meaning, f"{rule.pack}, {rule.piece}, {rule.part}")
    double = {text: found for text, found in meanings.items() if len(found) > 1}
    assert not double, "\n".join(
        f"{text}\n  " + "\n  ".join(f"{where}: {meaning}" for meaning, where in found.items())
        for text, found in double.items()
    )


@pytest.mark.parametrize("name", PACKS)
def test_the_golden_file_holds_the_rules_as_they_are(name: str) -> None:
    assert rulebook.path(name).read_text(encoding="utf-8") == rulebook.rulebook(name), (
        f"the rules of {name} read differently: `./dev golden` writes them anew, and `git diff` shows how"
    )
