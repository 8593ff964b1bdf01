"""Loading a pack: a folder of files, or the file of one haunt, becomes one checked `Pack`, or a list of every mistake with its place."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from content.errors import ContentErrors, Finding, Mistake, Trail, did_you_mean, errors_of, listed
from content.load.begins import chart_haunts
from content.load.convert import empty, fit
from content.load.digest import decode_pack, pack_bytes
from content.load.documents import Document
from content.load.extend import extend
from content.load.layout import HAUNT, HEAD, LAYOUT, SINGLE, FileKind, Piece, Pieces, misplaced, ordered
from content.survey import Memory
from content.vocabulary.base import DECKS, Word
from content.vocabulary.extension import VOCABULARY, Extension
from content.vocabulary.pack import Card, Chart, Explorer, Haunt, Pack, PackHead, Scenario, Tile, TokenKind

PACKS = Path(__file__).parent.parent / "packs"
HEAD_FILE = "pack.yaml"

BASE = "second-edition"
"""The built-in pack to which the file of a haunt belongs, unless another one is named or it fits another one better."""

W = TypeVar("W", bound=Word)


class Contents(NamedTuple):
    """What could be read of one file."""

    pieces: list[Piece]
    mistakes: list[Mistake]
    foreign: bool = False
    """It says that the pack is written in another version of the vocabulary."""


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
    if kind is HEAD and (finding := _other_vocabulary(data)) is not None:
        return Contents([], [document.mistake(finding)], foreign=True)
    piece = Extension if kind is HEAD and isinstance(data, dict) and "extends" in data else kind.piece
    if kind.many:
        if not isinstance(data, list):
            message = f"a file of the folder `{path.parent.name}` is a list of {kind.field}"
            return Contents([], [document.mistake(Finding((), message, "start each with `- `"))])
        trails = [(index,) for index in range(len(data))]
    contents = Contents([], [])
    for trail, part in zip(trails, data if kind.many else [data], strict=True):
        value = fit(part, piece, trail)
        findings = value if isinstance(value, list) else list(empty(part, trail))
        contents.mistakes.extend(document.mistake(finding) for finding in findings)
        if not isinstance(value, list):
            contents.pieces.append(Piece(value, document, trail))
    return contents


def _other_vocabulary(data: object) -> Finding | None:
    """Find that a pack is written in another version of the vocabulary: then nothing else that is said of it would help."""
    wanted = data.get("vocabulary", VOCABULARY) if isinstance(data, dict) else VOCABULARY
    if wanted == VOCABULARY:
        return None
    message = f"written in version {wanted} of the vocabulary: this Omenlog reads version {VOCABULARY}"
    return Finding(("vocabulary",), message, f"write `vocabulary: {VOCABULARY}`, and what the manual has for it")


class Reading:
    """What could be read of a pack."""

    def __init__(self, path: Path, read: Callable[[Path, FileKind], Contents] = read_file, *, base: str = "") -> None:
        """Read every file; nothing is raised, mistakes are kept.

        Pieces of a kind are put in the order of their ids: how they are spread over files changes nothing.

        Args:
            path: the pack's folder, or the file of a haunt, which is a pack that adds this haunt to a built-in one.
            read: reads one file; in its place, what is known already of files that have not changed.
            base: the built-in pack to which the file of a haunt belongs; empty: see `base_of`.
        """
        self.mistakes: list[Mistake] = []
        self.pieces: Pieces = {}
        self.base = base
        self._base: Pieces = {}
        """The built-in pack that this one extends."""
        if path.is_file():
            self._read([(HAUNT, read(path, HAUNT))])
            self.base = base or base_of(path)
            self._begin_with_haunt(self.base)
        elif path.is_dir():
            files = [(kind, read(file, kind)) for kind in LAYOUT for file in kind.files(path)]
            foreign = [(kind, contents) for kind, contents in files if contents.foreign]
            self._read(foreign or files)
            if not foreign:
                extends = any(isinstance(piece.value, Extension) for piece in self.pieces.values())
                self.mistakes += misplaced(path, extends=extends)
        else:
            there = path.exists() or path.is_symlink()
            message = "this is neither a file nor a folder" if there else "no such file or folder"
            hint = "a pack is a folder, or the file of a haunt"
            self.mistakes.append(Mistake(str(path), 1, 1, message, hint))
        self._extend()
        if not self.mistakes:
            self.pieces, self.mistakes = chart_haunts(self.pieces)

    def _read(self, files: list[tuple[FileKind, Contents]]) -> None:
        """Take what the files hold."""
        self.mistakes += [mistake for _, contents in files for mistake in contents.mistakes]
        pieces: dict[str, list[Piece]] = {kind.field: [] for kind in LAYOUT}
        for kind, contents in files:
            pieces[kind.field] += contents.pieces
        self.pieces = ordered(pieces)

    def _begin_with_haunt(self, base: str) -> None:
        """Make the head that the file of a haunt lacks."""
        for piece in list(self.pieces.values()):
            if isinstance(piece.value, Haunt):
                haunt = piece.value
                head = Extension(id=haunt.id, title=haunt.title, extends=base, stage=haunt.stage)
                self.pieces["head",] = Piece(head, piece.document, ())

    def _extend(self) -> None:
        """Put the pieces of the built-in pack to those of one that extends it."""
        head = self.pieces.get(("head",))
        if head is None or not isinstance(head.value, Extension):
            return
        packs = builtin_packs()
        if head.value.extends not in packs:
            hint = did_you_mean(head.value.extends, packs) or f"there are {listed(packs)}"
            finding = Finding(("extends",), f"there is no built-in pack `{head.value.extends}`", hint)
            self.mistakes.append(head.mistake(finding))
        self.reserve(packs)
        if not self.mistakes:
            self._base = _builtin_pieces(head.value.extends)
            self.pieces, self.mistakes = extend(self.pieces, self._base)

    def check(self, memory: Memory | None = None, *, warnings: bool = True) -> None:
        """Run the checker over what could be read, and add what it finds.

        Args:
            memory: of an earlier check of this pack: with it, pieces that were not read anew cost less.
            warnings: without them it is done sooner.
        """
        from content.check.laws import findings  # noqa: PLC0415 -- much to import for whoever plays packs and checks none

        values = {trail: piece.value for trail, piece in self.pieces.items()}
        given = {id(piece) for piece in self._base.values()}
        sound = {trail for trail, piece in self.pieces.items() if id(piece) in given}
        for finding in findings(values, whole=not self.mistakes, sound=sound, memory=memory, warnings=warnings):
            depth = 1 if finding.trail[0] in SINGLE else 2
            piece = self._place(finding.trail[:depth], finding.trail[depth:])
            hint = finding.suggestion
            if self._base and Path(piece.document.file).is_relative_to(PACKS):
                if finding.severity == "warning":
                    continue  # the author of this pack can't mend it
                hint = "needed here, and changed by `replaces` or `without` of pack.yaml"
            self.mistakes.append(piece.mistake(finding._replace(trail=finding.trail[depth:], suggestion=hint)))
        self.mistakes += [mistake for piece in self.pieces.values() for mistake in _wrong_deck(piece)]

    def reserve(self, taken: Iterable[str]) -> None:
        """Add a mistake if the pack has one of these ids."""
        head = self.pieces.get(("head",))
        if head is not None and head.id in taken:
            message = f"`{head.id}` is the name of a built-in pack"
            self.mistakes.append(head.mistake(Finding(("id",), message, "take another id")))

    def _place(self, trail: Trail, below: Trail) -> Piece:
        """The piece in whose file something stands: blocks of a built-in pack do not stand in one that extends it."""
        own = self.pieces[trail]
        try:
            own.document.source(own.trail + below[:2])
        except KeyError:
            return self._base.get(trail, own) if trail == ("head",) else own
        return own

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


@cache
def _builtin_pieces(name: str) -> Pieces:
    return Reading(builtin_packs()[name]).pieces


def pack_of(path: Path) -> Path:
    """The folder of the pack that a file lies in; a folder, and the file of a haunt alone, is one itself."""
    if path.is_file():
        return next((folder for folder in path.absolute().parents if (folder / HEAD_FILE).is_file()), path)
    return path


def haunt_in(file: Path) -> str:
    """The id of the haunt that a file holds; empty if it can't be read."""
    return next((piece.id for piece in read_file(file, HAUNT).pieces), "")


