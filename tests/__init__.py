"""The claims that hold the project: what a player, a referee or an operator would see.

Here live tests, their builders and their plugin; never a rule, a fixture file of somebody's game or a mock of our own code.
Imports everything; nothing imports it.
"""
