"""The effect machine and what it is given: blocks of instructions, the tables of a pack, and the rules of a game.

`block` holds what is run, `tables` what a pack says, `rules` what holds at one table, and `machine` runs it. All of it is plain
records: content is compiled into them by `domain.pack`, and procedures of the rulebook come from `domain.rulebook`.
"""
