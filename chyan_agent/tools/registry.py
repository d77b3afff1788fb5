"""The six tools, put together: names, schemas, functions."""

from collections.abc import Callable
from functools import partial

from ..memory import Memory
from ..model import Schema
from ..prompts.tools import ToolTexts
from ..state import Effect
from . import Change, Limits, Tool
from .effects import WriteEffects, noted
from .files import Files
from .finding import Finding
from .notes import Notes
from .provenance import marking
from .sandbox import Sandbox


def build_tools(
    sandbox: Sandbox,
    memory: Memory,
    limits: Limits,
    texts: ToolTexts,
    turn_text: Callable[[int], str | None],
    boot: str = "",
) -> tuple[Tool, ...]:
    """Return read, write, search, grep, remember and recall. `boot` is the system prompt."""
    files = Files(sandbox, limits, texts)
    finding = Finding(sandbox, limits, texts)
    notes = Notes(memory, limits, texts, turn_text, boot)
    effects = WriteEffects(sandbox)
    wrote = Change(effects.foresee, effects.outcome)
    kept = Change(lambda _: Effect(), partial(noted, memory))
    path, folder = _text(texts.file_path), _text(texts.folder)
    reading = _takes(
        ["path"],
        path=path,
        start_line=_number(1, texts.start_line),
        max_lines=_number(1),
        start_char=_number(0, texts.start_char),
    )
    mode = {**_text(texts.mode), "enum": ["overwrite", "append"]}
    writing = _takes(["path", "content"], path=path, content=_text(texts.content), mode=mode)
    names = _takes(["pattern"], pattern=_text(texts.glob), path=folder)
    lines = _takes(["pattern"], pattern=_text(texts.regex), path=folder)
    facts = _takes(["content"], content=_text(texts.fact))
    queries = _takes(["query"], query=_text(texts.query), top_k=_number(1))
    quoting = (
        Tool("read", texts.read, reading, files.read, quotes=True),
        Tool("search", texts.search, names, finding.search, quotes=True),
        Tool("grep", texts.grep, lines, finding.grep, quotes=True),
    )
    recall = marking(notes.recall, limits, turn_text, {tool.name for tool in quoting})
    return (
        quoting[0],
        Tool("write", texts.write, writing, files.write, wrote),
        *quoting[1:],
        Tool("remember", texts.remember, facts, notes.remember, kept),
        Tool("recall", texts.recall, queries, recall),
    )


def _takes(required: list[str], **properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": required}


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _number(least: int, description: str = "") -> Schema:
    about = {"description": description} if description else {}
    return {"type": "integer", "minimum": least, **about}
