"""Games in progress: one command at a time for each, decided, stored, then answered.

Never HTTP, SQL or a rule of the game. `live` and `tables` hold games in memory; the folders above them say what is done with one.

Any number of processes may serve the games of one store. A *head* is a game's version and its revision, which counts changes beside the log (tokens,
names, orders). Every request with a token asks for it first: a token is looked up again at another revision, and a game that has come further
folds what is missing. Races are decided by the store: an append at another version is a conflict, and the command is decided anew. News only
wake followers; what they are told is read from the log. A log that was set back (an older backup under a running service) is noticed by its
hashes: the game is loaded anew, and its streams end with `ahead-of-log`.

"""
