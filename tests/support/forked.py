"""`omenlog` in processes that are forked from one which has read packs and modules: that takes longer than most that they do."""

import multiprocessing
import os
import pty
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

import service.cli.play.join
import service.log.packs
import service.server
from content.load.digest import digest, pack_bytes
from domain.engine.rules import Rules
from service.cli import main
from service.cli.play.demo import LISTENS, LOG, ServiceProcess
from service.log.recorded import rules_built_in
from tests.support.packs import compiled, loaded, pack
from tests.support.redis import wait_until

PATIENCE = 60.0
"""Seconds that a service may take to stop."""

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload([__name__])


@cache
def _built_in(name: str) -> tuple[str, Rules]:
    return digest(pack_bytes(pack(name))), compiled(pack(name))


def _known(pack_digest: str, edition: str) -> Rules | None:
    for known, rules in map(_built_in, ("second-edition", "third-edition")):
        if known == pack_digest and rules.edition.id == edition:
            return rules
    return rules_built_in(pack_digest, edition)


if any("multiprocessing.forkserver" in word for word in sys.orig_argv):  # this is what the others are forked from
    _built_in("second-edition")
    _built_in("third-edition")


class Omenlog:
    """A process of `omenlog`, with its input and output in a terminal or in files."""

    def __init__(
        self,
        env: Mapping[str, str],
        arguments: tuple[str, ...],
        source: str,
        sink: str,
        *,
        errors: str = "",
        anew: bool = False,
    ) -> None:
        """Start it; `anew` as a shell does. Its errors go to the sink, if to no file of their own."""
        begun, report = _context.Pipe(duplex=False)
        given = (dict(env), arguments, source, sink, errors, anew, report)
        self._process = _context.Process(target=_run, args=given, daemon=True)
        self._process.start()
        report.close()
        begun.recv()  # it has opened its files
        begun.close()

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._process.pid is not None
        return self._process.pid

    def is_over(self) -> bool:
        """Whether it has ended."""
        return not self._process.is_alive()

    def ended(self, seconds: float) -> int:
        """The exit code, once it has ended."""
        self._process.join(seconds)
        code = self._process.exitcode
        assert code is not None, f"still running after {seconds} seconds"
        self._process.close()
        return code


class ForkedService(ServiceProcess):
    """`omenlog serve` as a process that is forked, and is otherwise the same."""

    def __enter__(self) -> Self:
        """Wait until it listens."""
        self._data.mkdir(parents=True, exist_ok=True)
        arguments = ("serve", "--host", "127.0.0.1", "--port", str(self._port), "--data", str(self._data))
        env = {"OMENLOG_LOG_LEVEL": "warning", **os.environ, **self._packs}
        log = self._data / LOG
        self._forked: Omenlog | None = Omenlog(env, arguments, os.devnull, str(log))
        wait_until(lambda: LISTENS.search(log.read_text()) is not None, "a service that listens")
        self.url = LISTENS.findall(log.read_text())[0]
        return self

    def __exit__(self, *_: object) -> None:
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        forked, self._forked = self._forked, None
        if forked is not None:
            os.kill(forked.pid, how)
            forked.ended(PATIENCE)


def at_terminal(env: Mapping[str, str], *arguments: str, anew: bool = False) -> tuple[Omenlog, int]:
    """A process at a terminal of its own, and the other end of that."""
    screen, end = pty.openpty()
    name = os.ttyname(end)
    process = Omenlog(env, arguments, name, name, anew=anew)
    os.close(end)
    return process, screen


@contextmanager
def serving(folder: Path, **settings: str) -> Iterator[tuple[str, Path]]:
    """`omenlog serve` with the second edition on a free port; gives its address, and the file of its standard error.

    In the end it is told to stop, and has to end by that signal.
    """
    chosen = {"packs": "second-edition", "port": "0", **settings}
    env = {**os.environ, **{f"OMENLOG_{name.upper()}": value for name, value in chosen.items()}}
    said, errors = folder / "stdout.txt", folder / "stderr.txt"
    process = Omenlog(env, ("serve",), os.devnull, str(said), errors=str(errors))
    try:
        wait_until(lambda: said.read_text().endswith("\n"), "a service that listens")
        yield said.read_text().split()[3], errors
    finally:
        os.kill(process.pid, signal.SIGTERM)
        assert process.ended(PATIENCE) == -signal.SIGTERM, "it ends by the signal, after it has finished its work"


def _run(env: Mapping[str, str], arguments: tuple[str, ...], source: str, sink: str, *rest: object) -> None:
    errors, anew, report = rest
    assert isinstance(errors, str)
    assert isinstance(report, Connection)
    multiprocessing.current_process().daemon = False  # so that it may start others
    os.setsid()  # so that the terminal that is opened first is its own
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
    os.environ.clear()
    os.environ.update(env)
    given = os.open(source, os.O_RDWR if source == sink else os.O_RDONLY)
    written = given if source == sink else os.open(sink, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    complained = os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND) if errors else written
    for descriptor, standard in ((given, 0), (written, 1), (complained, 2)):
        os.dup2(descriptor, standard)
    report.send(None)
    report.close()
    if anew:
        os.execve(sys.executable, [sys.executable, "-m", "service.cli", *arguments], dict(env))  # noqa: S606 -- as a shell does
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 -- open to the end
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", closefd=False)  # noqa: SIM115 -- open to the end
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", closefd=False)  # noqa: SIM115 -- open to the end
    vars(service.cli.play.join)["rules_built_in"] = _known
    vars(service.log.packs).update(load_pack=loaded, rules_for=compiled)
    main(list(arguments), prog_name="omenlog")
