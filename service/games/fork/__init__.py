"""Forks: sandboxes that begin where a game stood."""
