"""Which files a pack folder is made of, what each holds, and what was read of them, piece by piece."""

from pathlib import Path
from typing import NamedTuple

from content.errors import Finding, Mistake, Trail, did_you_mean
from content.load.documents import Document
from content.vocabulary.base import Word
from content.vocabulary.pack import Card, Chart, Explorer, Haunt, PackHead, Scenario, Tile, TokenKind


class FileKind(NamedTuple):
    """One kind of file in a pack folder."""

    field: str
    """The field of `Pack` that it fills."""
    schema: str
    """The name of its JSON Schema."""
    pattern: str
    """Where such files are in the folder."""
    piece: type[Word]
    """What is in it."""
    many: bool
    """It holds a list of pieces; if false, one piece."""
    required: bool = False

    def files(self, folder: Path) -> list[Path]:
        """Find the files of this kind, in the order of their names."""
        return sorted(path for path in folder.glob(self.pattern) if path.is_file())


HEAD = FileKind("head", "pack", "pack.yaml", PackHead, many=False, required=True)
"""With `extends` it holds an `Extension`."""

HAUNT = FileKind("haunts", "haunt", "haunts/*.yaml", Haunt, many=False)

LAYOUT: tuple[FileKind, ...] = (
    HEAD,
    FileKind("tiles", "tiles", "tiles/*.yaml", Tile, many=True, required=True),
    FileKind("cards", "cards", "cards/*.yaml", Card, many=True, required=True),
    FileKind("tokens", "tokens", "tokens.yaml", TokenKind, many=True),
    FileKind("explorers", "characters", "characters/*.yaml", Explorer, many=True, required=True),
    FileKind("chart", "chart", "chart.yaml", Chart, many=False),
    FileKind("scenarios", "scenarios", "scenarios/*.yaml", Scenario, many=True),
    HAUNT,
)
"""All file kinds, in the order of the manual."""


def misplaced(folder: Path, *, extends: bool = False) -> list[Mistake]:
    """Find what is missing in a pack folder, and the YAML files in it that nothing would read; one that `extends` lacks nothing but a head."""
    if not any(kind.files(folder) for kind in LAYOUT if kind.required):
        hint = "`id`, `title` and `extends` make one, and haunts lie beside it in `haunts/`; the file of one haunt needs none"
        return [Mistake(str(folder / HEAD.pattern), 1, 1, "missing: a pack cannot do without it", hint)]
    mistakes = [
        Mistake(str(folder / kind.pattern), 1, 1, "missing: a pack cannot do without it")
        for kind in LAYOUT
        if kind.required and (kind is HEAD or not extends) and not kind.files(folder)
    ]
    read = {path for kind in LAYOUT for path in kind.files(folder)}
    places = [kind.pattern.replace("*", "name") for kind in LAYOUT]
    for path in sorted(folder.rglob("*.y*ml")):
        if path.is_file() and path not in read:
            hint = did_you_mean(path.relative_to(folder).as_posix(), places)
            mistakes.append(Mistake(str(path), 1, 1, "no file of a pack lies here, so nothing reads it", hint))
    return mistakes


class Piece(NamedTuple):
    """A tile, card, haunt or other piece of a pack, with the place in the files that it comes from."""

    value: Word
    document: Document
    trail: Trail
    """From the root of the document."""

    @property
    def id(self) -> str:
        """What it is called; nothing where pieces of its kind have no names."""
        return str(getattr(self.value, "id", ""))

    def mistake(self, finding: Finding) -> Mistake:
        """Locate a finding whose trail begins at the piece."""
        return self.document.mistake(finding._replace(trail=self.trail + finding.trail))


Pieces = dict[Trail, Piece]
"""By their place in `Pack`: `("tiles", 3)`, `("head",)`."""


def ordered(pieces: dict[str, list[Piece]]) -> Pieces:
    """Number the pieces of each field of `Pack` in the order of their ids; a field with one piece has no numbers."""
    found: Pieces = {}
    for field, some in pieces.items():
        if field in SINGLE:
            found.update([((field,), piece) for piece in some])
        else:
            found |= {(field, index): piece for index, piece in enumerate(sorted(some, key=lambda piece: piece.id))}
    return found


SINGLE = {"head", "chart"}
"""The fields of `Pack` that hold one piece, not a list."""
