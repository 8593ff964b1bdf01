"""Turns: whose it is, what may be done in it, and every procedure by name.

The turn's own decision (`turn-12`) has no event: it is open whenever nothing else is, and keeps its id for the turn. The rules refuse the same
move twice, and `If-Match` protects clients who want more. The decision `table` is always open, and is never listed, so that bots do not talk.
"""
