"""Commands of players: a game with friends, each at their own terminal; games of bots; sandboxes and odds."""
