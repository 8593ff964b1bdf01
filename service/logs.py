"""The service's log on standard error: a line for each event, for people or for machines."""

from __future__ import annotations

import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

import msgspec

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is being answered: every line that is logged meanwhile tells it."""


REPEATED = frozenset({"method", "route", "status"})
"""What the message itself says, for people."""


class Json(logging.Formatter):
    """An object a line: `time`, `level`, `logger`, `message`, and what a record carries as `told`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        said: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_told(record),
        }
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(said).decode()


class Text(logging.Formatter):
    """The same for people."""

    def __init__(self) -> None:
        """Time, level, message."""
        super().__init__("%(asctime)s %(levelname)-7s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """One line, and the lines of an exception below it."""
        line, *more = super().format(record).split("\n")
        told = " ".join(f"{name}={value}" for name, value in _told(record).items() if name not in REPEATED)
        return "\n".join([f"{line} {told}".rstrip(), *more])


def _told(record: logging.LogRecord) -> dict[str, object]:
    """What the record carries besides its message, and the request."""
    told: dict[str, object] = getattr(record, "told", {})
    request = REQUEST.get()
    return {"request": request, **told} if request else told


def log_to_stderr(level: str, form: str) -> None:
    """Send everything that is logged in this process to standard error.

    Args:
        level: the least that is told: `critical`, `error`, `warning`, `info` or `debug`.
        form: `text` or `json`.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if form == "json" else Text())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
