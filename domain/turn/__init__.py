"""Turns: what may be done, what it costs, what it leads to. One topic a module, named after the rulebook's chapter.

A module says what its command allows (`options`), checks (`check`, which refuses with a rule id) and does (`perform`), or
holds a procedure: a block of instructions that content and other procedures call by name (see `procedures`).
"""
