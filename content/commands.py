"""What the command line does with content, as functions that return exit codes."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

import msgspec

from content import manual, schema
from content.digest import digest, pack_bytes
from content.errors import ContentErrors, Mistake
from content.ledger import ledger
from content.load import builtin_packs, load_pack
from content.vocabulary.pack import Pack

OK = 0
WRONG = 1


def check_command(paths: Iterable[Path] = (), out: TextIO | None = None) -> int:
    """Check packs, and say what is wrong with them.

    Prints a line `file:line:column: message` for each mistake, and a summary of each pack.

    Args:
        paths: folders of packs; none: the built-in packs, with the ledger, the schemas and the manual.
        out: where to print; none: standard output.

    Returns:
        0 if all is well, 1 if anything is wrong.
    """
    out = out or sys.stdout
    folders = list(paths)
    wrong = sum([_check_pack(folder, out) for folder in folders or builtin_packs().values()])
    if not folders:
        wrong += _check_ledger(out) + _check_generated(out)
    return WRONG if wrong else OK


def docs_command(out: TextIO | None = None) -> int:
    """Write the generated manual and schemas anew.

    Returns:
        0
    """
    out = out or sys.stdout
    files = {**schema.schema_files(), manual.FILE: manual.manual().encode()}
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


def _check_pack(folder: Path, out: TextIO) -> int:
    try:
        pack = load_pack(folder)
    except ContentErrors as errors:
        return _complain(str(_near(folder)), errors.mistakes, out)
    out.write(f"{pack.head.id} {pack.head.version}: {_contents(pack)}, {digest(pack_bytes(pack))}\n")
    return 0


def _check_ledger(out: TextIO) -> int:
    try:
        rules = ledger()
    except ContentErrors as errors:
        return _complain("the rule ledger", errors.mistakes, out)
    out.write(f"the rule ledger: {len(rules)} rules, {sum(rule.sealed for rule in rules.values())} of them sealed\n")
    return 0


def _check_generated(out: TextIO) -> int:
    stale = [*schema.stale_schemas(), *([] if manual.manual_is_current() else [manual.FILE])]
    mistakes = [Mistake(str(path), 1, 1, "not what would be generated now", "run `./dev docs`") for path in stale]
    return _complain("generated files", mistakes, out) if mistakes else 0


def _complain(what: str, mistakes: list[Mistake], out: TextIO) -> int:
    out.writelines(f"{msgspec.structs.replace(mistake, file=str(_near(Path(mistake.file))))}\n" for mistake in mistakes)
    count = len(mistakes)
    out.write(f"{what}: {count} {'mistake' if count == 1 else 'mistakes'}\n")
    return count


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
