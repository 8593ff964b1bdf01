"""A stretch of a game step by step, in words: who did what, what came of it, and by which rule.

One projection serves the API, the terminal and what is pasted into a forum. It is computed from one role's own state and from what
that role was told, and so can tell nothing that the role could not have known by then. Where an event does not carry its rule, a table of types
cites it, so that old games are told as well and no recorded byte changes.
"""
