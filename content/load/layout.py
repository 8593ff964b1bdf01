"""Which files a pack folder is made of, and what each holds."""

from pathlib import Path
from typing import NamedTuple

from content.errors import Mistake, did_you_mean
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
