"""The tools on long-term memory: remember and recall. What comes back is data, and says so."""

import re
from collections import deque
from collections.abc import Callable
from typing import cast

from ..budget import compact_json
from ..errors import LockedError, ToolFailed
from ..memory import Memory, Source
from ..memory.gate import Gate, repeats
from ..memory.nearest import nearest
from ..prompts import memory as say
from ..prompts import pick
from ..prompts.tools import ToolTexts
from ..shorten import fits, prefix, shorten
from . import Arguments, Context, Limits
from .recalled import answering, shown
from .results import LEAST_CONTENT, cap, cost_in_json

Result = dict[str, object]

NOTE_TOKENS = 2_000
MOST_HITS = 20
LATELY = 60
"""Recalled texts that are kept in mind, so that they are not noted again."""
SINCE = 2
"""Turns for which they are: so long they may stand in the window."""
_HANDLE = re.compile(r"[#@]t(\d{1,9})(?:@(\d{1,12}))?", re.ASCII | re.IGNORECASE)
"""A turn, and the character from which to go on: `#t37@2000`. Summaries cite turns as `@t37`."""
_NAMED = re.compile(r"(?<![\w#@])[#@]t(\d{1,9})(?![\w@])", re.ASCII | re.IGNORECASE)
"""A turn that is named among other words."""
_BARE = re.compile(r"t(\d{1,9})", re.ASCII)
"""A word, or a turn whose sign was left out: it is searched for first."""


class Notes:
    """Long-term memory for the model. `turn_text` gives a turn as text, None if there is none.

    `boot` is what the model is told at every start: none of that is a note.
    """

    def __init__(
        self,
        memory: Memory,
        limits: Limits,
        texts: ToolTexts,
        turn_text: Callable[[int], str | None],
        boot: str = "",
    ) -> None:
        self._memory = memory
        self._limits = limits
        self._texts = texts
        self._turn_text = turn_text
        self._say = pick(texts.language, say.ZH, say.EN)
        self._gate = Gate(f"{boot}\n{texts.recorded}\n{texts.nothing_found}")
        self._recalled: deque[tuple[int, str]] = deque(maxlen=LATELY)
        """Turn in which it was recalled, and text."""

    def remember(self, arguments: Arguments, context: Context) -> Result:
        """Store a fact, durably."""
        content = cast("str", arguments["content"]).strip()
        if not content:
            raise ToolFailed(self._texts.empty_note, hint=self._texts.empty_note_hint)
        if not fits(content, NOTE_TOKENS, context.count):
            problem = self._texts.note_too_long.format(limit=NOTE_TOKENS)
            raise ToolFailed(problem, hint=self._texts.note_too_long_hint)
        self._let_in(content, context.turn)
        # What a file told the model to remember is not the model's own word.
        doubtful = context.after_reading and not repeats(content, context.question)
        source: Source = "tool" if doubtful else "model"
        try:
            note, status = self._memory.remember(
                content, turn=context.turn, source=source, key=context.call_id
            )
        except LockedError as error:
            problem = error.message_in(self._texts.language)
            raise ToolFailed(problem, hint=self._texts.tell_user) from error
        return {"status": status, "id": note.id}

    def _let_in(self, content: str, turn: int) -> None:
        """Raise ToolFailed for what must not be noted, or is no news."""
        recalled = [text for when, text in self._recalled if when >= turn - SINCE]
        asked = (self._turn_text(turn) or "").partition("\n")[0]
        refused = self._gate.refusal(content, recalled=recalled, asked=asked)
        if refused is None or (refused.reason == "echo" and self._memory.holds(content, "")):
            return
        what = self._say.secrets[refused.secret] if refused.secret else ""
        problem = self._say.refused[refused.reason].format(secret=what)
        raise ToolFailed(problem, hint=self._say.hints[refused.reason])

    def recall(self, arguments: Arguments, context: Context) -> Result:
        """Return what is known about a query, or a page of the turn that a handle names."""
        query = cast("str", arguments["query"]).strip()
        handle = _HANDLE.fullmatch(query)
        if handle:
            return self._page(int(handle[1]), int(handle[2] or 0), context)
        words, unknown = self._words(query)
        most = min(cast("int", arguments.get("top_k", self._limits.top_k)), MOST_HITS)
        hits = self._memory.recall(words, most, evidence=context.evidence) if words else []
        bare = _BARE.fullmatch(query) if not hits else None
        if bare and self._turn_text(int(bare[1])) is not None:
            return self._page(int(bare[1]), 0, context)
        if not hits:
            return self._nothing(words, unknown, context)
        note = self._texts.recorded if any(hit.met for hit in hits) else self._say.nearest
        hits = answering(hits)
        self._recalled += [(context.turn, hit.text) for hit in hits]
        room = min(cap(context, self._limits), self._limits.recall_tokens)
        return shown(hits, words, unknown + note, room=room, count=context.count, texts=self._texts)

    def _nothing(self, query: str, unknown: str, context: Context) -> Result:
        """Say that nothing was found, and which notes are spelt like what was looked for."""
        near = nearest(query, (note.text for note in self._memory.notes()))
        note = unknown + self._texts.nothing_found
        result: Result = {"note": note, "hits": []}
        if near:
            share = self._limits.recall_tokens // (2 * len(near))
            texts = [shorten(text, share, context.count, self._texts.cut) for text in near]
            result["nearest"] = texts
        return result

    def _words(self, query: str) -> tuple[str, str]:
        """Return a query without the handles of turns that never were, and a word on those."""
        found = (
            match for match in _NAMED.finditer(query) if self._turn_text(int(match[1])) is None
        )
        unknown = [match[1] for match in found]
        if not unknown:
            return query, ""
        said = self._texts.unknown_turn.format(turn=", ".join(unknown))
        words = _NAMED.sub(lambda match: "" if match[1] in unknown else match[0], query)
        return words.strip(), f"{said}; "

    def _page(self, turn: int, start: int, context: Context) -> Result:
        """Return a turn from a character on, as much as there is room for."""
        text = self._turn_text(turn)
        if text is None:
            problem = self._texts.unknown_turn.format(turn=turn)
            raise ToolFailed(problem, hint=self._texts.turns_hint.format(now=context.turn))
        result: Result = {
            "note": self._texts.recorded,
            "turn": f"#t{turn}",
            "text": "",
            "total_chars": len(text),
            "truncated": True,
        }
        frame = {**result, "next": f"#t{turn}@{len(text)}"}
        room = cap(context, self._limits) - context.count(compact_json(frame))
        if room < LEAST_CONTENT:
            raise ToolFailed(self._texts.no_room, hint=self._texts.no_room_hint)
        rest = text[start:]
        cost = cost_in_json(context.count, room, self._limits)
        page = rest if fits(rest, room, cost) else _at_line_end(prefix(rest, room, cost))
        end = start + len(page)
        if end >= len(text):
            return {**result, "text": page, "truncated": False}
        return {**result, "text": page, "next": f"#t{turn}@{end}"}


def _at_line_end(page: str) -> str:
    """Cut a page after its last newline, if that doesn't cost half of it."""
    end = page.rfind("\n") + 1
    return page[:end] if end > len(page) // 2 else page
