"""What a role may read of a game."""
