"""`python -m service.audit`: what `omenlog verify --json --progress -` does, in half the time, for it loads no command line."""

import sys

import msgspec

from service.audit.verdict import audit, damaged
from service.log.exported import Damaged, parse_export


def _report(checked: int) -> None:
    sys.stderr.write(f"{checked} checked\n")


if __name__ == "__main__":
    try:
        verdict = audit(parse_export(sys.stdin.buffer.read()), processes=None, progress=_report)
    except Damaged as damage:
        verdict = damaged(damage)
    sys.stdout.buffer.write(msgspec.json.encode(verdict))