def base_of(path: Path) -> str:
    """The built-in pack to which the file of a haunt belongs.

    If it lies in the folder of a pack, what `pack.yaml` says; else the one that has a haunt of this id already; else the one in which
    it has the fewest mistakes, of equals `BASE`.
    """
    return _named_base(path) or _fitting(path, warnings=False).base


def _named_base(path: Path) -> str:
    """The built-in pack to which the file of a haunt belongs by its folder or its id; empty if they don't tell."""
    packs = builtin_packs()
    folder, haunt = pack_of(path), haunt_in(path)
    if folder.is_dir():
        for piece in read_file(folder / HEAD_FILE, HEAD).pieces:
            if isinstance(piece.value, Extension):
                return piece.value.extends
            if isinstance(piece.value, PackHead):
                edition = piece.value.edition
                return next((one for one in packs if _edition_of(one) == edition), BASE)
    for base in packs:
        if haunt in (piece.id for piece in _builtin_pieces(base).values() if isinstance(piece.value, Haunt)):
            return base
    return ""


def _fitting(path: Path, *, warnings: bool) -> Reading:
    """Check the file of a haunt with each built-in pack, until it has no mistakes, and return what had the fewest, of equals `BASE`."""
    readings: list[Reading] = []
    for base in sorted(builtin_packs(), key=lambda one: one != BASE):
        readings.append(Reading(path, base=base))
        readings[-1].check(warnings=warnings)
        if not errors_of(readings[-1].mistakes):
            break
    return min(readings, key=lambda reading: len(errors_of(reading.mistakes)))


