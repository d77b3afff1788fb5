"""What the models of the disk can see: state is written by calls of `os` alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from .. import source

ELSEWHERE = {
    "cli": "the terminal",
    "config": "config.toml, made once when asked for",
    "doctor": "a probe that it removes again",
    "local": "the server's own output",
    "log": "agent.log, of which the end may be lost",
    "offline": "a server without state",
    "rig": "results of tests",
    "tools": "the workspace; seen by what the files hold",
}
"""Rooms that write something else than state, and what."""
WRITES = {"write_text", "write_bytes", "touch", "fdopen", "writelines", "open_code"}
MODES = set("wax+")

ROOMS = [path for path in source.modules() if source.room(path) not in ELSEWHERE]


def unseen(tree: ast.AST) -> Iterator[str]:
    """Yield the calls that write past `os`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        by_name = isinstance(node.func, ast.Name) and node.func.id == "open"
        of_os = ast.unparse(node.func) in ("os.open", "tarfile.open")
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        modes = {str(a.value) for a in given if isinstance(a, ast.Constant)}
        writing = any(set(mode) & MODES for mode in modes if len(mode) <= 3)
        if name in WRITES or ((by_name or (name == "open" and not of_os)) and writing):
            yield ast.unparse(node)


@pytest.mark.parametrize("path", ROOMS, ids=source.name)
def test_state_is_written_through_os(path: Path) -> None:
    """No room that keeps state writes through Python's own buffers, where no model looks."""
    assert list(unseen(source.tree(path))) == []


@pytest.mark.parametrize(
    "code",
    ['open("x", "w")', 'p.open("ab")', "p.write_text(t)", "p.write_bytes(b)", 'os.fdopen(f, "w")']
    + ['io.open("x", mode="r+")', "p.touch()"],
)
def test_the_rule_sees_what_it_forbids(code: str) -> None:
    """Each way to write past `os` is found; reading and `os` itself are not."""
    assert list(unseen(ast.parse(code)))
    assert not list(unseen(ast.parse('os.open(p, os.O_WRONLY); p.open("rb"); open(p)')))
