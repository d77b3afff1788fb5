"""Records and states as JSON objects, and back. Pure; the line format itself is in `records`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from ..messages import MessageFormatError, Turn, from_wire, to_wire
from ..state import (
    Effect,
    Evidence,
    Intended,
    MessageAdded,
    Record,
    Rewound,
    SessionStarted,
    State,
    Summarized,
    Summary,
)

VERSION = 1
"""Version of the transcript and the snapshot that this code writes."""

Object = Mapping[str, object]


def record_to_json(record: Record, *, seq: int, ts: str) -> dict[str, object]:
    """Return a record as a JSON object; `turn` leads, so that a turn can be searched for."""
    kind, turn, body = _body(record)
    return {"turn": turn, "seq": seq, "v": VERSION, "kind": kind, "ts": ts, **body}


def _body(record: Record) -> tuple[str, int, dict[str, object]]:
    match record:
        case SessionStarted(name):
            return "session", 0, {"id": name}
        case MessageAdded(turn, message):
            return "message", turn, {"message": to_wire(message)}
        case Intended(turn, call, effect):
            return "intent", turn, {"call": call, "effect": _effect_to_json(effect)}
        case Summarized(turn, summary):
            return "summary", turn, {"summary": _summary_to_json(summary)}
        case Rewound(turn, state):
            return "rewind", turn, {"state": state_to_json(state)}


def record_from_json(data: Object) -> Record:
    """Read a record back. Raises ValueError for anything that is not one."""
    turn = _int(data, "turn")
    match data.get("kind"):
        case "session":
            return SessionStarted(_str(data, "id"))
        case "message":
            return MessageAdded(turn, from_wire(data.get("message")))
        case "intent":
            return Intended(turn, _str(data, "call"), _effect_from_json(_object(data, "effect")))
        case "summary":
            return Summarized(turn, _summary_from_json(_object(data, "summary")))
        case "rewind":
            return Rewound(turn, state_from_json(_object(data, "state")))
        case kind:
            raise MessageFormatError(f"unknown kind of record {kind!r}")


def state_to_json(state: State) -> dict[str, object]:
    """Return a state as a JSON object."""
    return {
        "last_turn": state.last_turn,
        "summary": _summary_to_json(state.summary),
        "turns": [
            {"turn": t.number, "messages": [to_wire(m) for m in t.messages]} for t in state.turns
        ],
    }


def state_from_json(data: Object) -> State:
    """Read a state back. Raises ValueError for anything that is not one."""
    return State(
        summary=_summary_from_json(_object(data, "summary")),
        turns=tuple(_turn_from_json(turn) for turn in _list(data, "turns")),
        last_turn=_int(data, "last_turn"),
    )


def _turn_from_json(data: object) -> Turn:
    if not isinstance(data, Mapping):
        raise MessageFormatError("a turn that is not an object")
    messages = tuple(from_wire(message) for message in _list(data, "messages"))
    return Turn(_int(data, "turn"), messages)


def _effect_to_json(effect: Effect) -> dict[str, object]:
    return {"path": effect.path, "before": effect.before, "after": effect.after}


def _effect_from_json(data: Object) -> Effect:
    return Effect(_str(data, "path"), _str_or_none(data, "before"), _str_or_none(data, "after"))


def _summary_to_json(summary: Summary) -> dict[str, object]:
    covers = {} if summary.covers is None else {"covers": summary.covers}
    files = [place for place, e in enumerate(summary.evidence) if e.file]
    return {
        "through": summary.through,
        **covers,
        "evidence": [[e.turn, e.kind, e.key, e.text] for e in summary.evidence],
        **({"from_files": files} if files else {}),
        "facts": list(summary.facts),
    }


def _summary_from_json(data: Object) -> Summary:
    facts = _list(data, "facts")
    if not all(isinstance(fact, str) for fact in facts):
        raise MessageFormatError("a fact that is not text")
    evidence = [_evidence_from_json(item) for item in _list(data, "evidence")]
    files = _list(data, "from_files") if "from_files" in data else []
    return Summary(
        evidence=tuple(replace(e, file=i in files) for i, e in enumerate(evidence)),
        facts=tuple(cast("list[str]", facts)),
        through=_int(data, "through"),
        covers=None if data.get("covers") is None else _int(data, "covers"),
    )


def _evidence_from_json(item: object) -> Evidence:
    match item:
        case [int(turn), str(kind), str(key), str(text)]:
            return Evidence(turn, kind, key, text)
        case _:
            raise MessageFormatError("evidence that is not [turn, kind, key, text]")


def _int(data: Object, key: str) -> int:
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise MessageFormatError(f"{key} is not a whole number")
    return value


def _str(data: Object, key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise MessageFormatError(f"{key} is not text")
    return value


def _str_or_none(data: Object, key: str) -> str | None:
    return None if data.get(key) is None else _str(data, key)


def _list(data: Object, key: str) -> list[object]:
    value = data.get(key)
    if not isinstance(value, list):
        raise MessageFormatError(f"{key} is not a list")
    return value


def _object(data: Object, key: str) -> Object:
    value = data.get(key)
    if not isinstance(value, Mapping):
        raise MessageFormatError(f"{key} is not an object")
    return value
