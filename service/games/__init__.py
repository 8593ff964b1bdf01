"""Games in progress: opening, claiming, playing, reading, following. The application layer.

Here lives the order of things: one command at a time for each game, decided, stored, then answered. Never HTTP, SQL or
a rule of the game. Imported by `service.api`, the command line and tests.
"""
