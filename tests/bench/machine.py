"""The machine that measures, as a reader needs it to compare."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import time
from pathlib import Path
from tempfile import NamedTemporaryFile

from tests.bench.folder import FOLDER
from tests.support.compiling import is_compiled
from tests.support.interpreter import optimizations

SYNCS = 200
PACKAGES = ("msgspec", "litestar", "uvicorn", "catanatron", "eventsourcing", "pettingzoo")


def describe() -> dict[str, str]:
    """Processor, memory, kernel, Python, the domain, packages, disk, and how busy all this is."""
    return {
        "processor": f"{_field('/proc/cpuinfo', 'model name')}, {os.cpu_count()} cores",
        "memory": _memory(),
        "kernel": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}, optimized by: {optimizations()}",
        "domain": "compiled" if is_compiled() else "plain Python, except where a row says otherwise",
        "packages": ", ".join(f"{name} {version}" for name in PACKAGES if (version := _version(name))),
        "disk": f"{_sync_us():.0f} us to append 4 KiB and fsync (median of {SYNCS})",
        "load before": f"{os.getloadavg()[0]:.2f} (average of one minute)",
    }


def _version(package: str) -> str:
    """Empty if it is not installed: peers are only where they are measured."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _memory() -> str:
    kibibytes = _field("/proc/meminfo", "MemTotal").split(" ", 1)[0]
    return f"{int(kibibytes) / 2**20:.1f} GiB" if kibibytes.isdecimal() else "unknown"


def _field(path: str, name: str) -> str:
    """The first line of that name in a file of `/proc`, where there is such a file."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "unknown")


def _sync_us() -> float:
    """What makes a commit durable costs so much here: every durable rate must be read beside it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    costs = []
    with NamedTemporaryFile(dir=FOLDER) as file:
        for _ in range(SYNCS):
            file.write(b"\x00" * 4096)
            file.flush()
            begun = time.perf_counter()
            os.fsync(file.fileno())
            costs.append(time.perf_counter() - begun)
    return 1e6 * sorted(costs)[SYNCS // 2]
