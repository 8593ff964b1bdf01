"""What a wheel is made of where it can be compiled, and where it can't. That the compiled domain plays alike is tested by `./dev prove`."""

import zipfile
from pathlib import Path

import pytest

from hatch_build import unavailable
from tests.support.compiling import build_wheel, compiled

PURE = "omenlog-0.1.0-py3-none-any.whl"


def test_without_a_compiler_it_is_pure_python_and_nothing_fails(tmp_path: Path) -> None:
    build_wheel(tmp_path / "made", "", PATH=str(tmp_path))
    (wheel,) = (tmp_path / "made").glob("*.whl")
    assert wheel.name == PURE
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")]


def test_whoever_insists_is_told_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="there is no C compiler"):
        build_wheel(tmp_path, "always", PATH=str(tmp_path))
    assert not list(tmp_path.glob("*.whl"))


def test_whoever_asks_for_something_else_is_told_what_can_be_asked_for(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="OMENLOG_COMPILE=no: write `always` or `never`"):
        build_wheel(tmp_path, "no")
    assert not list(tmp_path.glob("*.whl"))


@pytest.mark.prove
@pytest.mark.skipif(unavailable() != "", reason=unavailable())
def test_where_compiling_fails_it_says_so_and_is_pure_python(tmp_path: Path) -> None:
    said = build_wheel(tmp_path, "", CC="false")
    assert "omenlog is not compiled: " in said
    assert [wheel.name for wheel in tmp_path.glob("*.whl")] == [PURE]


@pytest.mark.prove
@pytest.mark.skipif(unavailable() != "", reason=unavailable())
def test_its_sources_lie_beside_the_compiled_modules() -> None:
    folder = compiled() / "domain"
    modules = [file.with_name(f"{file.name.partition('.')[0]}.py") for file in folder.rglob("*.so")]
    assert folder / "decide.py" in modules
    assert all(module.is_file() for module in modules)
