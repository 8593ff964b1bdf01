"""The command line: what `omenlog` does, one module for each group of commands.

Here live options, words for people and exit codes; never a rule, a store's inside or a decision of the service.
It may import all of `service` and what is below; nothing imports it but tests and the script `omenlog`.
"""

from service.cli.root import main

__all__ = ["main"]
