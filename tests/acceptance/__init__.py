"""What a client sees: HTTP against a real server on a real SQLite file.

Here live claims about the surface as a whole; never a look inside. Only the server is started from our own code.
"""
