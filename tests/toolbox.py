"""A toolset over a temporary workspace, for the tests of tools."""

import json
from collections.abc import Callable
from pathlib import Path

from chyan_agent.memory import Hit, Note, Source
from chyan_agent.messages import ToolCall, ToolResult
from chyan_agent.prompts.tools import EN, ToolTexts
from chyan_agent.tokens import counter
from chyan_agent.tools import Context, Limits
from chyan_agent.tools.registry import build_tools
from chyan_agent.tools.sandbox import Sandbox
from chyan_agent.tools.toolset import Toolset

COUNT = counter("o200k_base")


class ListMemory:
    """A memory that keeps notes in a list and recalls what `hits` says."""

    def __init__(self) -> None:
        self.kept: list[Note] = []
        self.hits: list[Hit] = []
        self.asked: list[tuple[str, int]] = []

    def remember(self, text: str, *, turn: int, source: Source, key: str = "") -> tuple[Note, str]:
        """Keep a note."""
        note = Note(f"n{len(self.kept) + 1}", text, source, turn, "", key)
        self.kept.append(note)
        return note, "added"

    def recall(self, query: str, top_k: int) -> list[Hit]:
        """Return the prepared hits."""
        self.asked.append((query, top_k))
        return self.hits[:top_k]

    def notes(self) -> list[Note]:
        """Return all notes."""
        return self.kept


class Desk:
    """Tools to call by name with keyword arguments; results come back as objects."""

    def __init__(
        self,
        root: Path,
        *,
        limits: Limits | None = None,
        texts: ToolTexts = EN,
        turn_text: Callable[[int], str | None] = lambda turn: None,
        excluded: tuple[Path, ...] = (),
    ) -> None:
        self.root = root
        self.memory = ListMemory()
        self.sandbox = Sandbox(root, texts, excluded=excluded)
        tools = build_tools(self.sandbox, self.memory, limits or Limits(), texts, turn_text)
        self.tools = Toolset(tools, texts)
        self.last = ToolResult("")

    def raw(self, name: str, arguments: str, room: int = 1500) -> dict:
        """Run a call as a model wrote it; checks that the result keeps to its room."""
        call = ToolCall("t00003c01", name, arguments)
        self.last = self.tools.run(call, Context(3, call.id, room, COUNT))
        assert COUNT(self.last.content) <= room
        self.last.content.encode("utf-8")
        value = json.loads(self.last.content)
        assert self.last.ok == ("error" not in value)
        return value

    def __call__(self, name: str, room: int = 1500, **arguments: object) -> dict:
        return self.raw(name, json.dumps(arguments), room)

    def put(self, path: str, content: bytes | str) -> Path:
        """Create a file in the workspace without the tools."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file
