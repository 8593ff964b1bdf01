"""Omenlog as a service: HTTP, identity, stores, streams and the command line."""
