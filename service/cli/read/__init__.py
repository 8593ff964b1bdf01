"""Commands that read games."""
