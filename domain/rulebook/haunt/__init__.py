"""The haunt: how it begins, the players' own haunt books, and who has won."""
