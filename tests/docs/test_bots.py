"""What the page for bot authors shows is what happens."""

import doctest
import re

import omenlog
from tests.docs.pages import ROOT

PAGE = "docs/bots.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


def test_every_line_that_is_typed_gives_what_is_shown() -> None:
    session = "\n".join(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)).replace("…", "...")
    test = doctest.DocTestParser().get_doctest(session, {}, PAGE, PAGE, 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)
    assert runner.tries > 20


def test_everything_that_is_exported_is_listed() -> None:
    listed = TEXT.partition("## What there is")[2]
    table = [name for name in vars(omenlog.Table) if not name.startswith("_")]
    assert [name for name in [*omenlog.__all__, *table] if not re.search(rf"\b{name}\b", listed)] == []
