"""Verbatim pieces of a turn, found by rule: what a summary may not lose. Pure and linear.

Identifiers, numbers, paths, dates, quotes, statements and decisions are copied, never rephrased.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..jsontext import parsed
from ..messages import Message, ToolCall, Turn
from ..state import Evidence
from .chatter import excuses
from .clauses import LONGEST, questions, statements
from .facts import Fact, fact, normalise
from .gist import covered, units
from .literals import literals
from .marks import marked
from .mentions import carried_out, mentions
from .origin import signed
from .results import FROM_MEMORY, Lines, Part, parts
from .slots import single
from .succession import AGENT, VALUE, changed_by, merge

PER_MESSAGE = 48
PER_RESULT = 4
SAME = 0.8
"""Share of what one says that another must say as well to make it superfluous."""

WEIGHTS = {
    "fact": 1.0,
    "decision": 1.0,
    "todo": 0.9,
    "id": 0.85,
    "negation": 0.8,
    "preference": 0.8,
    "path": 0.75,
    "url": 0.75,
    "email": 0.75,
    "version": 0.65,
    "hash": 0.65,
    "date": 0.65,
    "advice": 0.6,
    "denial": 0.6,
    "placed": 0.6,
    "quote": 0.5,
    "number": 0.45,
    "row": 0.4,
    "asked": 0.3,
    "changed": 0.3,
    "past": 0.2,
}
HALF_LIFE = 150
"""Turns after which a piece weighs half."""

_LASTING = frozenset({"todo", "negation", "preference", "advice"})
_WEAK = frozenset({"denial", "placed"})
"""What a clause names may weigh more."""
_LITERAL = frozenset({"id", "path", "url", "date", "version", "hash", "quote", "number"})
SAID = "said: "
"""Begins the key of a clause that has no subject: only the same words replace it."""


def extract(turn: Turn) -> tuple[Evidence, ...]:
    """Return the pieces of a turn worth keeping, later words of the same matter winning.

    Of one matter the user's statement counts most, then the answer, then what tools were given
    and gave back.
    """
    calls = {call.id: call for message in turn.messages for call in message.tool_calls}
    told = [e for m in turn.messages if m.role == "user" for e in _said(turn.number, m.content)]
    told = [_done(piece, calls.values()) for piece in told]
    stated = [e for e in told if e.kind != "asked"]
    answers = [m.content for m in turn.messages if m.role == "assistant"]
    given = [e for text in answers for e in _said(turn.number, text, own=False)]
    given = [e for e in given if not _repeats(e, stated)]
    asked = [e for e in told if e.kind == "asked" and not _repeats(e, given)]
    results = [(m, calls.get(m.tool_call_id)) for m in turn.messages if m.role == "tool"]
    found = [e for message, call in results for e in _result(turn.number, message, call)]
    found = [e for e in found if not _repeats(e, given)]
    found += _filed((e for call in calls.values() for e in _written(turn.number, call)), given)
    found += (*asked, *(e for e in stated if e.kind != "fact"), *given)
    return merge((), (*found, *(e for e in stated if e.kind == "fact")))


def importance(piece: Evidence, newest_turn: int) -> float:
    """Return how much a piece deserves its room, in (0, 1]: by kind, fading with age."""
    age = max(0, newest_turn - piece.turn)
    weight = WEIGHTS.get(piece.kind, 0.5)
    return float(weight * 0.5 ** (age / HALF_LIFE))


def line(piece: Evidence) -> str:
    """Return a piece as one line of the summary, citing its turn; what was replaced says so."""
    said = signed(piece.text) if piece.file else piece.text
    return f"- {_before(piece)}{said} @t{piece.turn}"


def _before(piece: Evidence) -> str:
    """Say of a piece that it is history, or where it was changed."""
    english = piece.text.isascii()
    if by := changed_by(piece):
        return f"(changed @t{by}) " if english else f"（@t{by} 已改）"
    return "" if piece.kind != "past" else "(was) " if english else "（曾）"


def _said(turn: int, text: str, *, own: bool = True) -> list[Evidence]:
    """Pieces of running text; `own` when the words are the user's."""
    clauses = statements(text) if own else statements(text, without=excuses)
    found = [_piece(turn, clause, said, own) for clause, said in clauses]
    found += [_asked(turn, clause) for clause in questions(text)] if own else []
    pieces = [piece for piece in found if piece is not None]
    if len(pieces) > PER_MESSAGE:
        floor = sorted((WEIGHTS[piece.kind] for piece in pieces), reverse=True)[PER_MESSAGE - 1]
        pieces = [piece for piece in pieces if WEIGHTS[piece.kind] >= floor]
    return pieces[:PER_MESSAGE]


def _piece(turn: int, clause: str, said: Fact | None, own: bool) -> Evidence | None:
    if not own and clause.endswith((":", "：")):
        return None
    kind = _kind(clause, said, own=own)
    if not kind:
        return None
    return Evidence(turn=turn, kind=kind, key=_key(kind, clause, said, own), text=clause)


