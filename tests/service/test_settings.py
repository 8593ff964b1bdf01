"""Settings come from the environment; what makes no sense is refused by name."""

from pathlib import Path

import pytest

from service.bootstrap import open_store, pack_folders
from service.settings import BadSetting, Settings, from_environment


def test_every_setting_has_a_default_and_a_variable() -> None:
    assert from_environment({}) == Settings()
    given = from_environment(
        {"OMENLOG_PORT": "9000", "OMENLOG_HEARTBEAT": "0.5", "OMENLOG_STORE": "memory:", "PATH": "/bin"}
    )
    assert (given.port, given.heartbeat, given.store) == (9000, 0.5, "memory:")


@pytest.mark.parametrize(
    "variables, word",
    [
        ({"OMENLOG_PROT": "1"}, "OMENLOG_PROT"),
        ({"OMENLOG_PORT": "http"}, "OMENLOG_PORT=http"),
        ({"OMENLOG_HEARTBEAT": "soon"}, "OMENLOG_HEARTBEAT=soon"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(variables: dict[str, str], word: str) -> None:
    with pytest.raises(BadSetting, match=word):
        from_environment(variables)


async def test_a_store_or_pack_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="postgres://somewhere"):
        await open_store(Settings(store="postgres://somewhere"))
    with pytest.raises(BadSetting, match="OMENLOG_PACKS: no pack fourth-edition"):
        pack_folders(Settings(packs="second-edition, fourth-edition"))
    store = await open_store(Settings(store=f"sqlite:///{tmp_path}/new/folder/log.db"))
    assert (tmp_path / "new" / "folder" / "log.db").exists()
    await store.close()
