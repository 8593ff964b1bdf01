"""The modules of a page in fewer files: those that are always wanted together are sent as one, in fewer requests and a fifth fewer bytes.

A file begins with a module that no other imports, or that others import only when they want it, and has whatever that module alone needs. All that
`main.js` needs is in its file, which every page loads. What several files need goes into a shared one of just those, and what only two need into that
of a larger set that has both, if there is one.

The modules of a file stand in one function, so that the minifier shortens their names, and a name has to mean the same in all of them. The files are
modules themselves. Only such imports and exports are understood as the page has: names in braces, without `as`, and declarations.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter

IMPORT = re.compile(r'^import \{(\s*\w+(?:,\s*\w+)*,?\s*)\} from "(\.[^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:(?:async )?function|const|class) (\w+))", re.MULTILINE)
DECLARED = re.compile(r"^(?:export )?(?:(?:async )?function|const|let|class) (\w+|[\[{][^=]*)", re.MULTILINE)
LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
LEFT = re.compile(r"^(?:import|export)\b[^;]*", re.MULTILINE)
WORD = re.compile(r"\w+")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
MAIN = "main.js"
PAIR = 2


def gather(modules: Mapping[str, str]) -> dict[str, str]:
    """Put modules, by path, into files, by path; imports of what is not among them stay.

    Raises `ValueError` for what is not understood, and where modules of one file mean different things by one name.
    """
    names = {path: list(_names(path, code)) for path, code in modules.items()}
    needs = {path: sorted({there for _, there in names[path]} & modules.keys() - {path}) for path in sorted(modules)}
    order = list(TopologicalSorter(needs).static_order())
    places = _places(needs, order)
    wanted = {one for path, those in names.items() for one in those if places.get(one[1]) != places[path]}
    for path, code in modules.items():
        for there in (_resolve(path, to) for to in LATER.findall(COMMENT.sub("", code))):
            wanted |= {(name, there) for name in EXPORT.findall(modules.get(there, ""))}
    return {
        file: _file(file, {one: modules[one] for one in order if places[one] == file}, names, places, wanted)
        for file in dict.fromkeys(places.values())
    }


def _resolve(path: str, to: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), to))


def _relative(file: str, to: str) -> str:
    found = posixpath.relpath(to, posixpath.dirname(file) or ".")
    return found if found.startswith(".") else f"./{found}"


def _names(path: str, code: str) -> Iterator[tuple[str, str]]:
    """The names at the top of a module, each with the module that declares it."""
    if left := LEFT.search(EXPORT.sub("", IMPORT.sub("", code))):
        raise ValueError(f"{path}: {left[0]}")
    for those, to in [*IMPORT.findall(code), *((declared, "") for declared in DECLARED.findall(code))]:
        yield from ((name, _resolve(path, to) if to else path) for name in WORD.findall(those))


def _places(needs: Mapping[str, Sequence[str]], order: Sequence[str]) -> dict[str, str]:
    """The file of each module."""
    wanted: dict[str, set[str]] = {path: set() for path in order}
    """For which files."""
    for path in reversed(order):
        wanted[path] = wanted[path] or {path}
        for one in needs[path]:
            wanted[one] |= wanted[path]
    groups: dict[frozenset[str], list[str]] = {}
    for path in order:
        groups.setdefault(frozenset({MAIN} if MAIN in wanted[path] else wanted[path]), []).append(path)
    for two in [those for those in groups if len(those) == PAIR]:
        if more := min((those for those in groups if two < those), key=len, default=None):
            groups[more] += groups.pop(two)
    return {
        path: min(those) if len(those) == 1 else f"shared-{number}.js"
        for number, (those, paths) in enumerate(groups.items())
        for path in paths
    }


def _file(
    file: str,
    modules: Mapping[str, str],
    names: Mapping[str, Sequence[tuple[str, str]]],
    places: Mapping[str, str],
    wanted: Collection[tuple[str, str]],
) -> str:
    owners: dict[str, str] = {}
    for name, there in (one for path in modules for one in names[path]):
        if owners.setdefault(name, there) != there:
            raise ValueError(f"{owners[name]} and {there} both have a {name}, and meet in {file}")
    outside: dict[str, list[str]] = {}
    for name, there in owners.items():
        if there not in modules:
            outside.setdefault(_relative(file, places.get(there, there)), []).append(name)
    given = ", ".join(name for name, there in owners.items() if there in modules and (name, there) in wanted)

    def body(path: str) -> str:
        def later(found: re.Match[str]) -> str:
            there = _resolve(path, found[1])
            return f'import("{_relative(file, places.get(there, there))}")'

        return LATER.sub(later, EXPORT.sub("", IMPORT.sub("", modules[path])))

    imports = (f'import {{ {", ".join(those)} }} from "{where}";\n' for where, those in outside.items())
    bodies = "".join(map(body, modules))
    return f"{''.join(imports)}export const {{ {given} }} = (() => {{\n{bodies}return {{ {given} }};\n}})();\n"
