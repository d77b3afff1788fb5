"""Turns to summary: what the model is asked, what of its answer is believed, what is kept. Pure."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from .budget import PRIMING, Budget, CountTokens, Ledger, Meter
from .frames import quoted
from .messages import Message, Turn
from .model import Reply, Request
from .prompts.core import CoreTexts
from .shorten import shorten
from .shrink import handle
from .state import Evidence, Summary
from .statements.chatter import evades, idle
from .statements.evidence import extract, importance, line
from .statements.origin import Origins
from .statements.succession import merge
from .window import summary_messages, summary_text

SHARES = (800, 400, 200, 100, 50)
"""Tokens that a message may take of a compaction request: the largest share that fits is taken."""
EVIDENCE_SHARE = 0.6
"""Part of the summary that verbatim lines may take; what they leave goes to the facts."""
LEAST_OUTPUT = 128

LONG_LINE = 300
"""Characters beyond which a line is a paragraph, and is believed sentence by sentence."""

_CITED = re.compile(r"[\[(（【]?(@t\d+)[\])）】]?[.。]?\s*$")
_OPENED = re.compile(r"^@t\d+$", re.M)
"""The line above a turn of the source; what only names a turn can't be cited for it."""
_BULLET = re.compile(r"^\s*(?:[-•·]|\*(?!\*)|\d{1,3}[.、)])\s*")
_HEADING = re.compile(r"#{1,6}\s|\*\*[^*]*\*\*$|.*[:：]\*{0,2}$")
_SENTENCE = re.compile(r"(?<=[。！？；])|(?<=[.!?;])\s+")
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/\-]*")
_DIGIT = re.compile("[0-9]")


@dataclass(frozen=True, slots=True)
class Compaction:
    """A compaction request, the text it condenses, and the receipt of what it costs."""

    request: Request
    source: str
    ledger: Ledger


def ask_for_facts(
    turns: Sequence[Turn],
    summary: Summary,
    *,
    budget: Budget,
    meter: Meter,
    texts: CoreTexts,
    ratio: float,
) -> Compaction:
    """Return the request that condenses `turns`; it passes the same gate as every other one."""
    system = Message("system", texts.compact_system.format(percent=round(ratio * 100)))
    room = budget.allowed - meter.message(system) - PRIMING - meter.message(Message("user"))
    source = _source(turns, room, meter)
    question = Message("user", _with_earlier(source, summary, room, meter, texts))
    output = min(budget.reserved, max(LEAST_OUTPUT, int(ratio * meter.count(source))))
    return Compaction(
        Request((system, question), max_output=output, temperature=0.0),
        source,
        Ledger(
            limit=budget.limit,
            reserved=budget.reserved,
            system=meter.message(system) + PRIMING,
            tools=0,
            current=meter.message(question),
        ),
    )


def _source(turns: Sequence[Turn], room: int, meter: Meter) -> str:
    text = ""
    for share in SHARES:
        text = "\n".join(_lines(turns, share, meter.count))
        if meter.count(text) <= room:
            return text
    return shorten(text, room, meter.count, _gap(turns[0].number))


def _gap(turn: int) -> str:
    """Stands for text left out; without a number, which would count as grounded in the source."""
    return f"…{handle(turn)}…"


def _lines(turns: Sequence[Turn], share: int, count: CountTokens) -> Iterator[str]:
    for turn in turns:
        yield f"@t{turn.number}"
        note = _gap(turn.number)
        for message in turn.messages:
            if message.content:
                said = quoted(message.content)
                yield f"{message.role}: {shorten(said, share, count, note)}"
            for call in message.tool_calls:
                yield f"call {call.name}: {shorten(call.arguments, share, count, note)}"


def _with_earlier(source: str, summary: Summary, room: int, meter: Meter, texts: CoreTexts) -> str:
    """Show the earlier summary too where it fits: it tells what need not be said again."""
    body = f"{texts.compact_turns}\n{source}"
    earlier = summary_text(summary, texts)
    whole = f"{texts.compact_earlier}\n{earlier}\n\n{body}"
    if earlier and meter.count(whole) <= room:
        return whole
    return shorten(body, room, meter.count, _gap(summary.through + 1))


