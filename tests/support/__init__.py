"""Builders and drivers that tests share: a table at which a scene of the rulebook can be set up and played.

Here lives what makes a test read like an example of the rulebook; never an assertion about a rule, never a mock of the engine.
Only tests may import it.
"""
