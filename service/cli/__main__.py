"""`python -m service.cli` is `omenlog`."""

from service.cli import main

main(prog_name="omenlog")
