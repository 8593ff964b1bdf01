"""Modules of a page in fewer files: those that are always wanted together are sent as one, in fewer requests and an eighth fewer bytes.

A file is sent for each module that nobody imports, and for each that is imported when it is wanted; with all that it alone needs. What several of
them need is in files of its own, and what the first needs is there already. Within a file each module is a function that is called once and gives
what the module exports, so that no names meet; the files are modules themselves. Only such imports and exports are understood as the page has:
names in braces, and declarations.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

IMPORT = re.compile(r'^import (\{[^}]*\}) from "(\.[^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:(?:async )?function|const|class) (\w+))", re.MULTILINE)
LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
RENAMED = re.compile(r" as (?=\w+[,\s}])")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
MAIN = "main.js"


def gathered(modules: Mapping[str, str]) -> dict[str, str]:
    """Modules by path as files by path; imports of what is not among them stay. Raises `ValueError` for what is not understood."""
    needs = {path: _needed(path, code, modules) for path, code in modules.items()}
    later = {_there(path, to) for path, code in modules.items() for to in LATER.findall(COMMENT.sub("", code))}
    needed = {one for those in needs.values() for one in those}
    entries = [MAIN, *sorted(path for path in modules if path != MAIN and (path in later or path not in needed))]
    reached = {entry: set(_in_order(entry, needs)) for entry in entries}
    groups: dict[tuple[str, ...], set[str]] = {}
    for path in sorted(modules):
        wanted = tuple(entry for entry in entries if path in reached[entry])
        groups.setdefault((MAIN,) if MAIN in wanted else wanted, set()).add(path)
    places: dict[str, str] = {}
    for number, paths in enumerate(groups.values()):
        places |= dict.fromkeys(paths, next((one for one in entries if one in paths), f"shared-{number}.js"))
    return {
        file: _file(file, _ordered([one for one in modules if places[one] == file], needs), modules, places)
        for file in dict.fromkeys(places.values())
    }


def _there(path: str, to: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), to))


def _from(file: str, to: str) -> str:
    found = posixpath.relpath(to, posixpath.dirname(file) or ".")
    return found if found.startswith(".") else f"./{found}"


def _needed(path: str, code: str, modules: Collection[str]) -> list[str]:
    left = LEFT.search(EXPORT.sub("", IMPORT.sub("", code)))
    if left:
        raise ValueError(f"{path}: {left[0]}")
    return [there for _, to in IMPORT.findall(code) if (there := _there(path, to)) in modules]


def _in_order(path: str, needs: Mapping[str, Sequence[str]], above: Sequence[str] = ()) -> Iterator[str]:
    """What a module needs, and itself, each behind what it needs; some more than once."""
    if path in above:
        raise ValueError(f"modules import each other: {', '.join([*above, path])}")
    for one in needs[path]:
        yield from _in_order(one, needs, [*above, path])
    yield path


def _ordered(paths: Collection[str], needs: Mapping[str, Sequence[str]]) -> list[str]:
    found = dict.fromkeys(one for path in sorted(paths) for one in _in_order(path, needs))
    return [one for one in found if one in paths]


def _name(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _file(file: str, paths: Sequence[str], modules: Mapping[str, str], places: Mapping[str, str]) -> str:
    outside: dict[str, None] = {}
    """Imports of other files, in the order in which they are first wanted."""
    bodies = []
    for path in paths:

        def imported(found: re.Match[str], path: str = path) -> str:
            there = _there(path, found[2])
            name = _name(there)
            if places.get(there) != file:
                where = _from(file, places.get(there, there))
                what = f"{{ {name} }}" if there in places else f"* as {name}"
                outside[f'import {what} from "{where}";'] = None
            return f"const {RENAMED.sub(': ', found[1])} = {name};"

        def later(found: re.Match[str], path: str = path) -> str:
            there = _there(path, found[1])
            return f'import("{_from(file, places.get(there, there))}")'

        code = LATER.sub(later, IMPORT.sub(imported, modules[path]))
        given = ", ".join(EXPORT.findall(code))
        bodies.append(
            f"export const {_name(path)} = (() => {{\n{EXPORT.sub('', code)}\nreturn {{ {given} }};\n}})();\n"
        )
        if path == file:
            bodies.append(f"export const {{ {given} }} = {_name(path)};\n" if given else "")
    return "\n".join([*outside, *bodies])
