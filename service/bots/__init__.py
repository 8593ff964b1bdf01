"""The built-in bots: brains that choose a command from a seat's view and its decisions, and what drives them.

A brain sees what the API shows to its seat and nothing else: no store, no engine, no other seat. It keeps no state, has no
clock and no dice but `generator`. Only the service (its routes, the command line) and tests may import this package.
"""
