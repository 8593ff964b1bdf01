"""What a role may do, as commands and as families of commands, and the odds of a roll."""
