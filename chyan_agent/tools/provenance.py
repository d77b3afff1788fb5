"""Whose words a model has before it: what it notes then may be what a file told it to note."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ..memory import ANSWERED
from ..messages import Turn
from ..statements.origin import MARK, quoted
from . import Arguments, Context, Limits
from .results import as_json

Result = Mapping[str, object]
Run = Callable[[Arguments, Context], Result]

_COST = 12
"""Tokens that the mark takes at most."""
_CITED = re.compile(r"\(#t(\d{1,9})\)", re.ASCII)
_CALL = re.compile(r"^call ([\w-]+):", re.M)
"""A call in the text of a turn. Nobody can forge it: lines that look so are quoted."""
_PAGE = re.compile(r"^call recall:.*?\bt(\d{1,9})", re.M | re.ASCII | re.IGNORECASE)
"""A turn that was read back: its page is no part of the text."""


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
            shows = reads(_number(result.get("turn")))
        if not shows:
            return result
        most = min(context.room, limits.recall_tokens if hits else limits.max_result_tokens)
        if context.count(as_json({**result, MARK: True})) > most:
            result = run(arguments, replace(context, room=max(most - _COST, 0)))
        return {**result, MARK: True}

    def reads(turn: int) -> bool:
        """Whether a turn shows that, itself or in the pages that it read back."""
        seen, waiting = set[int](), [turn]
        while waiting:
            text = turn_text(waiting.pop()) or ""
            if f'"{MARK}":true' in text or any(name in quoting for name in _CALL.findall(text)):
                return True
            pages = set(map(int, _PAGE.findall(text))) - seen
            seen |= pages
            waiting += pages
        return False

    return marked


def _hit_shows(hit: Mapping[str, object], reads: Callable[[int], bool]) -> bool:
    """Whether a tool speaks in a hit, or somebody who may say what a tool gave in his turn."""
    speaker = str(hit.get("speaker", ""))
    return speaker.startswith("tool") or any(map(reads, _told(hit, speaker)))


def _told(hit: Mapping[str, object], speaker: str) -> Iterator[int]:
    """Yield the turns of which a hit shows more than the words of the user."""
    turn = _number(hit.get("turn"))
    if speaker in ("assistant", ANSWERED) or "after" in hit:
        yield turn
    if speaker in ("user", ANSWERED) and "before" in hit:
        yield turn - 1  # A question is shown behind the answer to the one before.
    for cited in _CITED.findall(f"{hit.get('superseded', '')} {hit.get('conflicts', '')}"):
        yield int(cited)


def _number(handle: object) -> int:
    number = str(handle or "").removeprefix("#t")
    return int(number) if number.isdecimal() else 0


def after_reading(turns: Sequence[Turn], quoting: Collection[str]) -> bool:
    """Whether what somebody wrote into files stands in these turns, as results of tools."""
    return any(next(quoted(turn, quoting), None) is not None for turn in turns)
