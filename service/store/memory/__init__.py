"""The store in memory: for tests and playouts."""
