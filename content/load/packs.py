"""Loading a pack: a folder of files becomes one checked `Pack`, or a list of every mistake with its place."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from content.check import findings
from content.errors import ContentErrors, Finding, Mistake, Trail, errors_of
from content.load.convert import fit
from content.load.digest import decode_pack, pack_bytes
from content.load.documents import Document
from content.load.layout import LAYOUT, FileKind, misplaced
from content.survey import Memory
from content.vocabulary.base import DECKS, Word
from content.vocabulary.pack import Card, Chart, Explorer, Haunt, Pack, PackHead, Scenario, Tile, TokenKind

PACKS = Path(__file__).parent.parent / "packs"

SINGLE = {"head", "chart"}
"""The fields of `Pack` that hold one piece, not a list."""

W = TypeVar("W", bound=Word)


class Piece(NamedTuple):
    """A tile, card, haunt or other piece of a pack, with the place in the files that it comes from."""

    value: Word
    document: Document
    trail: Trail
    """From the root of the document."""


class Contents(NamedTuple):
    """What could be read of one file."""

    pieces: list[Piece]
    mistakes: list[Mistake]


def read_file(path: Path, kind: FileKind, text: str | None = None) -> Contents:
    """Read one file of a pack; nothing is raised, mistakes are kept.

    Args:
        path: where it lies.
        kind: what such a file holds.
        text: in place of what lies there: what an editor has not saved yet.
    """
    try:
        document = Document.read(path) if text is None else Document(str(path), text)
    except ContentErrors as error:
        return Contents([], error.mistakes)
    trails: list[Trail] = [()]
    data = document.data
    if kind.many:
        if not isinstance(data, list):
            message = f"a file of the folder `{path.parent.name}` is a list of {kind.field}"
            return Contents([], [document.mistake(Finding((), message, "start each with `- `"))])
        trails = [(index,) for index in range(len(data))]
    contents = Contents([], [])
    for trail, part in zip(trails, data if kind.many else [data], strict=True):
        value = fit(part, kind.piece, trail)
        if isinstance(value, list):
            contents.mistakes.extend(document.mistake(finding) for finding in value)
        else:
            contents.pieces.append(Piece(value, document, trail))
    return contents


class Reading:
    """What could be read of a pack folder."""

    def __init__(self, folder: Path, read: Callable[[Path, FileKind], Contents] = read_file) -> None:
        """Read every file; nothing is raised, mistakes are kept.

        Pieces of a kind are put in the order of their ids: how they are spread over files changes nothing.

        Args:
            folder: the pack.
            read: reads one file; in its place, what is known already of files that have not changed.
        """
        self.mistakes: list[Mistake] = []
        self.pieces: dict[Trail, Piece] = {}
        if not folder.is_dir():
            self.mistakes.append(Mistake(str(folder), 1, 1, "no folder lies here: a pack is a folder"))
            return
        self.mistakes += misplaced(folder)
        for kind in LAYOUT:
            files = [read(path, kind) for path in kind.files(folder)]
            self.mistakes += [mistake for contents in files for mistake in contents.mistakes]
            pieces = [piece for contents in files for piece in contents.pieces]
            pieces.sort(key=lambda piece: str(getattr(piece.value, "id", "")))
            for index, piece in enumerate(pieces):
                self.pieces[(kind.field,) if kind.field in SINGLE else (kind.field, index)] = piece

    def check(self, memory: Memory | None = None) -> None:
        """Run the checker over what could be read, and add what it finds.

        Args:
            memory: of an earlier check of this pack: with it, pieces that were not read anew cost less.
        """
        values = {trail: piece.value for trail, piece in self.pieces.items()}
        for finding in findings(values, whole=not self.mistakes, memory=memory):
            depth = 1 if finding.trail[0] in SINGLE else 2
            piece = self.pieces[finding.trail[:depth]]
            trail = piece.trail + finding.trail[depth:]
            self.mistakes.append(piece.document.mistake(finding._replace(trail=trail)))
        self.mistakes += [mistake for piece in self.pieces.values() for mistake in _wrong_deck(piece)]

    def pack(self) -> Pack:
        """Put the pieces together.

        Raises:
            ContentErrors: there are errors; with the warnings beside them.
        """
        if errors_of(self.mistakes):
            raise ContentErrors(self.mistakes)
        return Pack(
            head=self._all(PackHead)[0],
            tiles=self._all(Tile),
            explorers=self._all(Explorer),
            cards=self._all(Card),
            tokens=self._all(TokenKind),
            chart=next(iter(self._all(Chart)), None),
            scenarios=self._all(Scenario),
            haunts=self._all(Haunt),
        )

    def _all(self, kind: type[W]) -> list[W]:
        return [piece.value for piece in self.pieces.values() if isinstance(piece.value, kind)]


def _wrong_deck(piece: Piece) -> Iterator[Mistake]:
    """A file called after a deck (`omens.yaml`) holds cards of that deck alone: who turns two over has mixed them up."""
    card, deck = piece.value, Path(piece.document.file).stem.removesuffix("s")
    if isinstance(card, Card) and deck in DECKS and card.deck != deck:
        message = f"the deck `{card.deck}` in a file of {deck}s"
        hint = f"write `{deck}`, or put it into another file"
        yield piece.document.mistake(Finding((*piece.trail, "deck"), message, hint))


def load_pack(path: Path) -> Pack:
    """Read and check the pack in a folder.

    Returns:
        The pack exactly as its canonical bytes hold it: a pack loaded and a pack decoded never differ, not even in the
        order of a mapping.

    Raises:
        ContentErrors: with all errors and warnings. What concerns the whole pack (does everything that is named exist?) is checked
            once every file can be read.
    """
    return read_pack(path)[0]


def read_pack(path: Path) -> tuple[Pack, list[Mistake]]:
    """Do as `load_pack`, and return the warnings as well, sorted by place."""
    reading = Reading(path)
    reading.check()
    return decode_pack(pack_bytes(reading.pack())), sorted(set(reading.mistakes))


def builtin_packs() -> dict[str, Path]:
    """Return the folders of the packs that come with Omenlog, by id (a built-in pack's folder has its name)."""
    return {path.parent.name: path.parent for path in sorted(PACKS.glob("*/pack.yaml"))}
