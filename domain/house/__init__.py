"""The house: tiles on a grid, doors that meet or do not, ways between floors, lines of sight, shortest ways.

Pure geometry over the data of `domain.facts`: no turn, no card, no chance. Everything in `domain` may import it.
"""
