"""Canonical bytes: the same in every process, under every hash seed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from content.load.digest import digest, pack_bytes
from content.load.packs import load_pack

PROGRAM = """
import sys
from pathlib import Path
from content.load.digest import pack_bytes
from content.load.packs import load_pack
sys.stdout.buffer.write(pack_bytes(load_pack(Path(sys.argv[1]))))
"""

GOLDEN = "sha256:df0330457078c75bad3c96e716b7e92f81ee02a202039a598239856b354b621a"
"""It changes with the small pack and with the order of fields in the vocabulary, with nothing else."""


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_canonical_bytes_are_the_same_under_every_hash_seed(small: Path, seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    assert subprocess.check_output([sys.executable, "-c", PROGRAM, str(small)], env=environment) == _bytes(small)


def test_the_digest_of_the_small_pack_is_known(small: Path) -> None:
    assert digest(_bytes(small)) == GOLDEN


def test_canonical_bytes_hold_no_default_and_no_space(small: Path) -> None:
    data = _bytes(small)
    assert data.startswith(b'{"head":{"id":"small","version":"1.0.0",')
    assert b'"discovered":true' not in data
    assert b'{"0-2":[{"lose":{"trait":"might"}}],"3+":[]}' in data


def _bytes(folder: Path) -> bytes:
    return pack_bytes(load_pack(folder))
