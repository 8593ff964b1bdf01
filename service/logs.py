"""The service's log on standard error: a line for each event, for people or for machines."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime

import msgspec

FORMATS = ("text", "json")


class Json(logging.Formatter):
    """An object a line: `time`, `level`, `logger`, `message`, and what a record carries as `told`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        said: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "told", {}),
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
        told: dict[str, object] = getattr(record, "told", {})
        line = super().format(record)
        return " ".join([line, *(f"{name}={value}" for name, value in told.items() if name not in line)])


def log_to_stderr(level: str, form: str) -> None:
    """Send everything that is logged in this process to standard error.

    Args:
        level: the least that is told: `critical`, `error`, `warning`, `info` or `debug`.
        form: `text` or `json`.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if form == "json" else Text())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
