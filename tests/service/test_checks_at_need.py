"""The checks of content are many: a process imports them when it checks a pack, and those for authors when it advises one."""

import subprocess
import sys

import pytest

SERVES = "import service.app, service.server, service.work"
OPENS = "from content.load.packs import builtin_packs, load_pack; load_pack(builtin_packs()['second-edition'])"
ADVISES = "from content.load.packs import builtin_packs, read_pack; read_pack(builtin_packs()['second-edition'])"


def imported(code: str) -> set[str]:
    """Modules of `content.check` after some code, in a process of its own."""
    code = f"{code}; import sys; print(*(name for name in sys.modules if name.startswith('content.check.')))"
    return set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())


@pytest.mark.parametrize("code, laws, advice", [(SERVES, False, False), (OPENS, True, False), (ADVISES, True, True)])
def test_checks_are_imported_when_a_pack_is_checked(code: str, *, laws: bool, advice: bool) -> None:
    found = imported(code)
    assert "content.check.form.references" in found, "what entries of printed books are checked by is always there"
    assert ("content.check.laws" in found, "content.check.play.reach" in found) == (laws, laws)
    assert ("content.check.advice" in found, "content.check.stakes.turns" in found) == (advice, advice)