def _asked(turn: int, clause: str) -> Evidence | None:
    if not mentions(clause):
        return None
    return Evidence(turn=turn, kind="asked", key=_plainly(clause), text=clause)


def _kind(clause: str, said: Fact | None, *, own: bool) -> str:
    mark = marked(clause, told=own and said is None)
    if said is not None and own:
        named = mark not in ("todo", "preference") or single(said.subject)
        return "fact" if named else mark
    if mark and mark not in _WEAK:
        return "advice" if mark in _LASTING and not own else mark
    kinds = [mark, *(one.kind for one in literals(clause))]
    return max(kinds, key=lambda kind: WEIGHTS.get(kind, 0.0))


def _key(kind: str, clause: str, said: Fact | None, own: bool) -> str:
    """What a later piece must be about to replace this one.

    What is named is no subject: two clauses that name the same are two matters.
    """
    if said is None or kind in _LASTING:
        return _plainly(clause)
    if not own:
        return AGENT + said.subject
    return said.subject if said.lone else said.subject + VALUE + said.value


def _plainly(clause: str) -> str:
    return SAID + normalise(clause)


def _repeats(piece: Evidence, others: Iterable[Evidence]) -> bool:
    """Whether one of the others says what a piece says, in about the same words."""
    names = {one.text for one in literals(piece.text)}
    topic = frozenset(units(piece.text))
    alike = [e for e in others if all(name in e.text for name in names)]
    return any(covered(topic, frozenset(units(e.text))) >= SAME for e in alike)


def _done(piece: Evidence, calls: Iterable[ToolCall]) -> Evidence:
    """A request that tools have carried out: what came of it counts, not what it named."""
    arguments = (call.arguments for call in calls)
    done = piece.kind in _LITERAL and carried_out(piece.text, arguments)
    return replace(piece, kind="asked") if done else piece


def _filed(written: Iterable[Evidence], given: list[Evidence]) -> Iterator[Evidence]:
    """What was written to a file; an answer that tells both takes its place, under its key."""
    for piece in written:
        content = piece.text.partition(f" {piece.key}: ")[2]
        telling = (i for i, e in enumerate(given) if piece.key in e.text and content in e.text)
        place = next(telling, None) if content else None
        if place is None:
            yield piece
        else:
            given[place] = replace(given[place], key=piece.key)


def _written(turn: int, call: ToolCall) -> Iterator[Evidence]:
    """A short text that a tool was told to put somewhere."""
    arguments = parsed(call.arguments)
    if not isinstance(arguments, dict) or call.name in FROM_MEMORY:
        return
    path, content = arguments.get("path"), arguments.get("content")
    if not isinstance(path, str) or not isinstance(content, str) or not path:
        return
    text = f"{call.name} {path}: {content.strip()}"
    if len(text) <= LONGEST and "\n" not in text and "\r" not in text:
        yield Evidence(turn=turn, kind="path", key=path, text=text)
    elif len(path) <= LONGEST // 2:
        yield Evidence(turn=turn, kind="path", key=path, text=f"{call.name} {path}")


def _result(turn: int, message: Message, call: ToolCall | None) -> list[Evidence]:
    """A few telling lines of a tool result."""
    if call is not None and call.name in FROM_MEMORY:
        return []
    arguments = parsed(call.arguments) if call else None
    file = arguments.get("path") if isinstance(arguments, dict) else None
    found: list[Evidence] = []
    given = parts(message.content, LONGEST)
    lines = Lines([part.text for part in given if not part.row])
    for part in given:
        if len(found) >= PER_RESULT:
            break
        stated = _row(turn, part.text) if part.row else _lines(turn, part, file)
        found += [piece for piece in stated if not lines.repeated(piece.text)]
    more = [one for one in lines.standing_out(PER_RESULT, LONGEST) if one != file]
    found += [e for one in more for e in _row(turn, one) if not any(one in f.text for f in found)]
    return found[:PER_RESULT]


def _row(turn: int, text: str) -> list[Evidence]:
    """A line of what was found: a sample, so whatever it names it weighs little."""
    if not literals(text):
        return []
    return [Evidence(turn=turn, kind="row", key=_plainly(text), text=text)]


def _lines(turn: int, part: Part, file: object) -> Iterator[Evidence]:
    """What a text of a result states. The same name in another file is another matter."""
    file = part.path or (file if isinstance(file, str) else "")
    for piece in _said(turn, part.text, own=False):
        if piece.key.startswith(AGENT) and file:
            key = f"{AGENT}{file} {piece.key.removeprefix(AGENT)}"
            yield _at(part, replace(piece, key=key))
        elif piece.key.startswith(AGENT) or piece.kind in _LASTING or fact(piece.text):
            yield _at(part, piece)


def _at(part: Part, piece: Evidence) -> Evidence:
    """A piece with its place, where it begins the text that stands there."""
    text = part.at + piece.text
    begins = part.text.startswith(piece.text) and len(text) <= LONGEST
    return replace(piece, text=text) if begins else piece
