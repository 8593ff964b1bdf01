"""Turns: what may be done, what it costs, what it leads to. One topic a module, named after the rulebook's chapter.

A module says what its command allows (`options`), checks (`check`, which refuses with a rule id) and does (`perform`), or
holds a procedure: a block of instructions that content and other procedures call by name (see `procedures`).

The turn's own decision (`turn-12`) is no event: it is open whenever nothing else is, and keeps its id for the turn. The rules refuse the same
move twice, and `If-Match` guards whoever wants more. The decision `table` is always open, and is never listed, so that bots do not talk.
"""
