"""The pages that people read, and what stands in them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LEFT_OUT = {
    "BENCHMARKS-SCALE.md",
    "BENCHMARKS.md",
    "content/MANUAL.md",
    "content/reach/second-edition.md",
    "docs/events.md",
    "tests/golden/GAMES.md",
}
"""Generated: their own tests hold them."""


def pages() -> dict[str, str]:
    """Every page by its path from the root, generated ones included."""
    folders = (ROOT, ROOT / "docs", ROOT / "content", ROOT / "content" / "rules", ROOT / "content" / "reach")
    files = [file for folder in folders for file in sorted(folder.glob("*.md"))]
    return {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}


def written() -> dict[str, str]:
    """Every page that people write."""
    return {path: text for path, text in pages().items() if path not in LEFT_OUT}


def prose(text: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```$|^    .*?$", "", text, flags=re.DOTALL | re.MULTILINE)


def section(page: str, title: str) -> str:
    """What stands below a heading, up to the next one outside of code."""
    text = (ROOT / page).read_text(encoding="utf-8")
    parts = re.split(r"(```.*?```)", text.partition(f"\n## {title}\n")[2], flags=re.DOTALL)
    found = ""
    for part in parts:
        if part.startswith("```"):
            found += part
            continue
        before, heading, _ = part.partition("\n## ")
        found += before
        if heading:
            break
    assert found, f"{page} has no section {title}"
    return found


def blocks(page: str, language: str, title: str) -> list[str]:
    """The blocks of code in one language below a heading."""
    return re.findall(rf"```{language}\n(.*?)```", section(page, title), re.DOTALL)


def anchors(text: str) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    found: set[str] = set()
    for title in re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", title).lower()).replace(" ", "-")
        number = 1
        unique = anchor
        while unique in found:
            unique, number = f"{anchor}-{number}", number + 1
        found.add(unique)
    return found
