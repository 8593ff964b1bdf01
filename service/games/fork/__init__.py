"""Forks: sandboxes that begin where a game stood.

A fork begins with one `SandboxBegun` for each group of roles that know the same, the referee's last, as a rewind does. Its audit takes these
states as told, decides all else again, and never says EXACT. Forks are games in the store, left out of lists and copies; a sweep removes
those that have expired, which is the only way in which a game is deleted.
"""
