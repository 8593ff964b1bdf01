"""Packs that are not built in, as a client meets them."""
