"""The rulebook's procedures, by chapter: what may be done, what it costs, what it leads to.

From the bottom up: `table` (rolls, traits, triggers, limits), `cards`, `explore`, `fight`, `haunt` and `desk`, and on top `turn`, which
lists what may be done and knows every procedure. A procedure asks content through the engine's tables, never by name.
"""
