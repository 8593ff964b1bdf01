"""`python -m tests.node vendor`: what `./dev vendor` does; `python -m tests.node fmt`: what `./dev fmt` does to the page."""

import sys

from tests.node import VENDOR, ToolError, fmt, vendor

if __name__ == "__main__":
    try:
        {"vendor": lambda: vendor(VENDOR), "fmt": fmt}[sys.argv[1]]()
    except ToolError as error:
        sys.exit(str(error))
