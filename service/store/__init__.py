"""The log store: its port, and adapters for memory, SQLite and Redis.

Here lives how commits are kept; never what is in them, nor anything about HTTP, identity or rules.
"""
