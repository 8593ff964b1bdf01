"""The programs in `examples/`, to be tested from within."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parents[2] / "examples"


def example(name: str) -> ModuleType:
    """An example as a module; what it does when it is run as a program is not done."""
    spec = spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    if spec is None or spec.loader is None:
        raise LookupError(name)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
