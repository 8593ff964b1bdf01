"""Node programs of the repository, installed from one lock file: `python -m tests.node vendor` and `fmt` are tasks of `./dev`.

They make what the browser table takes from others, and check its code; none of them is needed to run the service.
"""

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from openapi.writer.write import FILE

HERE = Path(__file__).parent
TABLE = HERE.parents[1] / "service" / "table"
DOCS = HERE.parents[1] / "service" / "docs"
VENDOR = TABLE / "vendor"
PATIENCE = 240

VENDORED = {
    "preact.js": (HERE / "preact.js", ("preact", "@preact/signals", "@preact/signals-core")),
    "qr.js": (HERE / "qr.js", ("lean-qr",)),
}
"""What `./dev vendor` makes, of which module, and the packages in it."""


class ToolError(Exception):
    """A program has found fault; its words."""


@contextmanager
def _locked() -> Iterator[None]:
    with (HERE / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def installed() -> Path:
    """The folder `node_modules` as the lock file has it; installed if it isn't, by one process alone."""
    modules, lock = HERE / "node_modules", HERE / "package-lock.json"
    stamp = modules / ".installed"
    wanted = lock.read_bytes()
    with _locked():
        if not stamp.exists() or stamp.read_bytes() != wanted:
            npm = shutil.which("npm")
            assert npm is not None, "needs npm: ./dev test installs it"
            run(npm, "ci", "--ignore-scripts", "--silent")
            stamp.write_bytes(wanted)
    return modules


def run(*command: str | Path, cwd: Path = HERE, **environment: str) -> str:
    """What a program says, of any language. Raises `ToolError` if it does not end well."""
    done = subprocess.run(
        command,
        cwd=cwd,
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, **environment},
    )
    if done.returncode != 0:
        raise ToolError(done.stdout[-8000:] + done.stderr[-8000:])
    return done.stdout


def node(program: str, *arguments: str | Path, cwd: Path = HERE) -> str:
    """What a program of an installed package says: `typescript/bin/tsc`."""
    found = shutil.which("node")
    assert found is not None, "needs Node.js 18 or newer: ./dev test installs it"
    return run(found, installed() / program, *arguments, cwd=cwd)


def vendor(folder: Path) -> None:
    """Make the modules that the page takes from others, and their licences, in a folder."""
    modules = installed()
    for name, (source, packages) in VENDORED.items():
        from_whom = ", ".join(f"{one} {_version(modules / one)}" for one in packages)
        node(
            "esbuild/bin/esbuild",
            source,
            "--bundle",
            "--format=esm",
            "--minify",
            "--target=es2022",
            "--charset=utf8",
            '--define:process.env.NODE_ENV="production"',
            f"--banner:js=/*! {from_whom}: MIT, see LICENSES. Made by ./dev vendor. */",
            f"--outfile={folder / name}",
            "--log-level=warning",
        )
        types_too = "".join(f'export type * from "{one}";\n' for one in packages)
        code = Path(source).read_text(encoding="utf-8")
        (folder / name).with_suffix(".d.ts").write_text(code + types_too, encoding="utf-8")
    licences = [
        f"{one} {_version(modules / one)}\n\n{(modules / one / 'LICENSE').read_text(encoding='utf-8').strip()}\n"
        for _, packages in VENDORED.values()
        for one in packages
    ]
    (folder / "LICENSES").write_text(f"\n{'-' * 80}\n\n".join(licences), encoding="utf-8")


def vendor_viewer(folder: Path) -> None:
    """Copy Swagger UI, which shows the contract, and its licences, into a folder. Its maps, which browsers would look for, stay behind."""
    viewer = installed() / "swagger-ui-dist"
    folder.mkdir(exist_ok=True)
    for name, source in (("swagger-ui.js", "swagger-ui-bundle.js"), ("swagger-ui.css", "swagger-ui.css")):
        code = (viewer / source).read_bytes()
        (folder / name).write_bytes(re.sub(rb"\s*/[/*]# sourceMappingURL=\S+\s*$", b"\n", code))
    texts = [
        (viewer / name).read_text(encoding="utf-8")
        for name in ("NOTICE", "LICENSE", "swagger-ui-bundle.js.LICENSE.txt")
    ]
    licences = [f"swagger-ui-dist {_version(viewer)}\n", *(f"{text.strip()}\n" for text in texts)]
    (folder / "LICENSES").write_text("\n".join(licences), encoding="utf-8")


def _version(package: Path) -> str:
    found: str = msgspec.json.decode((package / "package.json").read_bytes())["version"]
    return found


def exports(folder: Path, into: Path) -> dict[str, list[str]]:
    """What each module of a folder exports, vendored ones aside; esbuild reads them and finds no fault."""
    modules = sorted(file.relative_to(folder) for file in folder.rglob("*.js") if file.parent.name != VENDOR.name)
    told = into / "exports.json"
    options = (f"--metafile={told}", f"--outdir={into}", "--outbase=.", "--format=esm", "--log-level=warning")
    node("esbuild/bin/esbuild", *map(str, modules), *options, cwd=folder)
    made = msgspec.json.decode(told.read_bytes())["outputs"].values()
    return {one["entryPoint"]: sorted(one["exports"]) for one in made}


def types() -> None:
    """Check the types of the page, with those of the contract, which are made anew if it has changed."""
    made = HERE / "generated" / "contract.d.ts"
    stamp = installed() / ".installed"
    if not made.exists() or made.stat().st_mtime < max(FILE.stat().st_mtime, stamp.stat().st_mtime):
        # What has a default may be left out of a request.
        node("openapi-typescript/bin/cli.js", FILE, "--output", made, "--default-non-nullable", "false")
    node("typescript/bin/tsc", "--project", HERE)


def lint() -> None:
    """Check the code of the page and how it is formatted."""
    node("@biomejs/biome/bin/biome", "ci", "--colors=off", "--error-on-warnings", f"--config-path={HERE}", TABLE, DOCS)


def fmt() -> None:
    """Format the code of the page, and repair what can be repaired safely."""
    node(
        "@biomejs/biome/bin/biome",
        "check",
        "--colors=off",
        "--linter-enabled=false",
        "--write",
        f"--config-path={HERE}",
        TABLE,
        DOCS,
    )
