"""The laws: what must hold for every game, as functions that tests run over a few fixed games and `./dev prove` over many.

Each law plays real games through the domain's public surface and raises AssertionError with a game's name and step where it fails.
"""
