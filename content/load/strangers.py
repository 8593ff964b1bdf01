"""Packs that strangers send: unpacked, checked and made canonical in a process of its own, with little memory and time.

`python -m content.load.strangers BASE` reads an archive from its standard input and writes a `Judged` to its standard output.
"""

import contextlib
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from content.errors import ContentErrors, Mistake
from content.load.digest import pack_bytes
from content.load.packs import PACKS, builtin_packs, read_pack
from content.load.zipped import ARCHIVE, unpack

MAX_PACK = 1024 * 1024
"""Bytes of the canonical pack, the built-in one that it extends included, which has an eighth."""
MAX_FINDINGS = 100
"""Findings that are told."""
MEMORY = 768 * 1024 * 1024
"""Bytes of addresses that the process may use; it needs a third of it for a pack as large as a built-in one."""
SECONDS = 30
"""Of the processor."""
NOTHING = msgspec.Raw(b"null")

TOO_MUCH = "checking it takes more memory or deeper recursion than any pack needs"


class Judged(msgspec.Struct, frozen=True):
    """What came of a pack."""

    findings: list[Mistake]
    """Files are named as seen from the pack, or for pieces of the built-in pack with its id before them."""
    pack: msgspec.Raw = NOTHING
    """Its canonical bytes; nothing if it is refused."""


def judge(archive: bytes, base: str) -> Judged:
    """Unpack and check a pack; `base` is the built-in pack to which the file of a haunt alone belongs."""
    with TemporaryDirectory(prefix="omenlog-pack-") as folder:
        where = Path(folder)
        try:
            where = unpack(archive, where)
            pack, findings = read_pack(where, base=base, taken=builtin_packs())
        except ContentErrors as errors:
            return Judged(_seen_from(where, errors.mistakes))
        except (MemoryError, RecursionError):
            return Judged([Mistake(ARCHIVE, 1, 1, TOO_MUCH)])
        body = pack_bytes(pack)
        if len(body) > MAX_PACK:
            message = f"checked and put together it has {len(body)} bytes: a pack has at most {MAX_PACK}"
            return Judged([Mistake(ARCHIVE, 1, 1, message)])
        own = [finding for finding in findings if not Path(finding.file).is_relative_to(PACKS)]
        return Judged(_seen_from(where, own), msgspec.Raw(body))


def _seen_from(folder: Path, mistakes: list[Mistake]) -> list[Mistake]:
    """Name files as strangers know them."""
    roots = (folder.parent if folder.is_file() else folder, PACKS)

    def near(mistake: Mistake) -> Mistake:
        file = Path(mistake.file)
        name = next((str(file.relative_to(root)) for root in roots if file.is_relative_to(root)), mistake.file)
        return msgspec.structs.replace(mistake, file=name)

    return [near(mistake) for mistake in mistakes[:MAX_FINDINGS]]


def _bound() -> None:
    """Give up what no pack needs, for as long as this process lives."""
    with contextlib.suppress(ImportError):  # not on every system; the caller's deadline holds there too
        import resource  # noqa: PLC0415 -- as above

        for kind, most in (
            (resource.RLIMIT_AS, MEMORY),
            (resource.RLIMIT_CPU, SECONDS),
            (resource.RLIMIT_FSIZE, 4 * MAX_PACK),
            (resource.RLIMIT_CORE, 0),
        ):
            resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    _bound()
    sys.stdout.buffer.write(msgspec.json.encode(judge(sys.stdin.buffer.read(), sys.argv[1])))
