"""What holds for every part of the page: addresses, secrets, the link, and what to do where something went wrong."""

import pytest

from tests.acceptance.driving import Table
from tests.table.conftest import MakeScreen
from tests.table.screens import DARK, PHONE, Screen

NOWHERE = "a" * 20
WRONG = "omen_" + "x" * 43


def heading(screen: Screen) -> str:
    return screen.page.get_by_role("heading", level=1).inner_text()


def test_a_place_from_another_device_is_kept_and_its_token_leaves_the_address(screen: Screen, table: Table) -> None:
    screen.open(f"/g/{table.id}/as/{table.seats[1]}")
    screen.shows("table", version=table.version())
    assert screen.page.url == f"{screen.address}/#/g/{table.id}"
    screen.page.reload()
    screen.shows("table")
    assert [one for one in screen.stored() if "link" in one] == []
