"""What the pages show is run, and what they link to exists."""
