"""Tasks for the tool loop of a real model, one tool each."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..prompts import Language

FILES = {
    "server.conf": "host = example\nport = 8472\n",
    "logs/a.log": "start\nall is well\nstop\n",
    "logs/b.log": "start\nTIMEOUT after 30 s\nstop\n",
    "guide.md": "# Guide\nTurn it on.\n",
    "plan.md": "# Plan\nShip on Friday.\n",
}
"""What the workspace holds before the tasks."""


@dataclass(frozen=True, slots=True)
class Case:
    """A task for the tool loop; `good` judges answer and workspace."""

    name: str
    tool: str
    """The tool that does it."""
    language: Language
    text: str
    good: Callable[[str, Path], bool]


def _says(*words: str) -> Callable[[str, Path], bool]:
    return lambda answer, _: all(word.lower() in answer.lower() for word in words)


def _wrote(name: str, *words: str) -> Callable[[str, Path], bool]:
    def good(_: str, workspace: Path) -> bool:
        path = workspace / name
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        return all(word in text for word in words)

    return good


CASES = (
    Case("write", "write", "en", "Create a file named colours.txt that contains: red, green",
         _wrote("colours.txt", "red", "green")),
    Case("read", "read", "en", "Which port is set in the file server.conf?", _says("8472")),
    Case("grep", "grep", "en", "Which file in the folder logs contains the word TIMEOUT?",
         _says("b.log")),
    Case("search", "search", "zh", "找出所有 .md 文件，列出它们的名字",
         _says("guide.md", "plan.md")),
    Case("remember", "remember", "zh", "请记住：我的工号是 K-7261", lambda *_: True),
    Case("recall", "recall", "zh", "我的工号是多少？", _says("K-7261")),
)  # fmt: skip
"""Each is asked in a session of its own; what the fifth remembers, the sixth has to recall."""
