"""The laws of the window through the real turn loop: an endpoint judges every request it gets."""

import random
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from chyan_agent.agent import Agent
from chyan_agent.build import build
from chyan_agent.errors import AgentError
from chyan_agent.messages import from_wire
from chyan_agent.prompts.core import EN

from ..agents import calls, configured, says
from ..servers import Script, Seen, answering
from ..vocabularies import family_counter
from .histories import HUGE, NAMES, SIZES, arguments, wild
from .laws import broken, recount

TURNS = 8
COUNT = family_counter("o200k_base")


class Endpoint:
    """Says anything, and notes what is wrong with the requests it gets."""

    def __init__(self, rng: random.Random, limit: int) -> None:
        self.rng = rng
        self.limit = limit
        self.agent: Agent | None = None
        self.requests = 0
        self.compactions: Counter[int] = Counter()
        self.wrong: list[str] = []

    def answer(self, seen: Seen) -> Script:
        """Judge a request and answer it at random."""
        assert self.agent is not None
        body = seen.json
        wire, offered, output = body["messages"], body.get("tools", []), body["max_tokens"]
        assert isinstance(wire, list) and isinstance(offered, list) and isinstance(output, int)
        messages = [from_wire(message) for message in wire]
        self.requests += 1
        if (tokens := recount(messages, offered, COUNT)) > self.limit - output:
            self.wrong.append(f"{tokens} tokens and {output} of output in {self.limit}")
        if not offered:
            self.compactions[self.agent.state.last_turn] += 1
            return says(self.text() or "- nothing")
        self.wrong += broken(self.agent.state, messages, EN)
        return self.reply()

    def text(self) -> str:
        """Return any text, now and then one that is larger than the window."""
        rng = self.rng
        return wild(rng, rng.choice(HUGE if rng.randrange(20) == 0 else SIZES))

    def reply(self) -> Script:
        """Answer, ask for tools, or be cut off."""
        if self.rng.randrange(3) == 0:
            return says(self.text())
        count = self.rng.choice((1, 1, 2, 5, 40))
        wanted = [self.call() for _ in range(self.rng.randint(1, count))]
        return calls(*wanted, finish=self.rng.choice(("tool_calls", "tool_calls", "length")))

    def call(self) -> tuple[str, object]:
        """Return a call that makes sense, or any other."""
        path = self.rng.choice(("a.txt", "b/c.txt"))
        sensible: list[tuple[str, object]] = [
            ("write", {"path": path, "content": self.text(), "mode": "append"}),
            ("read", {"path": path, "start_line": self.rng.choice((1, 1, 3))}),
            ("recall", {"query": f"#t{self.rng.randint(1, TURNS)}"}),
            ("grep", {"pattern": "a|北", "path": "."}),
            ("remember", {"content": wild(self.rng, 40)}),
        ]
        if self.rng.randrange(4):
            return self.rng.choice(sensible)
        return self.rng.choice(NAMES), self.rng.choice(arguments(self.rng.choice(SIZES)))


def judge(folder: Path, seed: int) -> Endpoint:
    """Run a conversation with an endpoint that says anything."""
    rng = random.Random(seed)
    limit = rng.choice((3_000, 4_000, 8_000, 16_000))
    endpoint = Endpoint(rng, limit)
    with answering(endpoint.answer) as server:
        config = configured(
            folder,
            server.url,
            memory__segmenter="builtin",
            context__context_limit=limit,
            context__reserved_tokens=rng.choice((300, 1_000)),
            context__max_recent_turns=rng.choice((0, 2)),
            context__max_steps=4,
            context__strategy=rng.choice(("layered", "layered", "summary", "sliding", "full")),
        )
        with build(config) as endpoint.agent:
            for _ in range(TURNS):
                # A turn may fail as long as the conversation goes on.
                with suppress(AgentError):
                    list(endpoint.agent.run_turn(endpoint.text() + "?"))
    assert endpoint.wrong == [], f"seed {seed}"
    assert max(endpoint.compactions.values(), default=0) <= 1, f"seed {seed}"
    return endpoint


@pytest.mark.parametrize("seed", range(5))
def test_every_request_of_a_conversation_keeps_the_laws(seed: int, tmp_path: Path) -> None:
    """Judged by the endpoint: within the limit, whole, one compaction a turn at most."""
    assert judge(tmp_path, seed).requests >= TURNS


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5, 125))
def test_every_request_of_many_conversations_keeps_the_laws(seed: int, tmp_path: Path) -> None:
    """The same laws for a thousand turns."""
    judge(tmp_path, seed)
