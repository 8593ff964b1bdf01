"""Settings come from the environment; what makes no sense is refused by name."""

from pathlib import Path

import pytest

from service.bootstrap import open_service, pack_sources
from service.settings import BadSetting, Settings, from_environment
from service.store.open import open_store


def test_every_setting_has_a_default_and_a_variable() -> None:
    assert from_environment({}) == Settings()
    given = from_environment(
        {"OMENLOG_PORT": "9000", "OMENLOG_HEARTBEAT": "0.5", "OMENLOG_STORE": "memory:", "PATH": "/bin"}
    )
    assert (given.port, given.heartbeat, given.store) == (9000, 0.5, "memory:")


def test_what_only_the_command_line_reads_is_no_setting() -> None:
    assert from_environment({"OMENLOG_TOKEN": "t", "OMENLOG_COMMAND": "./dev omenlog"}) == Settings()


@pytest.mark.parametrize(
    "variables, word",
    [
        ({"OMENLOG_PROT": "1"}, "OMENLOG_PROT: did you mean `OMENLOG_PORT`"),
        ({"OMENLOG_XYZZY": "1"}, "OMENLOG_XYZZY: known are OMENLOG_STORE, "),
        (
            {"OMENLOG_PROT": "1", "OMENLOG_STROE": "2", "OMENLOG_XYZZY": "3"},
            "PROT: did you mean `OMENLOG_PORT`\\? OMENLOG_STROE: did you mean `OMENLOG_STORE`\\? OMENLOG_XYZZY: known are",
        ),
        ({"OMENLOG_PORT": "http"}, "OMENLOG_PORT=http"),
        ({"OMENLOG_HEARTBEAT": "soon"}, "OMENLOG_HEARTBEAT=soon"),
        (
            {"OMENLOG_ORIGINS": "https://a.example/"},
            "`https://a.example/` is not an origin .* mean https://a.example\\?",
        ),
        ({"OMENLOG_ORIGINS": "https://a.example/play"}, "did you mean https://a.example\\?"),
        ({"OMENLOG_ORIGINS": "https://A.example"}, "did you mean https://a.example\\?"),
        (
            {"OMENLOG_ORIGINS": "https://a.example:443"},
            "leave the standard port out.*did you mean https://a.example\\?",
        ),
        ({"OMENLOG_ORIGINS": "https://user@a.example"}, "did you mean https://a.example\\?"),
        ({"OMENLOG_ORIGINS": "https://me:secret@A:8443/x"}, "did you mean https://a:8443\\?"),
        ({"OMENLOG_ORIGINS": "http://[::1]:80"}, "standard port out.*did you mean http://\\[::1\\]\\?"),
        (
            {"OMENLOG_ORIGINS": "https://a.example:65536"},
            "as browsers send it \\(scheme, host and port alone, in small letters\\)$",
        ),
        ({"OMENLOG_ORIGINS": "https://a.example:99999"}, "`https://a.example:99999` is not an origin"),
        ({"OMENLOG_ORIGINS": "https://a.example:0"}, "in small letters\\)$"),
        ({"OMENLOG_PORT": "65536"}, "OMENLOG_PORT=65536: Expected a whole number, at most 65535$"),
        ({"OMENLOG_ACCOUNTS_PER_ADDRESS": "-1"}, "OMENLOG_ACCOUNTS_PER_ADDRESS=-1: .* at least 0$"),
        ({"OMENLOG_HEADER_TIMEOUT": "-1"}, "OMENLOG_HEADER_TIMEOUT=-1: .* at least 0$"),
        ({"OMENLOG_WORKER_TIMEOUT": "soon"}, "OMENLOG_WORKER_TIMEOUT=soon: Expected a number$"),
        ({"OMENLOG_WORKER_TIMEOUT": "0"}, "OMENLOG_WORKER_TIMEOUT=0: Expected a number, at least 3$"),
        ({"OMENLOG_HEADER_TIMEOUT": "nan"}, "OMENLOG_HEADER_TIMEOUT=nan"),
        ({"OMENLOG_PORT": "-1"}, "OMENLOG_PORT=-1: .* at least 0$"),
        ({"OMENLOG_ORIGINS": "a.example"}, "OMENLOG_ORIGINS: `a.example`"),
        ({"OMENLOG_ORIGINS": "https://*.example"}, "OMENLOG_ORIGINS: `https://\\*.example`"),
        ({"OMENLOG_ORIGINS": "null"}, "OMENLOG_ORIGINS: `null`"),
        ({"OMENLOG_ORIGINS": "https://a.example,"}, "OMENLOG_ORIGINS: ``"),
        ({"OMENLOG_ORIGINS": "https://a.example b.example"}, "OMENLOG_ORIGINS: "),
        ({"OMENLOG_ORIGINS": "*, https://a.example"}, "`\\*` means every origin"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(variables: dict[str, str], word: str) -> None:
    with pytest.raises(BadSetting, match=word):
        from_environment(variables)


def test_origins_are_read_one_by_one() -> None:
    assert Settings().allowed_origins() == frozenset()
    given = from_environment({"OMENLOG_ORIGINS": " https://a.example , http://localhost:5173,http://[::1]:65535"})
    assert given.allowed_origins() == {"https://a.example", "http://localhost:5173", "http://[::1]:65535"}
    assert Settings(origins="*").allowed_origins() == {"*"}


@pytest.mark.parametrize(
    "chosen, words",
    [
        (Settings(store="memory:", jobs="redis://127.0.0.1:9/0"), "OMENLOG_JOBS needs a store"),
        (Settings(store="memory:", webhook_retries="5,soon"), "OMENLOG_WEBHOOK_RETRIES=5,soon"),
        (Settings(store="memory:", webhook_retries="5,-1"), "OMENLOG_WEBHOOK_RETRIES=5,-1"),
        (Settings(store="memory:", webhook_timeout=0), "OMENLOG_WEBHOOK_TIMEOUT=0"),
        (Settings(store="memory:", webhook_sweep=0), "OMENLOG_WEBHOOK_SWEEP=0"),
    ],
)
async def test_settings_that_webhooks_can_not_keep_are_named(chosen: Settings, words: str) -> None:
    with pytest.raises(BadSetting, match=words):
        await open_service(chosen)


async def test_the_address_of_jobs_is_told_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="write redis://") as refused:
        await open_service(Settings(store=f"sqlite:///{tmp_path}/log.db", jobs="http://me:secret@somewhere/"))
    assert "secret" not in str(refused.value)


async def test_a_store_or_pack_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="postgres://somewhere"):
        await open_store(Settings(store="postgres://somewhere"))
    with pytest.raises(BadSetting, match="OMENLOG_PACKS: no pack fourth-edition"):
        pack_sources(Settings(packs="second-edition, fourth-edition"))
    store = await open_store(Settings(store=f"sqlite:///{tmp_path}/new/folder/log.db"))
    assert (tmp_path / "new" / "folder" / "log.db").exists()
    await store.close()
