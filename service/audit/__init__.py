"""Audits: the chain checked, the commands decided again, and a verdict."""
