"""Following games live."""
