"""The game as one role sees it: everything that lies open on the table, and what this role alone was told."""
