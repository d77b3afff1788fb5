"""A transcript of any length, made fast: what an agent at work says, calls and summarises."""

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import workload

from chyan_agent.durable.codec import record_to_json
from chyan_agent.durable.records import seal
from chyan_agent.messages import Message, ToolCall
from chyan_agent.state import (
    Evidence,
    MessageAdded,
    Record,
    SessionStarted,
    Summarized,
    Summary,
)

EVERY = 12
"""Turns from one compaction to the next."""
BLOCK = 1 << 22
TS = "2026-01-01T00:00:00.000+00:00"
RESULT = "src/module_{n}.py:{n}: port = {port}  # 默认端口\\n"
RESULT += '    return load("config/{n}.toml", strict=True)'


@dataclass(frozen=True, slots=True)
class Made:
    """What was written."""

    records: int
    turns: int
    size: int


def make(path: Path, records: int) -> Made:
    """Write a transcript of so many records, whole turns at the end."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    rng = random.Random(0)
    lines, pending, size, seq, turn = list[bytes](), 0, 0, 0, 0
    try:
        while seq < records:
            for record in _turn(rng, turn) if turn else [SessionStarted("main")]:
                seq += 1
                lines.append(seal(record_to_json(record, seq=seq, ts=TS)))
                pending += len(lines[-1])
            turn += 1
            if pending > BLOCK or seq >= records:
                size += os.write(descriptor, b"".join(lines))
                lines, pending = [], 0
    finally:
        os.close(descriptor)
    return Made(seq, turn - 1, size)


def _turn(rng: random.Random, number: int) -> Iterator[Record]:
    yield MessageAdded(number, Message("user", workload.question(number)))
    if number % EVERY == 0:
        yield Summarized(number, _summary(number - 2))
    for step in range(rng.choice((0, 0, 1, 1, 2, 3))):
        call = ToolCall(f"t{number:05d}c{step + 1:02d}", "grep", f'{{"pattern":"port={number}"}}')
        yield MessageAdded(number, Message("assistant", tool_calls=(call,)))
        found = RESULT.format(n=number % 997, port=8000 + number) * rng.randint(1, 14)
        yield MessageAdded(number, Message("tool", found, tool_call_id=call.id))
    answer = f"第 {number} 步完成：src/module_{number % 37}.py 中端口是 {8000 + number}，"
    answer += "与 notes.md 一致。"
    yield MessageAdded(number, Message("assistant", answer * rng.randint(1, 3)))


def _summary(through: int) -> Summary:
    turns = range(max(through - 40, 1), through + 1)
    evidence = tuple(Evidence(n, "number", f"port {n}", f"port={8000 + n}") for n in turns)
    facts = tuple(f"module_{n % 37}.py uses port {8000 + n} @t{n}" for n in turns)
    return Summary(evidence, facts, through)