def _edition_of(name: str) -> str:
    """The edition of a built-in pack."""
    return next(piece.value.edition for piece in _builtin_pieces(name).values() if isinstance(piece.value, PackHead))


def load_pack(path: Path, *, base: str = "", taken: Iterable[str] = ()) -> Pack:
    """Read and check the pack in a folder, or the file of a haunt that belongs to a built-in pack.

    Args:
        path: the folder or file.
        base: the built-in pack to which the file of a haunt belongs; empty: see `base_of`.
        taken: ids that the pack can't have.

    Returns:
        The pack exactly as its canonical bytes hold it: a pack loaded and a pack decoded never differ, not even in the
        order of a mapping.

    Raises:
        ContentErrors: with all errors. What concerns the whole pack (does everything that is named exist?) is checked
            once every file can be read.
    """
    return _checked(path, base, taken, warnings=False)[0]


def read_pack(path: Path, *, base: str = "", taken: Iterable[str] = ()) -> tuple[Pack, list[Mistake]]:
    """Do as `load_pack`, and return the warnings as well, sorted by place."""
    return _checked(path, base, taken, warnings=True)


def _checked(path: Path, base: str, taken: Iterable[str], *, warnings: bool) -> tuple[Pack, list[Mistake]]:
    base = base or (_named_base(path) if path.is_file() else "")
    if base or not path.is_file():
        reading = Reading(path, base=base)
        reading.check(warnings=warnings)
    else:
        reading = _fitting(path, warnings=warnings)
    reading.reserve(taken)
    return decode_pack(pack_bytes(reading.pack())), sorted(set(reading.mistakes))


def builtin_packs() -> dict[str, Path]:
    """Return the folders of the packs that come with Omenlog, by id (a built-in pack's folder has its name)."""
    return {path.parent.name: path.parent for path in sorted(PACKS.glob("*/pack.yaml"))}
