"""Where the databases of the benchmark lie while it runs: on the disk of the checkout, for a fsync in memory proves nothing."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "data" / "bench"
"""Below `data/`, which git ignores; each contestant makes a folder of its own there and removes it."""
