"""Attacks, harm, what winning brings, and what befalls monsters."""
