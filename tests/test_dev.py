"""Which Python `./dev` takes: one built with PGO and LTO where there is one, and one that can make a venv before one that cannot."""

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.interpreter import optimizations

ROOT = Path(__file__).parents[1]
TOOLS = ("bash", "cat", "cksum", "dirname", "grep", "id", "rm")
PYTHON = """\
#!{bash}
case $1 in
  -I) echo "{says} $0" ;;
  -c) [[ "$2" != *ensurepip* || "{says}" != *no-venv* ]] ;;
  *) exit 1 ;;
esac
"""
"""Says what it is, and makes no venv."""


@pytest.fixture
def taken(tmp_path: Path) -> Callable[..., str]:
    """Which of these interpreters `./dev` takes, found on the PATH in this order, by what they say of themselves."""
    (tmp_path / "requirements").mkdir()
    for file in ("requirements/test.txt", "requirements/uv.txt", "pyproject.toml"):
        (tmp_path / file).touch()
    shutil.copy(ROOT / "dev", tmp_path)
    bash, tools = shutil.which("bash"), tmp_path / "tools"
    assert bash is not None
    tools.mkdir()
    for tool in TOOLS:
        (tools / tool).symlink_to(shutil.which(tool) or tool)

    def run(*interpreters: str, chosen: int | None = None) -> str:
        folders = [tmp_path / str(number) for number in range(len(interpreters))]
        for folder, says in zip(folders, interpreters, strict=True):
            folder.mkdir()
            (folder / "python3").write_text(PYTHON.format(bash=bash, says=says), encoding="utf-8")
            (folder / "python3").chmod(0o755)
        env = {"PATH": os.pathsep.join(map(str, [*folders, tools]))}
        if chosen is not None:
            env["PYTHON"] = str(folders[chosen] / "python3")
        done = subprocess.run([bash, tmp_path / "dev", "golden"], env=env, capture_output=True, text=True, check=False)
        return done.stderr.replace(f"{tmp_path}/", "")

    return run


PLAIN, FAST = "3.12.1 none venv", "3.11.2 PGO+LTO venv"


def test_an_interpreter_with_pgo_and_lto_goes_before_the_first(taken: Callable[..., str]) -> None:
    assert "Python 3.11.2 (1/python3, optimized by: PGO+LTO)" in taken(PLAIN, FAST, "3.13.0 PGO+LTO venv")


def test_without_one_the_first_is_taken(taken: Callable[..., str]) -> None:
    assert "Python 3.12.1 (0/python3, optimized by: none)" in taken(PLAIN, "3.13.0 none venv")


def test_an_interpreter_that_makes_no_venv_is_not_taken_where_another_does(taken: Callable[..., str]) -> None:
    assert "Python 3.12.1 (1/python3, optimized by: none)" in taken("3.11.2 PGO+LTO no-venv", PLAIN)


def test_alone_it_is_taken_and_needs_its_package(taken: Callable[..., str]) -> None:
    told = taken("3.11.2 PGO+LTO no-venv")
    assert "Python 3.11.2 (0/python3, optimized by: PGO+LTO)" in told
    assert "missing: python3.11-venv" in told


def test_the_variable_overrules(taken: Callable[..., str]) -> None:
    assert "Python 3.12.1 (1/python3, optimized by: none)" in taken(FAST, PLAIN, chosen=1)


@pytest.mark.parametrize(
    "said, schemes, machine, found",
    [
        ({"CONFIG_ARGS": "'--enable-optimizations' '--with-lto'"}, (), "x86_64", "PGO+LTO"),
        ({"PY_CORE_CFLAGS": "-O3 -fprofile-use", "PY_CORE_LDFLAGS": "-flto"}, (), "x86_64", "PGO+LTO"),
        ({"CONFIG_ARGS": "'--enable-optimizations'"}, (), "x86_64", "PGO"),
        ({"CONFIG_ARGS": "'--with-lto'"}, (), "x86_64", "LTO"),
        ({"CONFIG_ARGS": "", "PGO_PROF_USE_FLAG": "-fprofile-use"}, (), "x86_64", "none"),
        ({"CONFIG_ARGS": "'--enable-shared'"}, ("deb_system",), "x86_64", "PGO+LTO"),
        ({"CONFIG_ARGS": "'--enable-shared'"}, ("deb_system",), "riscv64", "none"),
    ],
)
def test_how_a_python_was_built_is_read_from_what_it_says(
    said: dict[str, str], schemes: tuple[str, ...], machine: str, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sysconfig, "get_config_var", said.get)
    monkeypatch.setattr(sysconfig, "get_scheme_names", lambda: schemes)
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert optimizations() == found
