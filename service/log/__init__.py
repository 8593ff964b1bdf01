"""The log of a game: stored commits, their chain, and what is kept in and beside it."""
