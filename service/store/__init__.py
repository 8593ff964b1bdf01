"""The log store's adapters: `memory` for tests and playouts, `sqlite` for one machine.

Here lives how commits are kept; never what is in them, nor anything about HTTP, identity or rules.
Only the composition root imports an adapter; everybody else knows `service.store.port`.
"""
