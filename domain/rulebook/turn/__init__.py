"""Turns: whose it is, what may be done in it, and every procedure by name."""
