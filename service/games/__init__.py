"""Games in progress: one command at a time for each, decided, stored, then answered.

Never HTTP, SQL or a rule of the game. `live` and `tables` hold games in memory; the folders above them say what is done with one.
"""
