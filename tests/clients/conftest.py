"""The server and its clock, as the acceptance tests have them."""

from tests.acceptance.conftest import _own_seeds, address, client, outside

__all__ = ["_own_seeds", "address", "client", "outside"]
