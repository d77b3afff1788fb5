"""Caps on the tail: nothing is too long, too wide or too deep, and nothing swallows errors."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import source

LONGEST_FUNCTION = 50
LONGEST_CLASS = 150
LONGEST_FILE = 250
MOST_ARGUMENTS = 10
DEEPEST_NESTING = 3
EDGE = {"main.py", "chyan_agent/cli/__init__.py"}
BROAD = {"Exception", "BaseException"}
HEAVY = ("jieba", "matplotlib", "numpy", "openai", "prompt_toolkit", "rank_bm25") + (
    "tiktoken",
    "tokenizers",
)
FRESH = """
import importlib, pkgutil, sys
import chyan_agent
if {everything}:
    for module in pkgutil.walk_packages(chyan_agent.__path__, "chyan_agent."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
print(*(name for name in {heavy} if name in sys.modules))
"""

Function = ast.FunctionDef | ast.AsyncFunctionDef
_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)

each_file = pytest.mark.parametrize("path", source.product(), ids=source.name)


def functions(path: Path) -> Iterator[Function]:
    """Yield every function and method of a file."""
    for node in ast.walk(source.tree(path)):
        if isinstance(node, Function):
            yield node


def classes(path: Path) -> Iterator[ast.ClassDef]:
    """Yield every class of a file."""
    for node in ast.walk(source.tree(path)):
        if isinstance(node, ast.ClassDef):
            yield node


def lines(node: Function | ast.ClassDef) -> int:
    """Return the length of a definition."""
    return (node.end_lineno or 0) - node.lineno + 1


def arguments(node: ast.ClassDef) -> int:
    """Return how many arguments a class is made with: of its `__init__`, or its fields."""
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            given = item.args
            return len(given.posonlyargs) + len(given.args) - 1 + len(given.kwonlyargs)
    if any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list):
        return sum(isinstance(item, ast.AnnAssign) for item in node.body)
    return 0


def depth(node: ast.AST) -> int:
    """Return how deep blocks are nested in a function; an `elif` is as deep as its `if`."""
    return max((_depth(child) for child in ast.iter_child_nodes(node)), default=0)


def _depth(node: ast.AST) -> int:
    if isinstance(node, Function | ast.ClassDef | ast.Lambda):
        return 0
    if isinstance(node, ast.If) and len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        inner = max((_depth(child) for child in node.body), default=0)
        return max(inner + 1, _depth(node.orelse[0]))
    return depth(node) + isinstance(node, _BLOCKS)


@each_file
def test_functions_are_short(path: Path) -> None:
    """A function is at most 50 lines, and its blocks are at most three deep."""
    long = [f"{f.name}: {lines(f)}" for f in functions(path) if lines(f) > LONGEST_FUNCTION]
    deep = [f"{f.name}: {depth(f)}" for f in functions(path) if depth(f) > DEEPEST_NESTING]
    assert (long, deep) == ([], [])


@each_file
def test_classes_are_small(path: Path) -> None:
    """A class is at most 150 lines and is made with at most ten arguments."""
    long = [f"{c.name}: {lines(c)}" for c in classes(path) if lines(c) > LONGEST_CLASS]
    wide = [f"{c.name}: {arguments(c)}" for c in classes(path) if arguments(c) > MOST_ARGUMENTS]
    texts = path.parent.name == "prompts"  # a set of texts is made once, as a constant
    assert (long, [] if texts else wide) == ([], [])


@each_file
def test_files_are_short(path: Path) -> None:
    """A file is at most 250 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@each_file
def test_no_error_is_swallowed(path: Path) -> None:
    """Only the edge, where every error ends, may catch whatever comes."""
    if source.name(path) in EDGE:
        return
    assert not [ast.unparse(node) for node in ast.walk(source.tree(path)) if catches_all(node)]


def catches_all(node: ast.AST) -> bool:
    """Whether this catches or suppresses every exception."""
    if isinstance(node, ast.ExceptHandler):
        return node.type is None or bool(names(node.type) & BROAD)
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
        return any(names(argument) & BROAD for argument in node.args)
    return False


def names(node: ast.AST) -> set[str]:
    """Return the plain names in an expression."""
    return {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}


@each_file
def test_public_things_say_what_they_are(path: Path) -> None:
    """Modules and public functions, methods and classes have a docstring."""
    module = source.tree(path)
    silent = [node.name for node in public(module) if not ast.get_docstring(node)]
    assert ast.get_docstring(module)
    assert not silent


def public(owner: ast.Module | ast.ClassDef) -> Iterator[Function | ast.ClassDef]:
    """Yield the public definitions of a module and of its public classes."""
    for node in owner.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node)


@pytest.mark.parametrize("everything", [False, True], ids=["the package", "every module"])
def test_importing_loads_no_heavy_package(everything: bool) -> None:
    """Vendors are loaded when they are first needed, so starting is instant."""
    code = FRESH.format(everything=everything, heavy=HEAVY)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=source.ROOT
    )
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr


def test_every_test_states_its_law() -> None:
    """Each test has a docstring that says what holds."""
    silent = [
        f"{source.name(path)}: {function.name}"
        for path in sorted((source.ROOT / "tests").glob("test_*.py"))
        for function in functions(path)
        if function.name.startswith("test_") and not ast.get_docstring(function)
    ]
    assert not silent
