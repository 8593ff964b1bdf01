"""The built-in bots: brains that choose a command from a seat's view and decisions, and what runs them.

A brain sees what the API shows its seat (with the hints for bots) and nothing else: no store, no engine, no other seat. It keeps no state, reads no
clock, and takes its randomness from `Generator`. Only the command line and tests import this package.
"""
