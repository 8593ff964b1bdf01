"""Packs of strangers for tests: a built-in haunt under another name, alone or in a folder."""

from pathlib import Path

from content.load.packs import builtin_packs

COPIED = {
    "second-edition": ("the-bell-below", "The Bell Below"),
    "third-edition": ("the-night-shift", "The Night Shift"),
}
"""By built-in pack: id and title of one of its haunts."""


def haunt(title: str = "Our Bell", name: str = "our-bell", *, base: str = "second-edition") -> str:
    """A haunt that is the Bell Below in all but its name, or one of another pack."""
    copied, called = COPIED[base]
    text = (builtin_packs()[base] / f"haunts/{copied}.yaml").read_text("utf-8")
    text = text.replace(f"id: {copied}", f"id: {name}", 1).replace("stage: playtested", "stage: draft", 1)
    return text.replace(f"title: {called}", f"title: {title}", 1)


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
