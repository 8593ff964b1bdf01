"""A golden game as text: one form for each, so that a difference is a difference in play."""

from __future__ import annotations

from typing import Any

import msgspec
import yaml

from tests.golden.script import Game, Script

WIDTH = 120


class _Flow(dict[str, Any]):
    """A mapping in one line."""


class _Row(list[Any]):
    """A list in one line."""


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]  # libyaml is not everywhere
    """Writes no aliases: nobody reads them."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 -- PyYAML asks for each
        return True


_Dumper.add_representer(
    _Flow, lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data, flow_style=True)
)
_Dumper.add_representer(
    _Row, lambda dumper, data: dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)
)


def text_of(game: Game) -> str:
    """The text of a game with everything filled in."""
    data: dict[str, Any] = msgspec.to_builtins(game)
    for key in ("explorers", "covers", "picks"):
        if key in data:
            data[key] = _Row(data[key])
    for key in ("options", "setup"):
        if key in data:
            data[key] = _in_line(data[key])
    if "scene" in data:
        data["scene"] = [_in_line(one) for one in data["scene"]]
    data["steps"] = [_step(step) for step in data["steps"]]
    return "\n".join(_parts(data)).rstrip("\n") + "\n"


def _step(step: dict[str, Any]) -> dict[str, Any]:
    for key in ("does", "tries", "dice", "picks"):
        if key in step:
            step[key] = _in_line(step[key])
    return step


def _in_line(data: object) -> object:
    if isinstance(data, dict):
        return _Flow({key: _in_line(value) for key, value in data.items()})
    return _Row(_in_line(one) for one in data) if isinstance(data, list) else data


def _parts(data: dict[str, Any]) -> list[str]:
    """The head in one piece, the position, the steps with an empty line before each, the end."""
    found = []
    head = {key: value for key, value in data.items() if key not in ("start", "steps", "end")}
    found.append(_dump(head))
    if "start" in data:
        found.append(_dump({"start": data["start"]}))
    found.append("steps:")
    found.extend(_dump([step]) for step in data["steps"])
    if "end" in data:
        found.append(_dump({"end": data["end"]}))
    return found


def _dump(data: object) -> str:
    text: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH)
    return text


def comment_line(script: Script) -> int:
    """The first line that is a comment and so would be lost by writing; 0 where there is none."""
    lines = script.text.splitlines()
    return next((number for number, line in enumerate(lines, 1) if line.lstrip().startswith("#")), 0)
