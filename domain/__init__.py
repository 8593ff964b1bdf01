"""The rules of the game, as two pure functions over data: `decide` and `evolve`.

It holds state, commands, events, chance, the effect machine and the editions' policies; never I/O, a clock, an id from outside,
a float, iteration over a set or a module-level random generator. Imports msgspec, the standard library and `content`'s vocabulary.
"""