def facts_from(reply: Reply, source: str, through: int) -> tuple[tuple[str, ...], int]:
    """Return the believable lines of a model's summary, each citing its turn, and how many are not.

    A line that names a number or an identifier which the source does not hold is refused. The
    last line of an answer that the output limit cut off is unfinished and left out.
    """
    lines = list(_said(reply.message.content))
    if reply.finish == "length":
        lines = lines[:-1]
    known, turns = _normal(source), frozenset(_OPENED.findall(source))
    good = [text for text in lines if _grounded(text, known)]
    return tuple(_cited(text, turns, through) for text in good), len(lines) - len(good)


def _said(text: str) -> Iterator[str]:
    """Yield what a model's lines say, without headings, rulers, apologies and idle talk."""
    for raw in text.splitlines():
        said = _BULLET.sub("", raw).strip()
        for piece in _SENTENCE.split(said) if len(said) > LONG_LINE else (said,):
            bare = _CITED.sub("", piece)
            if not _HEADING.match(piece) and not idle(bare) and not evades(bare):
                yield piece.strip()


def _grounded(text: str, known: str) -> bool:
    words = _WORD.findall(_normal(_CITED.sub("", text)))
    return all(_holds(known, name.rstrip(".:/-")) for name in words if _DIGIT.search(name))


def _holds(known: str, name: str) -> bool:
    """Whether a name stands in the text, not merely inside a longer number: 12 is not in 128."""
    start = known.find(name)
    while start >= 0:
        before, after = known[start - 1 : start], known[start + len(name) : start + len(name) + 1]
        if not (before.isdigit() and name[0].isdigit()) and not after.isdigit():
            return True
        start = known.find(name, start + 1)
    return False


def _normal(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"(?<=\d),(?=\d{3})", "", plain)


def _cited(text: str, turns: frozenset[str], through: int) -> str:
    """Return the line with its turn at its end: the one it names, if there is such a turn."""
    found = _CITED.search(text)
    if found is None:
        return f"{text} @t{through}"
    turn = found[1] if found[1] in turns else f"@t{through}"
    return f"{text[: found.start()].rstrip()} {turn}"


def summarize(
    old: Summary,
    turns: Sequence[Turn],
    facts: tuple[str, ...],
    *,
    evidence: bool,
    cap: int,
    meter: Meter,
    texts: CoreTexts,
    quoting: Collection[str] = (),
) -> Summary:
    """Return the summary that stands for `old` and `turns`, within `cap` tokens.

    Earlier facts are kept as they are and never condensed again: each condensing loses some.
    What the cap leaves no room for stays recallable in the transcript under its turn. What comes
    out of files, which the tools in `quoting` show, is marked.
    """
    origins = Origins(turns, old, quoting)
    pieces = (e for turn in turns for e in extract(turn))
    found = tuple(map(origins.piece, pieces)) if evidence else ()
    facts = tuple(map(origins.fact, facts))
    whole = Summary(
        merge(old.evidence, found) if evidence else old.evidence,
        tuple(dict.fromkeys((*old.facts, *facts))),
        turns[-1].number,
    )
    return _within(whole, cap, meter, texts)


def _within(whole: Summary, cap: int, meter: Meter, texts: CoreTexts) -> Summary:
    frame = meter.messages(summary_messages(Summary((), ("",), whole.through), texts))
    room = max(cap - frame - 2 * meter.count(texts.summary_evidence), 0)
    share = room if not whole.facts else int(room * EVIDENCE_SHARE)
    evidence, used = _strongest(whole, share, meter)
    return Summary(evidence, _newest(whole.facts, room - used, meter), whole.through)


def _strongest(whole: Summary, room: int, meter: Meter) -> tuple[tuple[Evidence, ...], int]:
    """Return the most important lines that fit, in their order, and what they take."""
    chosen: set[int] = set()
    used = 0
    ranked = sorted(
        range(len(whole.evidence)),
        key=lambda i: (-importance(whole.evidence[i], whole.through), -i),
    )
    for place in ranked:
        size = meter.count(line(whole.evidence[place])) + 1
        if used + size > room:
            break
        chosen.add(place)
        used += size
    return tuple(whole.evidence[i] for i in sorted(chosen)), used


def _newest(facts: tuple[str, ...], room: int, meter: Meter) -> tuple[str, ...]:
    """Return the newest facts that fit; one that never could does not cost the others."""
    sizes = {fact: meter.count(fact) + 3 for fact in facts}
    able = [fact for fact in facts if sizes[fact] <= room]
    kept = 0
    for fact in reversed(able):
        room -= sizes[fact]
        if room < 0:
            break
        kept += 1
    return tuple(able[len(able) - kept :])
