"""What a recall shows: passages with what was said around them, within a budget of tokens."""

from collections.abc import Callable, Sequence
from datetime import datetime

from ..budget import CountTokens, compact_json
from ..memory import Hit
from ..memory.passages import focus
from ..prompts.tools import ToolTexts
from ..shorten import fits

Result = dict[str, object]

LEAST = 24
"""Tokens of the shortest passage: rather fewer hits than shorter ones."""
BESIDE = 40
"""Tokens of a neighbour at most."""
SHORT = 100
"""Characters of what is only told beside a passage."""
BETWEEN = 4
"""Tokens that join a passage to the rest."""
FOR_BEST = 0.4
"""Share of that which the best one may take."""
NEAREST = 3
"""Hits that are shown where none holds anything of the question."""
NEAR = 2
"""Turns from one that holds something of it in which another hit may still answer."""
FOR_TEXTS = 0.7
"""Share of the room that passages take before their neighbours, where both are wanted."""


def shown(
    hits: Sequence[Hit],
    query: str,
    note: str,
    *,
    room: int,
    count: CountTokens,
    texts: ToolTexts,
) -> Result:
    """Return the best hits that have room, as data that says so.

    Long passages are cut to what the query is about, then neighbours are added where there is
    room left; what is shown of a turn that has more carries the handle by which to get it.
    """
    return _Page(query, note, room, count, texts).of(hits)


def answering(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits that hold something of the question, and those near them.

    Where none does, the first few: these only come near.
    """
    met = [hit.turn for hit in hits if hit.met]
    if not met:
        return list(hits[:NEAREST])
    return [hit for hit in hits if hit.met or any(abs(hit.turn - turn) <= NEAR for turn in met)]


class _Page:
    """One answer of a recall."""

    def __init__(
        self, query: str, note: str, room: int, count: CountTokens, texts: ToolTexts
    ) -> None:
        self._query = query
        self._note = note
        self._room = room
        self._count = count
        self._texts = texts

    def of(self, hits: Sequence[Hit]) -> Result:
        """Return the hits as a result that fits into the room."""
        items = self._with_texts(hits, [_frame(hit) for hit in hits])
        whole = len(items) == len(hits)
        for item, hit in zip(items, hits, strict=False):
            self._add_neighbours(items, item, hit, whole)
        return self._result(items, whole)

    def _result(self, items: Sequence[Result], whole: bool) -> Result:
        if whole:
            return {"note": self._note, "hits": items}
        return {"note": self._note, "truncated": True, "hits": items}

    def _fits(self, items: Sequence[Result], whole: bool) -> bool:
        return fits(compact_json(self._result(items, whole)), self._room, self._count)

    def _with_texts(self, hits: Sequence[Hit], frames: Sequence[Result]) -> list[Result]:
        """Return the hits with passages, as many as leave each a passage of some length."""
        sizes, free = self._sizes(hits, frames)
        beside = any(any(hit.beside) for hit in hits[: len(sizes)])
        shares = _shares(sizes, int(free * FOR_TEXTS) if beside else free)
        items: list[Result] = []
        for hit, frame, share in zip(hits, frames, shares, strict=False):
            item = self._item(items, hit, frame, share)
            if item is None:
                break
            items.append(item)
        return items

    def _sizes(self, hits: Sequence[Hit], frames: Sequence[Result]) -> tuple[list[int], int]:
        """Return what the passages of the hits that have room would take, and what they may."""
        free = self._room - self._count(compact_json(self._result([], whole=False)))
        sizes: list[int] = []
        for hit, frame in zip(hits, frames, strict=True):
            size = self._count(compact_json(hit.text))
            cost = self._count(compact_json(frame)) + BETWEEN
            if sizes and cost + sum(min(n, LEAST) for n in (*sizes, size)) > free:
                break
            free -= cost
            sizes.append(size)
        return sizes, free

    def _item(self, items: Sequence[Result], hit: Hit, frame: Result, share: int) -> Result | None:
        """Return a hit with its passage, or None if not even a short one fits after the others."""
        mark = f"…[#t{hit.turn}]…" if hit.turn else self._texts.cut
        for size in (share, share * 3 // 4, share // 2, LEAST):
            item = {"text": self._cut(hit.text, max(size, LEAST), mark), **frame}
            if self._fits([*items, item], whole=False):
                return item
        return None

    def _cut(self, text: str, most: int, mark: str) -> str:
        return focus(text, self._query, _at_most(most, self._count), mark)

    def _add_neighbours(self, items: list[Result], item: Result, hit: Hit, whole: bool) -> None:
        """Add what was said before and after, unless it is shown already or has no room."""
        before, after = hit.beside
        for name, text in (("after", after), ("before", before)):
            if not text or any(text in str(other["text"]) for other in items):
                continue
            item[name] = self._cut(text, BESIDE, "…")
            if not self._fits(items, whole):
                del item[name]


def _at_most(tokens: int, count: CountTokens) -> Callable[[str], bool]:
    return lambda text: fits(compact_json(text), tokens, count)


def _frame(hit: Hit) -> Result:
    """Return all but the text: where it stands, who said it, and whether it still holds."""
    item: Result = {
        "turn": f"#t{hit.turn}" if hit.turn else "",
        "time": minute(hit.ts),
        "speaker": hit.speaker,
        "replaces": _short(hit.replaces),
        "superseded": _short(hit.superseded),
        "conflicts": [_short(text) for text in hit.conflicts],
    }
    return {key: value for key, value in item.items() if value}


def _short(text: str) -> str:
    """Return a text, or its beginning and its end: what it cites stands there."""
    return text if len(text) <= SHORT else f"{text[: SHORT - 20]}…{text[-20:]}"


def minute(ts: str) -> str:
    """Return a time as the user's clock shows it, to the minute; empty where it is not known."""
    try:
        return datetime.fromisoformat(ts).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return ""


def _shares(sizes: Sequence[int], room: int) -> list[int]:
    """Divide the room among passages: the best may take more, the others alike what they need."""
    if not sizes:
        return []
    first = min(sizes[0], max(int(room * FOR_BEST), LEAST))
    left, waiting = room - first, sorted(sizes[1:])
    share = LEAST
    for place, size in enumerate(waiting):
        share = max(left // (len(waiting) - place), LEAST)
        if size > share:
            break
        left -= size
    return [first, *(min(size, share) if size > LEAST else LEAST for size in sizes[1:])]
