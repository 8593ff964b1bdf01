"""Zipped packs of strangers, unpacked without trust: nothing outside the folder, nothing larger, deeper or stranger than a pack is."""

import re
import stat
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from content.errors import ContentErrors, Mistake

ARCHIVE = "(zip)"
"""Stands for the archive itself where a mistake names a file."""

MAX_FILES = 200
"""Files of a pack; a built-in one has thirty."""
MAX_BYTES = 2 * 1024 * 1024
"""Bytes of all files together, unpacked; a built-in pack has an eighth."""
MAX_LEVELS = 4
"""Folders in one another, the file counted: one around the pack, one for each kind of piece, and one to spare."""
MAX_NAME = 200
"""Characters of a path."""

BESIDE = (".md", ".txt")
"""Endings of files that may lie in a pack and are not read."""
OF_SYSTEMS = re.compile(r"(^|/)(__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)")
"""What file managers add to archives, which is passed over."""
CHUNK = 65_536

BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError, OverflowError)
"""What `zipfile` raises for archives that are damaged, or made to do damage."""


def unpack(data: bytes, folder: Path) -> Path:
    """Unpack an archive into an empty folder.

    Returns:
        The pack in it: the folder that holds `pack.yaml`, or the file of a haunt that lies there alone.

    Raises:
        ContentErrors: it is no archive, or not one of a pack, or too large. Nothing was written outside the folder.
    """
    try:
        with ZipFile(BytesIO(data)) as archive:
            files = _files(archive.infolist())
            if not files:
                raise _refusal(ARCHIVE, "no file is in the archive: send the folder of a pack, or the file of a haunt")
            left = MAX_BYTES
            for name, info in files.items():
                text = _read(archive, info, left)
                left -= len(text)
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text)
    except BROKEN as error:
        raise _refusal(ARCHIVE, f"not a zip archive that can be read: {_shown(str(error))}") from None
    return _pack_in(folder, [name for name in files if not name.endswith(BESIDE)])


def _files(entries: list[ZipInfo]) -> dict[str, ZipInfo]:
    """Choose the entries to unpack, by name; raises `ContentErrors` with everything that none may be."""
    mistakes = [_mistake(_shown(info.orig_filename), why) for info in entries for why in _faults(info)]
    files = {info.filename: info for info in entries if not info.is_dir() and not OF_SYSTEMS.search(info.filename)}
    if len(entries) > MAX_FILES:
        mistakes.append(_mistake(ARCHIVE, f"{len(entries)} entries: a pack has at most {MAX_FILES} files"))
    seen: dict[str, str] = {}
    for info in entries:
        name = info.filename.rstrip("/").casefold()
        if name in seen:
            mistakes.append(
                _mistake(_shown(info.filename), f"the archive has it twice, also as `{_shown(seen[name])}`")
            )
        seen[name] = info.filename
    # A file can't be a folder as well: whoever unpacks one can't unpack the other.
    folders = {parent.as_posix().casefold() for name in files for parent in PurePosixPath(name).parents}
    mistakes += [_mistake(_shown(name), "both a file and a folder") for name in files if name.casefold() in folders]
    if mistakes:
        raise ContentErrors(mistakes[:MAX_FILES])
    return files


def _faults(info: ZipInfo) -> Iterator[str]:
    """Say why an entry is not unpacked."""
    name = info.orig_filename
    parts = name.removesuffix("/").split("/")
    mode = stat.S_IFMT(info.external_attr >> 16)
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        yield "an absolute path: name files as seen from the pack"
    elif "\\" in name or not name.isprintable() or len(name) > MAX_NAME:
        yield f"a path of at most {MAX_NAME} printable characters with `/` between folders is expected"
    elif any(part in ("", ".", "..") for part in parts):
        yield "a path that leaves the pack or goes in circles: name files as seen from the pack"
    elif len(parts) > MAX_LEVELS:
        yield f"{len(parts)} levels deep: a pack has at most {MAX_LEVELS}"
    if mode not in (0, stat.S_IFREG, stat.S_IFDIR):
        yield "a link or a device: only files and folders are unpacked"
    if info.flag_bits & 1:
        yield "encrypted: send it without a password"
    elif info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        yield "compressed in a way that is not read here: only deflate is, and none at all"
    if not info.is_dir() and not OF_SYSTEMS.search(name) and not name.endswith((".yaml", ".yml", *BESIDE)):
        yield "no file of a pack: packs are made of YAML files"


def _read(archive: ZipFile, info: ZipInfo, left: int) -> bytes:
    """Read a file, no further than what may come; what the archive says of its size is not believed."""
    found = bytearray()
    with archive.open(info) as file:
        while part := file.read(min(CHUNK, left + 1 - len(found))):
            found += part
            if len(found) > left:
                raise _refusal(info.filename, f"unpacked, the pack has more than {MAX_BYTES} bytes up to here")
    return bytes(found)


def _pack_in(folder: Path, names: list[str]) -> Path:
    """Find the pack: archives often have one folder around all."""
    while names and "pack.yaml" not in names and len({name.partition("/")[0] for name in names}) == 1:
        first, inside, _ = names[0].partition("/")
        if not inside:
            return folder / first
        folder, names = folder / first, [name.partition("/")[2] for name in names]
    return folder


def _shown(name: str) -> str:
    """Write a name or message of a stranger so that it stays in its line."""
    return name.encode("unicode_escape").decode()[:MAX_NAME] if not name.isprintable() else name[:MAX_NAME]


def _mistake(file: str, message: str) -> Mistake:
    return Mistake(file, 1, 1, message)


def _refusal(file: str, message: str) -> ContentErrors:
    return ContentErrors([_mistake(file, message)])
