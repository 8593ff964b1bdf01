"""What the texts of a haunt promise players: its data keep the promise. All of it only warns."""
