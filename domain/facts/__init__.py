"""Plain data of a game: its state, the events that made it, the commands that ask for more, who is told, and what chance is asked."""
