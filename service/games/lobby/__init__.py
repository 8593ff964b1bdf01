"""Games are opened, joined, started, listed, imported."""
