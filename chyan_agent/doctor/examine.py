"""The whole examination, in the order in which one thing depends on another."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..config import Config
from ..counting import count_for, doubt
from ..errors import ModelOverflow
from ..messages import Message
from ..model import Request
from ..prompts import canary as canary_say
from ..prompts import doctor as say
from ..session import MAIN
from ..tokens import FALLBACK, SERVED, counter
from ..tokens.server import ServerCounter
from . import Check, Patience, Remark
from .answers import refused, speed, streaming, tool_calls, usage
from .canary import LEAST, USUAL, Canary, judge, make, measure
from .house import house
from .server import RUNNING, Server, missing_key, model, probe, reached, window
from .trial import Trial, attempt

REFERENCE = "o200k_base"
"""The canary is measured with this: every tokenizer splits its plain English about alike."""
TESTED = 0.9
"""Share of a full request that a canary has to be, or it says how much was left untested."""
TOOL_ANSWER = 256
"""Tokens for a call; a model that reasons first needs some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What is examined, and how thoroughly. `canary` is its size in tokens, None the usual."""

    config: Config
    path: Path | None = None
    """The file of the configuration."""
    session: str = MAIN
    canary: int | None = None
    patience: Patience = Patience()
    chance: random.Random = field(default_factory=random.Random)

    def run(self) -> Iterator[Check | Remark]:
        """Yield checks as they are done; a remark stands before what takes long."""
        yield from house(self.config, self.path, self.session)
        if problem := missing_key(self.config):
            yield problem
            yield Remark(say.NOT_ASKED)
            return
        server = probe(self.config.llm, self.patience.probe)
        found = list(reached(server, self.config))
        yield from found
        if any(check.verdict == "fail" for check in found):
            yield Remark(say.NOT_ASKED)
            return
        yield model(server)
        yield window(server.windows, self._limit)
        if doubt(self.config):
            yield Remark(say.DOUBTED)
        yield from self._chat(server)

    @property
    def _limit(self) -> int:
        return self.config.context.context_limit

    @property
    def _most(self) -> int:
        """Tokens of the largest request that the agent sends."""
        return self._limit - self.config.context.reserved_tokens

    def _chat(self, server: Server) -> Iterator[Check | Remark]:
        """Send the canary, and then a request that should lead to a tool call."""
        size = min(self._most, USUAL) if self.canary is None else self.canary
        read = None
        if size:
            canary = make(max(size, LEAST), counter(REFERENCE), self.chance)
            yield Remark(canary_say.SENDING.of(size=f"{canary.size:,}"))
            read = attempt(self.config, canary.request, self.patience.chat)
            vouched = any(w.in_force and w.tokens >= canary.size for w in server.windows)
            yield from self._read(canary, read, vouched)
            yield from self._loaded(server)
            if read.error and not isinstance(read.error, ModelOverflow):
                yield Remark(say.NOT_ASKED)
                return
        else:
            yield Check("canary", "skip", canary_say.LEFT_OUT, canary_say.LEFT_OUT_HINT)
        yield from self._call(streamed=read is not None and read.reply is not None)

    def _read(self, canary: Canary, trial: Trial, vouched: bool) -> Iterator[Check]:
        if problem := refused("canary", trial, canary.size, self._limit):
            yield problem
        if trial.reply is None:
            return
        check = judge(canary, trial.reply, self._limit, vouched=vouched)
        if check.verdict == "ok" and canary.size < TESTED * self._most:
            hint = canary_say.BEYOND_HINT.of(most=f"{self._most:,}", plain=self._most)
            check = replace(check, hint=hint)
        yield check
        if check.verdict != "fail":
            yield self._usage(canary, trial)
        yield streaming(trial)
        yield speed(trial, canary.size, self.config)

    def _usage(self, canary: Canary, trial: Trial) -> Check:
        """Compare with the count that the agent itself will go by."""
        name = self.config.context.tokenizer
        with count_for(self.config) as counting:
            ours = measure(canary.messages, counting.count)
            served = isinstance(counting.count, ServerCounter)
        if served:
            name = "/tokenize"
        elif name in SERVED:
            name = FALLBACK
        return usage(trial, ours, name)

    def _loaded(self, server: Server) -> Iterator[Check]:
        """Look again where a server says its window only of a model that is running."""
        if RUNNING not in server.bodies or any(w.in_force for w in server.windows):
            return
        again = server.again(RUNNING, self.patience.probe)
        if any(w.in_force for w in again.windows):
            yield window(again.windows, self._limit)

    def _call(self, *, streamed: bool) -> Iterator[Check]:
        word = f"{self.chance.choice(canary_say.CODE_WORDS)}{self.chance.randrange(100, 1000)}"
        asked = Message("user", canary_say.TOOL_ASKED.format(word=word))
        request = Request((asked,), (canary_say.TOOL,), max_output=TOOL_ANSWER, temperature=0.0)
        trial = attempt(self.config, request, self.patience.chat)
        if trial.reply is not None and not streamed:
            yield streaming(trial)
        yield tool_calls(trial, word)
