"""The domain compiled, in a folder of its own: among the sources, compiled modules would hide what is edited."""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "compiled"
READ = ("content", "domain")
"""Folders that the compiler reads."""


def compiled() -> Path:
    """A folder to import the domain from, out of a compiled wheel. It takes a minute or two, and is kept while the sources stay the same."""
    folder = BUILT / _digest()
    if not folder.is_dir():
        shutil.rmtree(BUILT, ignore_errors=True)
        with TemporaryDirectory() as made:
            build_wheel(Path(made), "always")
            (wheel,) = Path(made).glob("*.whl")
            partial = BUILT / "partial"
            with zipfile.ZipFile(wheel) as packed:
                packed.extractall(partial, [name for name in packed.namelist() if name.startswith("domain")])
        partial.rename(folder)
    return folder


def is_compiled() -> bool:
    """Whether the domain that this process imports is compiled."""
    from domain import decide  # noqa: PLC0415 -- who builds it need not import it

    return not decide.__file__.endswith(".py")


def build_wheel(target: Path, compiling: str, **environment: str) -> str:
    """Build a wheel from the checkout, with the tools of this environment; returns what the build had to say.

    Args:
        target: the folder to put it into.
        compiling: `always` or `never`; empty: as it is for somebody who has said nothing.
        environment: variables of the build beside ours.
    """
    uv: list[str | Path] = [Path(sys.prefix, "bin", "uv"), "build", "--wheel", "--offline", "--no-build-isolation"]
    done = subprocess.run(
        [*uv, "--python", sys.executable, "--out-dir", target, ROOT],
        env={**os.environ, "OMENLOG_COMPILE": compiling, **environment},
        stderr=subprocess.STDOUT,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def _digest() -> str:
    files = [file for folder in READ for file in (ROOT / folder).rglob("*.py")]
    digest = hashlib.sha256(sys.version.encode())
    for file in sorted([*files, ROOT / "hatch_build.py", ROOT / "pyproject.toml"]):
        digest.update(f"{file} ".encode() + file.read_bytes())
    return digest.hexdigest()[:16]
