"""Whom words speak of: who takes the damage, who is dead, and from whom something may be stolen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from content.check.sense.data import texts_of
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Card, Haunt
from content.vocabulary.values import Each

_HEROES = re.compile(r"\bhero(?:es)?\b|\b(?:each|all|every one|some) of you\b")
_TRAITOR = re.compile(r"\btraitor\b")
_STEALS = re.compile(
    r"\bsteals?\b|\bstolen\b|\bthie(?:f|ves)\b"
    r"|\b(?:take|takes|taking|wrest|snatch) (?:\w+ ){1,3}from (?:whoever|them|him|her|you|somebody|anybody|an?\b|the hero|the traitor)"
)
_NO_STEALING = re.compile(r"\b(?:can(?:not|'t| never)|never|nobody can|no one can) (?:be )?(?:steal|stolen)\b")


def harmed(survey: Survey) -> Iterator[Finding]:
    """The side that a text threatens with damage takes it."""
    for haunt in survey.of(Haunt):
        steps = [step for step in survey.inside(haunt, Effect) if step.value.damage is not None]
        for text in texts_of(haunt):
            for sentence in re.split(r"(?<=[.;:]) ", text.words):
                found = re.search(r"\b(physical|mental) damage\b", sentence)
                heroes, traitor = _HEROES.search(sentence), _TRAITOR.search(sentence)
                if found is None or bool(heroes) == bool(traitor):
                    continue
                alike = [step for step in steps if step.value.damage is not None and step.value.damage.kind == found[1]]
                strange = [step for step in alike if _side(step) == ("traitor" if heroes else "hero")]
                if alike and len(strange) == len(alike):
                    message = f"the text threatens {'the heroes' if heroes else 'the traitor'} with {found[0]}, and this falls on the other side"
                    hint = f"write `each: {'hero' if heroes else 'traitor'}`"
                    yield Finding(strange[0].at("who"), message, hint, key=True, severity="warning")


def stealing(survey: Survey) -> Iterator[Finding]:
    """Where a text speaks of stealing, one can steal; where it says that one can't, nobody can."""
    for haunt in survey.of(Haunt):
        barred = haunt.value.stealing is not None and haunt.value.stealing.barred
        held = any("steal" in card.value.barred for card in survey.inside(haunt, Card))
        for text in texts_of(haunt):
            denied, said = _NO_STEALING.search(text.words), _STEALS.search(text.words)
            if barred and said and not denied:
                message = f"the text says `{said[0]}`, and nobody can steal in this haunt"
                yield Finding(text.trail, message, "leave `stealing: {barred: true}` out", severity="warning")
            elif denied and not barred and not held:
                message = f"the text says `{denied[0]}`, and everybody can steal"
                yield Finding(
                    text.trail, message, "write `barred: [steal]`, or `stealing: {barred: true}`", severity="warning"
                )


def _side(step: Spot[Effect]) -> str:
    who = step.value.who
    return who.each if isinstance(who, Each) else who or ""
