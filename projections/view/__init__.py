"""The game as one role sees it: everything public, and what this role alone was told."""
