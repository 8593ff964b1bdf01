"""`./dev test --changed`: the tests that a change can touch, nearest first, as many as fit into a minute."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
