"""The same games on every interpreter and under every hash seed."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.laws.golden import HASHES

ROOT = Path(__file__).parents[3]
VENVS = ROOT / ".venv" / "interpreters"


@cache
def interpreters() -> dict[str, str]:
    """Every CPython from 3.11 on that this machine has, by version, this one first."""
    found = {f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable}
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    folders += sorted((Path.home() / ".pyenv" / "versions").glob("*/bin"))
    for minor in range(11, 20):
        version = f"3.{minor}"
        for folder in folders:
            candidate = folder / f"python{version}"
            if version not in found and candidate.exists() and _answers(candidate, version):
                found[version] = str(candidate)
    return found


def _answers(candidate: Path, version: str) -> bool:
    """Whether it runs: a shim of a version manager may stand for nothing."""
    asked = [str(candidate), "-c", "import sys, ensurepip; print('%d.%d' % sys.version_info[:2])"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)
    return told.returncode == 0 and told.stdout.strip() == version


def equipped(python: str) -> str:
    """An interpreter that has the project's packages: this one, or an environment made for it once."""
    if python == sys.executable:
        return python
    home = VENVS / Path(python).name
    inside = home / "bin" / "python"
    ready = home / "ready"
    if not ready.exists():
        subprocess.run([python, "-m", "venv", "--without-pip", str(home)], check=True)
        install = ["install", "--quiet", "--require-hashes", "-r", str(ROOT / "requirements" / "run.txt")]
        uv = [str(Path(sys.executable).with_name("uv")), "pip", *install, "--python", str(inside)]
        if subprocess.run(uv, check=False).returncode:  # uv reads none of pip's settings (see ./dev)
            subprocess.run([sys.executable, "-m", "pip", "--python", str(inside), *install], check=True)
        ready.touch()
    return str(inside)


STALE = "the games of tests/laws/golden.py differ from tests/golden/hashes.json: if that is meant, `./dev golden` writes it anew"


def told_by(python: str, hash_seed: str) -> dict[str, str]:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONDONTWRITEBYTECODE": "1"}
    told = subprocess.run(
        [python, "-m", "tests.laws.golden"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    hashes: dict[str, str] = json.loads(told.stdout)
    return hashes


@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_golden_games_do_not_depend_on_the_hash_seed(hash_seed: str) -> None:
    assert told_by(sys.executable, hash_seed) == json.loads(HASHES.read_text()), STALE


def test_golden_games_are_the_same_on_every_interpreter(record_property: Callable[[str, object], None]) -> None:
    committed = json.loads(HASHES.read_text())
    for python in interpreters().values():
        if python == sys.executable:
            continue  # under two hash seeds above
        assert told_by(equipped(python), "7") == committed, f"{python} plays another game"
    record_property("told", f"golden games hold on Python {', '.join(interpreters())}")
