"""What holds for tiles, cards, explorers, charts and haunts, each with a file of its own."""
