"""What things, questions, commands and ends of a game are called: every word that more than one projection uses."""
