"""The build hook of the wheel: what play runs most is compiled by mypyc, where a C compiler is at hand.

The sources lie beside the compiled modules and run as well without them. `OMENLOG_COMPILE=never` leaves these out, `always` makes the
build fail where they can't be made; otherwise it says so and goes on without.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import sysconfig
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = ("decide.py", "engine", "house", "queries", "rulebook", "verbs")
"""Files of the domain, and folders in which all are compiled but these."""
LEFT_OUT = {
    "domain/engine/rules.py": "compiled objects can't be copied by `copy.copy`",
    "domain/rulebook/turn/standing_orders.py": "a Struct of msgspec can't be a compiled class",
}


class CompilingHook(BuildHookInterface[Any]):
    """Adds compiled modules to a wheel. An editable install gets none: they would hide what is edited."""

    def dependencies(self) -> list[str]:
        project = tomllib.loads(Path(self.root, "pyproject.toml").read_text(encoding="utf-8"))
        return list(project["dependency-groups"]["compile"]) if _is_wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self._folder = TemporaryDirectory()
        if version == "editable" or not _is_wanted():
            return
        try:
            if why := unavailable():
                sys.exit(why)
            modules = _compile(Path(self.root), Path(self._folder.name))
        except (Exception, SystemExit) as failure:  # mypyc exits where mypy finds a mistake
            if os.environ.get("OMENLOG_COMPILE") == "always":
                raise
            self.app.display_warning(f"omenlog is not compiled: {failure}")
            return
        build_data["force_include"].update(modules)
        build_data.update(pure_python=False, infer_tag=True)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 -- as hatchling calls it
        self._folder.cleanup()


def unavailable() -> str:
    """Why nothing can be compiled here; empty where it can."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if sys.implementation.name != "cpython":
        return "mypyc compiles for CPython alone"
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler})"
    headers = Path(sysconfig.get_path("include"), "Python.h")
    return "" if headers.is_file() else f"there are no headers of Python ({headers})"


def _is_wanted() -> bool:
    asked = os.environ.get("OMENLOG_COMPILE", "")
    if asked not in {"", "always", "never"}:
        sys.exit(f"OMENLOG_COMPILE={asked}: write `always` or `never`, or unset it to compile where that is possible")
    return asked == "always" or (asked != "never" and not unavailable())


def _compile(root: Path, target: Path) -> dict[str, str]:
    """Compile into a folder; returns the files made, and where in the wheel each belongs."""
    from mypyc.build import mypycify  # noqa: PLC0415 -- isn't there where nothing is compiled
    from setuptools import Distribution  # type: ignore[import-untyped]  # noqa: PLC0415 -- as above

    options = ["--config-file=", f"--cache-dir={target}/mypy", "--follow-imports=silent", "--ignore-missing-imports"]
    with contextlib.chdir(root):
        modules = mypycify(
            [*options, *_sources()],
            group_name="domain",
            multi_file=True,
            opt_level="2",
            debug_level="0",
            target_dir=f"{target}/c",
        )
        build = Distribution({"name": "omenlog", "ext_modules": modules}).get_command_obj("build_ext")
        build.build_lib, build.build_temp = f"{target}/made", f"{target}/objects"
        build.ensure_finalized()
        build.run()
    made = target / "made"
    return {str(file): file.relative_to(made).as_posix() for file in made.rglob("*") if file.is_file()}


def _sources() -> list[str]:
    named = [Path("domain", name) for name in COMPILED]
    found = [file for one in named for file in (one.rglob("*.py") if one.suffix == "" else [one])]
    files = sorted(file.as_posix() for file in found if file.name != "__init__.py")
    return [file for file in files if file not in LEFT_OUT]
