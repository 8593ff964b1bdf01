"""`omenlog settings`: everything that can be set, with its meaning, default and present value."""

import ast
import inspect
from itertools import pairwise

import rich_click as click
from rich.text import Text

from service.cli.screen import say
from service.settings import Settings, from_environment
from service.store.redis.connection import without_password


@click.command()
def settings() -> None:
    """List the settings of the service: environment variables with their present value, meaning and default."""
    now, defaults = from_environment(), Settings()
    for name, meaning in meanings().items():
        value, default = getattr(now, name), getattr(defaults, name)
        value = without_password(value) if name in ("store", "jobs") else value
        value = "(a key that is not shown)" if name == "opening_key" and value else value
        usual = "the default" if getattr(now, name) == default else f"default: {default}"
        say(
            Text.assemble(
                (f"OMENLOG_{name.upper()}", "bold"), "=", (str(value), "" if usual == "the default" else "green")
            )
        )
        say(f"{' '.join(meaning.split())} ({usual})", indent=4)


def meanings() -> dict[str, str]:
    """The text that follows each setting in the source, by its name."""
    tree = ast.parse(inspect.getsource(Settings)).body[0]
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    return {
        field.target.id: text.value.value
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
