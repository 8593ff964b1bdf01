"""`python -m tests.node vendor`: what `./dev vendor` does; `python -m tests.node fmt`: what `./dev fmt` does to the page."""

import sys

from tests.node import DOCS, VENDOR, ToolError, fmt, vendor, vendor_viewer

if __name__ == "__main__":
    tasks = {"vendor": (lambda: vendor(VENDOR), lambda: vendor_viewer(DOCS / "vendor")), "fmt": (fmt,)}
    try:
        for task in tasks[sys.argv[1]]:
            task()
    except ToolError as error:
        sys.exit(str(error))
