"""How the running Python was built. `./dev` runs this file with interpreters that may be too old for the rest: it takes one print.

Profile-guided (PGO) and link-time (LTO) optimization make Omenlog a fifth faster. Most packages and images have both; what pyenv compiles has
neither, unless it is told `PYTHON_CONFIGURE_OPTS="--enable-optimizations --with-lto"`.
"""

import importlib.util
import os
import platform
import sys
import sysconfig

SIGNS = {
    "PGO": ("--enable-optimizations", "-fprofile-use", "-fprofile-instr-use"),
    "LTO": ("--with-lto", "-flto"),
}
"""What was said to `configure`, or to the compiler, by what it does."""
SAID = ("CONFIG_ARGS", "PY_CFLAGS", "PY_CFLAGS_NODIST", "PY_CORE_CFLAGS", "PY_CORE_LDFLAGS", "LDFLAGS_NODIST")
"""The variables of `sysconfig` that repeat it."""
DEBIAN = "deb_system"
"""A scheme of installation that only the packages of Debian and Ubuntu know. They take these flags out of `sysconfig`, so that extensions are
compiled without them."""
OPTIMIZED_BY_DEBIAN = ("x86_64", "aarch64")
"""Machines for which those packages are surely built with both."""


def optimizations() -> str:
    """`PGO+LTO`, `PGO`, `LTO` or `none`."""
    if DEBIAN in sysconfig.get_scheme_names() and platform.machine() in OPTIMIZED_BY_DEBIAN:
        return "+".join(SIGNS)
    said = " ".join(str(sysconfig.get_config_var(name) or "") for name in SAID)
    return "+".join(name for name, signs in SIGNS.items() if any(sign in said for sign in signs)) or "none"


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 -- `./dev` tries whatever is on the PATH
        sys.exit(1)
    # Whether it can make a venv with pip: Debian's needs a package for that.
    makes_venvs = "venv" if importlib.util.find_spec("ensurepip") is not None else "no-venv"
    # The interpreter behind a shim, a link or an activated venv, as `venv` writes it into pyvenv.cfg.
    executable = os.path.realpath(sys._base_executable)  # type: ignore[attr-defined]  # noqa: SLF001
    sys.stdout.write(f"{platform.python_version()} {optimizations()} {makes_venvs} {executable}\n")
