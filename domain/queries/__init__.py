"""Questions about a game that change nothing: who is who, what holds, whom and which rooms content means, how many there are."""
