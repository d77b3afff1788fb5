"""The source as data, for the tests of its shape."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "chyan_agent"


@cache
def tree(path: Path) -> ast.Module:
    """Return a file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def modules() -> list[Path]:
    """Return the files of the package."""
    return sorted(PACKAGE.rglob("*.py"))


def product() -> list[Path]:
    """Return everything that runs for a user: the package, the entry point, scripts, benchmarks."""
    beside = [*ROOT.glob("*.py"), *ROOT.glob("scripts/*.py"), *ROOT.glob("benchmarks/*.py")]
    return sorted([*modules(), *beside])


def name(path: Path) -> str:
    """Return a file's path in the repository."""
    return path.relative_to(ROOT).as_posix()


def room(path: Path) -> str:
    """Return the module or package directly below `chyan_agent` that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file of the package imports anywhere in it, made absolute."""
    package = ("chyan_agent", *path.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*above, *filter(None, [node.module])))
            yield from (f"{base}.{alias.name}" for alias in node.names)


def rooms_imported(path: Path) -> set[str]:
    """Return the other rooms of the package that a file imports from."""
    parts = (dotted.split(".") for dotted in imports(path))
    found = {p[1] for p in parts if p[0] == "chyan_agent" and len(p) > 1}
    return {r for r in found - {room(path)} if _is_room(r)}


def _is_room(candidate: str) -> bool:
    return (PACKAGE / candidate).is_dir() or (PACKAGE / f"{candidate}.py").is_file()
