"""The contract: `openapi/openapi.json`, generated from the handlers and their types, committed, checked for drift.

Here lives what Litestar leaves out of a document (`finish`), the hot route (`contract`), answers made real (`examples`).
Imported by the command line, the application (which serves the document) and tests.
"""

from service.openapi.document import build
from service.openapi.files import FILE, Drift, check, write

__all__ = ["FILE", "Drift", "build", "check", "write"]
