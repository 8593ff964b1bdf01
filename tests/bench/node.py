"""What npm installs for a peer that is no Python: into its own folder, from the registry that npm knows here."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.bench.folder import ROOT

FOLDER = ROOT / "tests" / "bench" / "boardgame"
INSTALL_SECONDS = 240


def missing() -> str:
    """That there is no Node.js here, or nothing."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "there is no Node.js with npm here (Debian: apt-get install nodejs npm)"
    return ""


def unavailable() -> str:
    """Why boardgame.io can't run here, or nothing if it can; installs it where it is missing."""
    if why := missing():
        return why
    if (FOLDER / "node_modules" / ".package-lock.json").exists():
        return ""
    command = ["npm", "ci", "--ignore-scripts", "--silent", "--no-audit", "--no-fund"]
    try:
        done = subprocess.run(command, cwd=FOLDER, check=False, capture_output=True, text=True, timeout=INSTALL_SECONDS)
    except subprocess.TimeoutExpired:
        return f"npm could not install boardgame.io within {INSTALL_SECONDS} s"
    said = (done.stderr or done.stdout).strip().splitlines()
    return f"npm could not install boardgame.io: {said[-1] if said else 'it said nothing'}" if done.returncode else ""


@contextmanager
def boardgame() -> Iterator[str]:
    """boardgame.io's server in another process; gives its address."""
    command = ["node", "server.mjs"]
    environment = {**os.environ, "NODE_ENV": "production"}
    with subprocess.Popen(command, cwd=FOLDER, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            address = process.stdout.readline().strip() if process.stdout else ""
            if not address:
                raise RuntimeError("boardgame.io's server did not start")
            yield address
        finally:
            process.terminate()
