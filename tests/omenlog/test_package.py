"""The library as a package: what it needs, how long it takes to import, what it exports."""

import subprocess
import sys
import tomllib

import omenlog
from tests.docs.pages import ROOT

ALONE = """
import sys, time

class Alone:
    '''Nothing but the standard library, msgspec, PyYAML, and ours.'''
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {*sys.stdlib_module_names, "msgspec", "yaml", "_yaml", *OURS}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Alone())
"""
PLAY = """
OURS = {"omenlog", "domain", "projections", "content"}
begun = time.process_time()
import omenlog
print(time.process_time() - begun)
table = omenlog.Table("second", seats=3, seed=1, turn_limit=8)
while not table.over:
    seat = table.awaited()[0]
    table.view(seat), table.decisions(seat)
    table.do(seat, table.legal(seat)[-1])
print(table.because)
"""
COMMAND = """
OURS = {"service", "domain", "projections", "content"}
from service.entry import main
main()
"""


def alone(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ALONE + program], capture_output=True, text=True, cwd=ROOT, check=False
    )


def test_it_plays_with_msgspec_and_pyyaml_alone_and_is_imported_at_once() -> None:
    ran = alone(PLAY)
    assert ran.returncode == 0, ran.stderr
    seconds, because = ran.stdout.splitlines()
    assert because == "The turn limit of 8 is reached."
    assert float(seconds) < 0.6, "of the processor; 0.3 on a machine that has nothing else to do"


def test_the_command_line_without_its_extra_says_what_to_install() -> None:
    ran = alone(COMMAND)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.splitlines() == [
        "omenlog: the command line needs more than the library (httpx): pip install 'omenlog[service]'"
    ]


def test_it_exports_what_it_says_and_no_more() -> None:
    public = {name for name in vars(omenlog) if not name.startswith("_")}
    modules = {name for name in public if type(getattr(omenlog, name)).__name__ == "module"}
    assert public - modules == set(omenlog.__all__) - {"__version__"}


def test_its_version_and_its_needs_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert omenlog.__version__ == project["version"]
    assert [one.partition(">")[0] for one in project["dependencies"]] == ["msgspec", "pyyaml"]
