"""Packs of strangers for tests: a built-in haunt under another name, alone or in a folder."""

import json
from collections.abc import Mapping
from pathlib import Path

from content.load.packs import builtin_packs
from tests.support.packs import HAUNTS, pack

COPIED = {
    "second-edition": ("the-bell-below", "The Bell Below"),
    "third-edition": ("the-night-shift", "The Night Shift"),
}
"""By built-in pack: id and title of one of its haunts."""


def haunt(title: str = "Our Bell", name: str = "our-bell", *, base: str = "second-edition") -> str:
    """A haunt that is the Bell Below in all but its name, or one of another pack."""
    copied, called = COPIED[base]
    text = (builtin_packs()[base] / f"haunts/{copied}.yaml").read_text("utf-8")
    text = text.replace(f"id: {copied}", f"id: {name}", 1).replace("stage: playtested", "stage: draft", 1)
    return text.replace(f"title: {called}", f"title: {title}", 1)


def haunt_file(folder: Path, **named: str) -> Path:
    """A file with that haunt."""
    file = folder / "our-bell.yaml"
    file.write_text(haunt(**named), "utf-8")
    return file


def head(name: str = "ours", *more: str) -> str:
    """What stands in the `pack.yaml` of a pack that extends the second edition."""
    return "\n".join([f"id: {name}", "title: Ours", "extends: second-edition", *more, ""])


def small(title: str = "Our Bell") -> dict[str, str]:
    """The files of a pack in which that haunt is the only one: checking it takes a tenth of the time."""
    chart = pack("second-edition").chart
    assert chart is not None
    drawn = {
        "omens": chart.omens,
        "rooms": chart.rooms,
        "cells": {room: [1] * len(chart.omens) for room in chart.rooms},
        "traitors": {"1": {"revealer": True}},
        "haunts": {"1": "our-bell"},
    }
    left_out = json.dumps([f"haunt:{one}" for one in HAUNTS])
    return {
        "pack.yaml": head("ours", "replaces: [chart]", f"without: {left_out}"),
        "chart.yaml": json.dumps(drawn),
        "haunts/bell.yaml": haunt(title),
    }


def pack_folder(folder: Path, name: str = "ours", *more: str) -> Path:
    """A folder with that haunt as a pack."""
    return _written(folder / name, {"pack.yaml": head(name, *more), "haunts/our-bell.yaml": haunt()})


def small_folder(folder: Path, title: str = "Our Bell") -> Path:
    """A folder with that haunt as the only one of a pack."""
    return _written(folder / "ours", small(title))


def _written(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder
