"""Archives for tests, friendly and hostile."""

import io
import stat
import zipfile
from collections.abc import Mapping

Files = Mapping[str, str | bytes]


def zipped(files: Files, *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive with these files."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", method) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return found.getvalue()


def with_entry(files: Files, name: str, text: str = "", *, mode: int = stat.S_IFREG) -> bytes:
    """An archive with one more entry, of whichever name and kind."""
    found = io.BytesIO(zipped(files))
    with zipfile.ZipFile(found, "a", zipfile.ZIP_DEFLATED) as archive:
        info = zipfile.ZipInfo("x")
        info.filename = name
        info.external_attr = mode << 16
        archive.writestr(info, text)
    return found.getvalue()
