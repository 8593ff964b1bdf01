"""Secrets: told before they are worth anything, told in place of another, asked for twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from content.check.follow.ways import Root, Way, roots, ways
from content.errors import Finding
from content.survey import Spot, Survey, walk
from content.vocabulary.effects import ChooseSecret
from content.vocabulary.pack import Book
from content.vocabulary.values import SecretIs


def told_at_once(survey: Survey) -> Iterator[Finding]:
    """What has just been chosen in secret is not told to those from whom it is kept."""
    found = [(root, way) for root in roots(survey) for way in ways(root)]
    told = [way for root, way in found if _tells(root, way) and way.step.value.if_ is None]
    open_ = [(way.step.trail[:2], way.step.value.tell.secret) for way in told if way.step.value.tell is not None]
    for way in told:
        tell = way.step.value.tell
        if tell is None or tell.secret not in _chosen(way):
            continue
        haunt = way.step.trail[:2]
        chosen = [one.value for one in survey.of(ChooseSecret) if one.trail[:2] == haunt]
        same = [one for one in chosen if one.name == tell.secret]
        if len(same) == open_.count((haunt, tell.secret)) and all(one.by == "chance" for one in same):
            continue  # it is rolled in the open
        message = f"`{tell.secret}` has only just been chosen, and is no secret any more"
        hint = "tell it before it is chosen anew, or not at all"
        yield Finding(way.step.at("tell"), message, hint, key=True, severity="warning")


def _tells(root: Root, way: Way) -> bool:
    tell = way.step.value.tell
    return tell is not None and tell.secret is not None and tell.side not in {"you", _book(root)}


def told_another(survey: Survey) -> Iterator[Finding]:
    """Who chooses a secret and then tells one tells that one."""
    for root in roots(survey):
        found = ways(root)
        chosen = {one.step.value.choose_secret.name for one in found if one.step.value.choose_secret is not None}
        told = {one.step.value.tell.secret for one in found if one.step.value.tell is not None}
        for way in found:
            tell, fresh = way.step.value.tell, _chosen(way)
            if tell is None or tell.secret is None or tell.secret in chosen or not fresh or fresh & told:
                continue
            name = min(fresh)
            message = f"`{name}` is chosen here, and `{tell.secret}` is told"
            yield Finding(way.step.at("tell", "secret"), message, f"write `secret: {name}`", severity="warning")


def asked_twice(survey: Survey) -> Iterator[Finding]:
    """Where each word that a secret can be has its own case, none has two of them and none is left out."""
    words = {
        (one.trail[:2], one.value.name): one.value.words
        for one in survey.of(ChooseSecret)
        if one.value.words is not None
    }
    for root in roots(survey):
        asked: dict[str, list[Spot[SecretIs]]] = {}
        for step in root.steps:
            for one in walk(step):
                if isinstance(one.value, SecretIs):
                    asked.setdefault(one.value.name, []).append(one)
        for name, spots in asked.items():
            counts = Counter(one.value.is_ for one in spots)
            never = [word for word in words.get((root.haunt.trail, name), []) if word not in counts]
            again = [
                one for place, one in enumerate(spots) if one.value.is_ in [two.value.is_ for two in spots[:place]]
            ]
            if never and again and len(counts) > 1:
                message = f"this is asked twice, and whether `{name}` is `{never[0]}` never"
                yield Finding(again[0].at("is"), message, f"write `is: {never[0]}` in one place", severity="warning")


def _chosen(way: Way) -> set[str]:
    return {one.value.choose_secret.name for one in way.before if one.value.choose_secret is not None}


def _book(root: Root) -> str:
    book = root.home.inside(Book)
    return "" if book is None else "heroes" if book.trail[-1] == "heroes" else "traitor"
