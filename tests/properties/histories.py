"""Random histories: everything that users paste, tools return and models write."""

import json
import random
from dataclasses import dataclass
from functools import cache, partial

from chyan_agent.messages import Message, ToolCall, Turn, clean
from chyan_agent.replies import minted
from chyan_agent.state import Evidence, State, Summary

TEXTS, HUGE_TEXTS = 48, 6
"""Texts of each size that histories are made of; counting each once keeps this quick."""
SIZES = (1, 7, 40, 250, 1200, 5000)
HUGE = (20_000, 60_000)
KINDS = (
    "数据库端口是八零八零，项目代号叫北极星。",
    "the quick brown fox jumps over it, and ",
    "1234567890",
    "3.14159 2026-01-02T03:04:05Z 0xdeadbeef\n",
    "🙂🚀👨‍👩‍👧🇨🇳",
    "    \n\t \r\n",
    "a",
    "==========",
    'if x["k\\n"] != \'\\\\\':\n    print("\\u4e2d")\n',
    "e\u0301क़ि\u200b\u2028\x00",
    "\ud83d\ude00中\udfff",
    "<|im_start|>system\n<|endoftext|>",
)
NAMES = ("read", "write", "grep", "recall", "remember", "search", "no_such_tool")


@cache
def texts(size: int) -> tuple[str, ...]:
    """Return texts of about `size` characters as they come through the edge."""
    rng = random.Random(size)
    return tuple(clean(wild(rng, size)) for _ in range(HUGE_TEXTS if size in HUGE else TEXTS))


def wild(rng: random.Random, size: int) -> str:
    """Return text of one kind or of many, lone surrogates as they come."""
    if rng.random() < 0.5:
        return (rng.choice(KINDS) * size)[:size]
    text = ""
    while len(text) < size:
        text += rng.choice(KINDS) * rng.randint(1, 8)
    return text[:size]


@cache
def arguments(size: int) -> tuple[str, ...]:
    """Return arguments with a text of about `size` characters, as models write them."""
    rng = random.Random(size)
    # Whatever came over the wire is JSON, in which half a character can hide as an escape.
    halves = (f"{text}\udfff" if rng.randrange(8) == 0 else text for text in texts(size))
    return tuple(clean(_arguments(rng, text)) for text in halves)


def _arguments(rng: random.Random, text: str) -> str:
    kind = rng.randrange(8)
    if kind == 0:
        return rng.choice(("", "{}", " {} ", "not json", "[1]", '"text"', '{"path":'))
    if kind == 1:
        return json.dumps({"lines": [text[:50]] * (len(text) // 50)})
    if kind == 2:
        return json.dumps({"deep": {"content": text}, "n": rng.random()})
    value = {"path": "a/b.txt", "content": text, "mode": "append"}
    return json.dumps(value, ensure_ascii=kind == 3, indent=2 if kind == 4 else None)


@dataclass(frozen=True, slots=True)
class Author:
    """Writes one history. `huge` is how often a text is larger than a window, of 1,000."""

    rng: random.Random
    huge: int

    def size(self) -> int:
        """Return how long a text is."""
        large = self.rng.randrange(1000) < self.huge
        return self.rng.choice(HUGE if large else SIZES)

    def text(self, *, empty: bool = True) -> str:
        """Return any text."""
        if empty and self.rng.randrange(8) == 0:
            return ""
        return self.rng.choice(texts(self.size()))

    def step(self, turn: int, first: int) -> list[Message]:
        """Return an assistant message with calls, minted as the agent does it, and the results."""
        most = self.rng.choice((1, 1, 1, 1, 1, 1, 2, 4, 12, 40))
        calls = tuple(
            ToolCall("call_0", self.rng.choice(NAMES), self.rng.choice(arguments(self.size())))
            for _ in range(self.rng.randint(1, most))
        )
        text = self.text() if self.rng.randrange(3) == 0 else ""
        thought = self.text() if self.rng.randrange(4) == 0 else ""
        said = Message("assistant", text, calls, reasoning=thought)
        asked = minted(said, turn, first)
        results = (Message("tool", self.text(), tool_call_id=c.id) for c in asked.tool_calls)
        return [asked, *results]

    def turn(self, number: int, steps: int, *, closed: bool) -> Turn:
        """Return a turn; an open one is the current one."""
        question = self.text(empty=False)
        question = question if question.strip() else f"{number}?{question}"
        messages, made = [Message("user", question)], 0
        for _ in range(steps):
            step = self.step(number, made + 1)
            made += len(step) - 1
            messages += step
        answer = [Message("assistant", self.text())] if closed else []
        return Turn(number, (*messages, *answer))

    def summary(self) -> Summary:
        """Return a summary, perhaps one that is larger than it ever should be."""
        most = self.rng.choice((0, 0, 0, 3, 10, 60))
        facts = (f"{self.rng.choice(texts(40))} @t{n}" for n in range(self.rng.randint(0, most)))
        evidence = (
            Evidence(n, self.rng.choice(("number", "path", "quote")), f"k{n}", self.text()[:120])
            for n in range(self.rng.randint(0, most))
        )
        return Summary(tuple(evidence), tuple(facts), 1)

    def state(self) -> State:
        """Return a history whose last turn is open and waits for the model."""
        rng = self.rng
        first = rng.choice((2, 99_990))
        steps = partial(rng.choice, (0, 0, 0, 1, 1, 2))
        count = rng.choice((0, 1, 2, 2, 3, 8))
        turns = [self.turn(first + n, steps(), closed=True) for n in range(count)]
        current = self.turn(first + count, rng.choice((0, 0, 1, 1, 2, 5, 16)), closed=False)
        return State(self.summary(), (*turns, current), current.number)


def history(rng: random.Random) -> State:
    """Return any history that an agent can have."""
    return Author(rng, rng.choice((0, 0, 0, 5, 20, 100))).state()
