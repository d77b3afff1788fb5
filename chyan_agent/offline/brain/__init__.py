"""Answers by rule from the request alone."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from ...messages import ToolCall
from ..rules import Body
from .pages import PAGE_NOTE
from .statements import Statement, statements
from .tasks import plan
from .values import Ask, Result, Said, Unseen
from .view import View, view

__all__ = ["Brain", "Said"]
REMEMBERED = 2048


class Brain:
    """Answers requests. Keeps nothing but a bounded cache of how texts read."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._read: OrderedDict[str, tuple[Statement, ...]] = OrderedDict()

    def answer(self, messages: Sequence[Body], tools: Sequence[Any] = ()) -> Said:
        """Return the next step of the last question: tool calls, or the final text."""
        seen = view(messages, tools, self._statements)
        steps = plan(seen)
        try:
            wanted = next(steps)
            while True:
                results = [seen.result(ask) for ask in wanted]
                if any(result is None for result in results):
                    return _calling(wanted, results)
                wanted = steps.send(tuple(r for r in results if r is not None))
        except StopIteration as end:
            return Said(end.value)
        except Unseen:
            return Said(_concluded(seen))

    def _statements(self, text: str) -> tuple[Statement, ...]:
        known = self._read.get(text)
        if known is None:
            known = self._read[text] = statements(text)
            if len(self._read) > REMEMBERED:
                self._read.popitem(last=False)
        return known


def _calling(wanted: Sequence[Ask], results: Sequence[Result | None]) -> Said:
    missing = [ask for ask, result in zip(wanted, results, strict=True) if result is None]
    calls = tuple(ToolCall("", ask.name, ask.json) for ask in missing)
    return Said(missing[0].note, calls)


def _concluded(seen: View) -> str:
    """Say what this turn's own notes and calls still tell, where earlier results are gone."""
    texts, last = seen.texts, seen.done[-1]
    stated = [note for note in seen.notes if not note.startswith(PAGE_NOTE)]
    if not stated or last.result.error:
        return texts.gone
    if last.name == "remember":
        return stated[-1] + texts.and_remembered + texts.stop
    append = last.arguments.get("mode") == "append"
    ending = texts.and_appended if append else texts.and_wrote
    return stated[-1] + ending.format(path=last.arguments.get("path")) + texts.stop
