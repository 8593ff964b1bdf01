"""The library, as a bot author uses it."""
