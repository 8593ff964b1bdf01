"""What the command line does with content, as functions that return exit codes."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, TextIO

import msgspec

from content.authoring import schema
from content.errors import ContentErrors, Mistake, errors_of
from content.ledger import ledger
from content.load.digest import digest, pack_bytes
from content.load.offers import Source
from content.load.packs import builtin_packs, pack_of, read_pack
from content.vocabulary.pack import Pack

OK = 0
WRONG = 1

MANUAL = Path(__file__).parent.parent / "MANUAL.md"

Manual = Callable[[], str]
"""What writes the manual. It tells examples in words, so it stands above the content (`projections.wording.manual`)."""

Form = Literal["text", "json"]
FORMS: tuple[Form, ...] = ("text", "json")


def check_command(
    paths: Iterable[Path] = (),
    out: TextIO | None = None,
    form: Form = "text",
    *,
    manual: Manual,
    strict: bool = False,
    base: str = "",
) -> int:
    """Check packs, and say what is wrong with them.

    As text: a line `file:line:column: message` for each mistake, with `warning: ` before the message of a warning, and a summary of
    each pack. As JSON: an object for each
    mistake, a line each, and nothing else.

    Args:
        paths: folders of packs, or files in them; none: the built-in packs, with the ledger, the schemas and the manual.
        out: where to print; none: standard output.
        form: how to print.
        manual: writes the manual, to compare.
        strict: a warning counts as an error.
        base: the built-in pack to which the file of a haunt alone belongs; empty: the file tells.

    Returns:
        0 if all is well, 1 if there is an error.
    """
    told = _Teller(out or sys.stdout, form, strict=strict)
    folders = list(dict.fromkeys(map(pack_of, paths)))
    for folder in folders or builtin_packs().values():
        _check_pack(folder, told, base)
    if not folders:
        _check_ledger(told)
        _check_generated(told, manual)
    return WRONG if told.wrong else OK


def docs_command(manual: Manual, out: TextIO | None = None) -> int:
    """Write the generated manual and schemas anew.

    Returns:
        0
    """
    out = out or sys.stdout
    files = {**schema.schema_files(), MANUAL: manual().encode()}
    for path in schema.stale_schemas():
        if path not in files:
            path.unlink()
            out.write(f"removed {_near(path)}\n")
    for path, data in files.items():
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
            out.write(f"wrote {_near(path)}\n")
    return OK


class _Teller:
    """Prints mistakes and summaries, and counts what makes the check fail."""

    def __init__(self, out: TextIO, form: Form, *, strict: bool) -> None:
        self.wrong = 0
        self._strict = strict
        self._out = out
        self._form = form

    def well(self, summary: str) -> None:
        """Sum up what has no mistakes."""
        if self._form == "text":
            self._out.write(f"{summary}\n")

    def complain(self, what: str, mistakes: list[Mistake]) -> None:
        """Print what is wrong with something, if anything is."""
        if not mistakes:
            return
        wrong = len(errors_of(mistakes))
        self.wrong += len(mistakes) if self._strict else wrong
        counts = ((wrong, "mistake"), (len(mistakes) - wrong, "warning"))
        near = [msgspec.structs.replace(mistake, file=str(_near(Path(mistake.file)))) for mistake in mistakes]
        if self._form == "json":
            self._out.writelines(f"{msgspec.json.encode(mistake).decode()}\n" for mistake in near)
        else:
            self._out.writelines(f"{mistake}\n" for mistake in near)
            told = [f"{count} {word}" if count == 1 else f"{count} {word}s" for count, word in counts if count]
            self._out.write(f"{what}: {' and '.join(told)}\n")


def _check_pack(folder: Path, told: _Teller, base: str) -> None:
    try:
        pack, warnings = read_pack(folder, base=base, taken=Source(folder).taken())
    except ContentErrors as errors:
        told.complain(str(_near(folder)), errors.mistakes)
    else:
        told.complain(str(_near(folder)), warnings)
        told.well(f"{pack.head.id} {pack.head.version}: {_contents(pack)}, {digest(pack_bytes(pack))}")


def _check_ledger(told: _Teller) -> None:
    try:
        rules = ledger()
    except ContentErrors as errors:
        told.complain("the rule ledger", errors.mistakes)
    else:
        sealed = sum(rule.sealed for rule in rules.values())
        told.well(f"the rule ledger: {len(rules)} rules, {sealed} of them sealed")


def _check_generated(told: _Teller, manual: Manual) -> None:
    current = MANUAL.is_file() and MANUAL.read_bytes() == manual().encode()
    stale = [*schema.stale_schemas(), *([] if current else [MANUAL])]
    mistakes = [Mistake(str(path), 1, 1, "not what would be generated now", "run `./dev docs`") for path in stale]
    told.complain("generated files", mistakes)


def _contents(pack: Pack) -> str:
    parts = {
        "tiles": len(pack.tiles),
        "explorers": len(pack.explorers),
        "cards": len(pack.cards),
        "tokens": len(pack.tokens),
        "scenarios": len(pack.scenarios),
        "haunts": len(pack.haunts),
    }
    return ", ".join(f"{count} {name}" for name, count in parts.items() if count)


def _near(path: Path) -> Path:
    """Return a path as seen from the working directory, where it lies below it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_absolute() and path.is_relative_to(here) else path
