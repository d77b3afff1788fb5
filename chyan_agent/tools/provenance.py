"""Whose words a model has before it: what it notes then may be what a file told it to note."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from ..messages import Turn
from ..statements.origin import MARK, quoted
from . import Arguments, Context, Limits
from .results import as_json

Result = Mapping[str, object]
Run = Callable[[Arguments, Context], Result]

_COST = 12
"""Tokens that the mark takes at most."""
_CALL = re.compile(r"^call ([\w-]+):", re.M)
"""A call in the text of a turn. Nobody can forge it: lines that look so are quoted."""


def marking(
    run: Run, limits: Limits, turn_text: Callable[[int], str | None], quoting: Collection[str]
) -> Run:
    """Return a recall whose results are marked where they show what tools that quote gave."""

    def marked(arguments: Arguments, context: Context) -> Result:
        result = run(arguments, context)
        hits = result.get("hits")
        if isinstance(hits, list):
            shows = any(_hit_shows(hit, reads) for hit in hits)
        else:
            shows = reads(result.get("turn"))
        if not shows:
            return result
        most = min(context.room, limits.recall_tokens if hits else limits.max_result_tokens)
        if context.count(as_json({**result, MARK: True})) > most:
            result = run(arguments, replace(context, room=max(most - _COST, 0)))
        return {**result, MARK: True}

    def reads(handle: object) -> bool:
        number = str(handle or "").removeprefix("#t")
        text = (turn_text(int(number)) if number.isdecimal() else None) or ""
        return f'"{MARK}":true' in text or any(name in quoting for name in _CALL.findall(text))

    return marked


def _hit_shows(hit: Mapping[str, object], reads: Callable[[object], bool]) -> bool:
    """Whether a tool speaks in a hit; what stands after it may be a tool's of the same turn."""
    if str(hit.get("speaker", "")).startswith("tool"):
        return True
    return "after" in hit and reads(hit.get("turn"))


def after_reading(turns: Sequence[Turn], quoting: Collection[str]) -> bool:
    """Whether what somebody wrote into files stands in these turns, as results of tools."""
    return any(next(quoted(turn, quoting), None) is not None for turn in turns)
