"""The checks of content are many: a process imports them when it checks a pack, and those for authors when it advises one."""

import subprocess
import sys

STEPS = (
    "import service.app, service.server, service.work",
    "from content.load.packs import builtin_packs, load_pack; load_pack(builtin_packs()['second-edition'])",
    "from content.load.packs import builtin_packs, read_pack; read_pack(builtin_packs()['second-edition'])",
)
"""A process serves, then opens a pack, then advises its author."""
TOLD = "import sys; print(*(name for name in sys.modules if name.startswith('content.check.')))"


def test_checks_are_imported_when_a_pack_is_checked() -> None:
    code = "\n".join(f"{step}\n{TOLD}" for step in STEPS)
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    serves, opens, advises = (set(line.split()) for line in told.splitlines())

    for found, laws, advice in ((serves, False, False), (opens, True, False), (advises, True, True)):
        assert "content.check.form.references" in found, "what entries of printed books are checked by is always there"
        assert ("content.check.laws" in found, "content.check.play.reach" in found) == (laws, laws)
        assert ("content.check.advice" in found, "content.check.stakes.turns" in found) == (advice, advice)
