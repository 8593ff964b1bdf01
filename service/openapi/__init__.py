"""The contract: `openapi/openapi.json` and, for streams, `openapi/asyncapi.json`; generated, committed, checked for drift.

Here lives what Litestar leaves out of a document (`finish`), the hot route (`contract`), answers made real (`examples`).
Imported by the command line, the application (which serves the document) and tests.
"""
