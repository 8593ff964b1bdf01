"""What the service asks of the outside world, as protocols and plain data.

Here live ports: the calls, what goes in, what comes out, what may go wrong. Never an adapter, a driver or I/O.
Everybody in `service` may import it; it imports msgspec and the standard library only.
"""
