"""The rules of the game, as two pure functions over data: `decide` and `evolve`.

Here live state, commands, events, chance, the effect machine and the editions' policies; never I/O, a clock, an id from outside,
a float, a walked set or a module-level random generator. Imports msgspec, the standard library and `content`'s vocabulary.
"""
