"""The contract: `openapi/openapi.json` and, for streams, `openapi/asyncapi.json`.

Here lives what Litestar leaves out of a document; `omenlog openapi` writes both, with real requests and answers as examples.
"""
