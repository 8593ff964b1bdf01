"""The log of a game: stored commits, their chain, and what lies in and beside it."""
