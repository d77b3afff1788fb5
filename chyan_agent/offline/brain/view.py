"""A request as the brain sees it: the question, this turn's calls, and everything before."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...prompts import Language
from ...prompts.offline import OfflineTexts
from .facts import Item, Order, Reader
from .terms import texts_for
from .text import language
from .values import Ask, Result

Wire = Mapping[str, Any]
SYSTEM, RECORDED, LIVE = 0, 1, 2

_CITED = re.compile(
    r"^\s*[-*•]\s+(?:（曾）|\(was\) )?(?:（文件）|\(file\) )?(.*?)\s*@t(\d+)\s*$", re.MULTILINE
)
_SPOKEN = re.compile(r"^(user|assistant|tool|system|call)\b[^:]{0,40}: ")
_THROUGH = re.compile(r"第\s*(\d+)\s*轮及以前|up to turn (\d+)", re.IGNORECASE)
_LEFT_OUT = re.compile(r"\n[〔\[][^\n]*recall\(\"#t\d+\"\)[^\n]*[〕\]]\s*$")


@dataclass(frozen=True, slots=True)
class Done:
    """A tool call that was answered, in any turn in sight."""

    name: str
    arguments: Mapping[str, Any]
    result: Result
    order: Order


@dataclass(frozen=True, slots=True)
class View:
    """Everything that a plan may know."""

    question: str
    items: tuple[Item, ...]
    """What may hold facts, in the order of the request."""
    before: tuple[Done, ...]
    """Calls of earlier turns in sight, oldest first."""
    answers: tuple[str, ...]
    """Earlier answers in sight, oldest first."""
    asked: tuple[str, ...]
    """Earlier user messages in sight, oldest first."""
    through: int
    """The last turn that the summary stands for."""
    done: tuple[Done, ...]
    """Calls of this turn."""
    notes: tuple[str, ...]
    """What was said along with this turn's calls, oldest first."""
    tools: frozenset[str]
    read: Reader

    @property
    def language(self) -> Language:
        """The language to answer in."""
        return language(self.question)

    @property
    def texts(self) -> OfflineTexts:
        """The sentences to answer with."""
        return texts_for(self.language)

    def result(self, ask: Ask) -> Result | None:
        """Return what a call of this turn gave, or None when it was not made yet."""
        if ask.name not in self.tools:
            return Result("", {"error": self.texts.no_tool.format(name=ask.name)})
        for done in reversed(self.done):
            if done.name == ask.name and done.arguments == ask.arguments:
                return done.result
        return None


def view(messages: Sequence[Wire], tools: Sequence[Wire], read: Reader) -> View:
    """Return a request as a view. `messages` must have passed the judge."""
    start = max((i for i, m in enumerate(messages) if m["role"] == "user"), default=0)
    earlier, current = messages[:start], messages[start:]
    said = [m for m in earlier if m["role"] == "user" and not _CITED.search(text_of(m))]
    heads = [text_of(m) for m in earlier if m["role"] == "user" and _CITED.search(text_of(m))]
    found = _THROUGH.search("\n".join(heads))
    return View(
        question=_LEFT_OUT.sub("", text_of(messages[start])).strip(),
        items=tuple(_items(earlier)),
        before=tuple(_done(earlier)),
        answers=tuple(text_of(m) for m in earlier if _answers(m)),
        asked=tuple(map(text_of, said)),
        through=int(found[1] or found[2]) if found else 0,
        done=tuple(_done(current)),
        notes=tuple(text_of(m) for m in current if m.get("tool_calls") and text_of(m)),
        tools=frozenset(tool["function"]["name"] for tool in tools),
        read=read,
    )


def _answers(message: Wire) -> bool:
    return message["role"] == "assistant" and not message.get("tool_calls")


def text_of(message: Wire) -> str:
    """Return the text of a message, also where it comes in parts."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))


def _items(messages: Sequence[Wire]) -> Iterator[Item]:
    names = {c["id"]: c["function"]["name"] for m in messages for c in m.get("tool_calls") or ()}
    for place, message in enumerate(messages):
        text, role = text_of(message), message["role"]
        cited = _CITED.findall(text) if role == "user" else []
        if cited:
            for line, (fact, turn) in enumerate(cited):
                yield Item(fact, (RECORDED, int(turn), line * 100), own=True)
        elif role == "tool":
            yield from _from_tool(names.get(message.get("tool_call_id"), ""), text, place)
        elif text:
            level = SYSTEM if role in ("system", "developer") else LIVE
            yield Item(text, (level, place, 0), own=role == "user")


def _from_tool(name: str, text: str, place: int) -> Iterator[Item]:
    result = Result.read(text)
    if name == "recall":
        yield from hits(result)
    elif name == "read" and result.content:
        yield Item(result.content, (LIVE, place, 0), own=False)


def hits(result: Result) -> Iterator[Item]:
    """Return what a recall gave as items. The user's words and notes count as the user's."""
    found = result.data.get("hits") or result.data.get("results") or ()
    for place, hit in enumerate(found):
        if isinstance(hit, str):
            cited = _CITED.search(f"- {hit}")
            turn = int(cited[2]) if cited else 0
            yield Item(hit, (RECORDED, turn, place * 100), own=True)
        elif isinstance(hit, Mapping):
            text = str(hit.get("text") or hit.get("content") or "")
            speaker = str(hit.get("speaker") or hit.get("role") or hit.get("source") or "user")
            own = not speaker.startswith(("assistant", "tool"))
            turn = int(re.sub(r"\D", "", str(hit.get("turn") or hit.get("from") or 0)) or 0)
            yield Item(text, (RECORDED, turn, place * 100), own=own)
            if hit.get("replaces"):
                yield Item(str(hit["replaces"]), (RECORDED, max(turn - 1, 0), place * 100), own=own)


def turn_items(page: Result, turn: int) -> Iterator[Item]:
    """Return what a turn that was recalled by its handle says, line by line."""
    text, own = str(page.data.get("text") or page.content), True
    for place, line in enumerate(text.splitlines()):
        if found := _SPOKEN.match(line):
            own = found[1] == "user"
        yield Item(_SPOKEN.sub("", line), (RECORDED, turn, place * 100), own=own)


def _done(messages: Sequence[Wire]) -> Iterator[Done]:
    results = {m["tool_call_id"]: text_of(m) for m in messages if m["role"] == "tool"}
    for place, message in enumerate(messages):
        for call in message.get("tool_calls") or ():
            if call["id"] in results:
                function = call["function"]
                result = Result.read(results[call["id"]])
                arguments = json.loads(function["arguments"])
                yield Done(function["name"], arguments, result, (LIVE, place, 0))
