"""A game with friends, each at a terminal of their own."""
