"""Packs of strangers for tests: a built-in haunt under another name, alone or in a folder."""

from pathlib import Path

from content.load.packs import builtin_packs

BELL = (builtin_packs()["second-edition"] / "haunts/the-bell-below.yaml").read_text("utf-8")


def haunt(title: str = "Our Bell", name: str = "our-bell") -> str:
    """A haunt that is the Bell Below in all but its name."""
    text = BELL.replace("id: the-bell-below", f"id: {name}").replace("stage: playtested", "stage: draft")
    return text.replace("title: The Bell Below", f"title: {title}")


def haunt_file(folder: Path, **named: str) -> Path:
    """A file with that haunt."""
    file = folder / "our-bell.yaml"
    file.write_text(haunt(**named), "utf-8")
    return file


def head(name: str = "ours", *more: str) -> str:
    """What stands in the `pack.yaml` of a pack that extends the second edition."""
    return "\n".join([f"id: {name}", "title: Ours", "extends: second-edition", *more, ""])


def pack_folder(folder: Path, name: str = "ours", *more: str) -> Path:
    """A folder with that haunt as a pack."""
    (folder / name / "haunts").mkdir(parents=True)
    (folder / name / "pack.yaml").write_text(head(name, *more), "utf-8")
    haunt_file(folder / name / "haunts")
    return folder / name
