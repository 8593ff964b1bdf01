"""What only following the steps shows: what a step refers back to has happened, and what is written can be reached."""
