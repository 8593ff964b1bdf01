"""Following games live.

Nothing is queued for a reader. Whoever waits at the end of the log is served by the game's feed, which cuts each new commit once for each role and
makes each form of it on the wire once; a reader who is behind reads for itself, by its own cursor. So a thousand readers cost little more than their
writes to the network, and no feed goes further than its role may see.
"""
