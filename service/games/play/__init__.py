"""Commands become commits."""
