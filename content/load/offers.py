"""Packs that games can be opened with: found by id or path, none under the name of a built-in one, and noticed when they change."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from content.errors import did_you_mean, listed
from content.load.digest import digest, pack_bytes
from content.load.packs import BASE, builtin_packs
from content.vocabulary.pack import Pack

__all__ = ["BASE", "CUSTOM", "Offered", "Source", "find_packs", "name_of", "offered"]


class Offered(msgspec.Struct, frozen=True):
    """A pack that a new game can take."""

    name: str
    """Under which a game asks for it: its id, or where a stranger gave it, what `name_of` makes of its digest."""
    pack: Pack
    digest: str
    body: bytes
    """Its canonical bytes."""


class Source(NamedTuple):
    """Where a pack lies."""

    path: Path
    base: str = BASE
    """The built-in pack to which it belongs if it is the file of a haunt."""

    def taken(self) -> Iterable[str]:
        """The ids that it can't have: those of built-in packs, unless it is the one."""
        return [name for name, folder in builtin_packs().items() if folder != self.path.absolute()]

    def stamp(self) -> frozenset[tuple[str, int, int]]:
        """What changes whenever one of its files does: their names, times and sizes."""
        files = [self.path, *self.path.rglob("*.y*ml")]
        stats = [(file, file.stat()) for file in files if file.exists()]
        return frozenset((str(file), found.st_mtime_ns, found.st_size) for file, found in stats)


def find_packs(wanted: str) -> list[Source]:
    """Find the packs in a list with commas: ids of built-in packs, folders, files of haunts (`my-haunt.yaml@third-edition`).

    Built-in packs come first, so that a game that names no pack gets one of them; an empty list is all of them.

    Raises:
        LookupError: there is no such pack, or one is named twice. The message says which, and what would be right.
    """
    packs = builtin_packs()
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    if wanted.strip() and not names:
        raise LookupError(f"{wanted} names no pack; leave it empty for all built-in ones: {', '.join(packs)}")
    names = names or list(packs)
    for index, name in enumerate(names):
        if name in names[:index]:
            raise LookupError(f"{name} is named twice; name each pack once")
    builtin = [Source(packs[name]) for name in names if name in packs]
    return builtin + [_lying_at(name, packs) for name in names if name not in packs]


def _lying_at(name: str, packs: Iterable[str]) -> Source:
    path, at, base = name.rpartition("@")
    found = Source(Path(path), base) if at else Source(Path(name))
    if at and base not in packs:
        raise LookupError(f"{name}: there is no built-in pack {base}; there are {', '.join(packs)}")
    if not found.path.exists():
        hint = did_you_mean(name, packs) or f"built-in are {listed(packs)}, all else is a folder or a file"
        raise LookupError(f"no pack {name}: {hint}")
    return found


def offered(pack: Pack, name: str = "") -> Offered:
    """Offer a pack, under its own id if no other name is given."""
    body = pack_bytes(pack)
    return Offered(name or pack.head.id, pack, digest(body), body)


CUSTOM = "custom-"
HEXES = 32


def name_of(pinned: str) -> str:
    """The name of a pack that a stranger gave, from its digest."""
    return CUSTOM + pinned.removeprefix("sha256:")[:HEXES]
