"""What the load is sent to, each a program of its own: `python -m tests.bench.servers.echo`. Prints its address once it listens.

Each imports only what it serves, so that no server pays for another's memory.
"""
