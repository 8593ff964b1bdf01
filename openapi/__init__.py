"""The contract: `openapi.json` for requests, `asyncapi.json` for streams and webhooks. Generated; the service serves both.

`openapi.writer` makes them from the handlers and their types, with the answers of a short game as examples. It stays in the checkout.
"""
