"""The model behind an OpenAI-compatible endpoint: one request, streamed, sent again when it may."""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from ..errors import ModelError, ModelWants
from ..lessons import Lessons
from ..messages import to_wire
from ..model import Delta, Reply, Request, Retry
from ..prompts.llm import EN, LlmTexts
from .advice import Adviser, Broken, Refused, Unavailable
from .assembly import Assembly
from .endpoint import HOSTED, Endpoint
from .faults import read_fault
from .patience import backoff
from .quirks import Quirks, wanted_form
from .sse import Chunk, ChunkReader, Garbled

if TYPE_CHECKING:
    from ..config import LlmConfig

LONGEST = 3600.0
"""Seconds of one answer, from beginning to end."""


class OpenAIModel:
    """A `Model`. `sleep` and `rng` are injected so that waiting can be tested without waiting.

    An answer that takes longer than `longest` seconds is given up.
    """

    def __init__(
        self,
        config: "LlmConfig",
        *,
        sleep: Callable[[float], None] = time.sleep,
        rng: random.Random | None = None,
        texts: LlmTexts = EN,
        lessons: Lessons | None = None,
        longest: float = LONGEST,
    ) -> None:
        self._config = config
        self._sleep = sleep
        self._rng = rng or random.Random()
        self._advise = Adviser(
            texts, url=config.base_url or HOSTED, model=config.model, key=config.api_key.strip()
        )
        self._endpoint = Endpoint(config, self._advise, longest)
        self._quirks = Quirks(lessons)

    def warm(self) -> None:
        """Import the SDK and make its client; sends nothing. Raises what `complete` would."""
        self._endpoint.connect()

    def close(self) -> None:
        """Close the connections to the endpoint."""
        self._endpoint.close()

    def complete(self, request: Request) -> Iterator[Delta | Retry | Reply]:
        """Yield deltas (and retries before the first), then one Reply.

        Raises ModelUnavailable after `max_retries` more tries, or at once when a piece of the
        answer was already shown; ModelRefused, ModelOverflow, ModelWants and AuthError at once.
        """
        body = asked = wire_body(self._config, request)
        for attempt in range(1, self._config.max_retries + 2):
            shown = False
            try:
                for piece in self._adapted(body):
                    shown = True
                    yield piece
                return
            except Unavailable as error:
                if shown or attempt > self._config.max_retries:
                    raise
                mute = isinstance(error, Broken) and error.mute
                body = at_once(asked) if mute and body is asked else asked
                delay = self._delay(attempt, error)
                reason = str(error)
            yield Retry(attempt, delay, reason)
            self._sleep(delay)

    def _delay(self, attempt: int, error: Unavailable) -> float:
        """Seconds to wait: what the endpoint asks for is a floor, as long as it is reasonable."""
        base, cap = self._config.backoff_base, self._config.backoff_cap
        asked = error.delay or 0.0
        if asked > 2 * cap:
            raise self._advise.wait(error) from error
        return max(asked, backoff(attempt, base=base, cap=cap, rng=self._rng))

    def _adapted(self, plain: Mapping[str, object]) -> Iterator[Delta | Reply]:
        """Ask, and ask again at once when the refusal only concerns how we ask."""
        while True:
            body, shown = self._quirks.apply(plain), False
            try:
                for piece in self._ask(body):
                    shown = True
                    yield piece
                return
            except (Refused, Unavailable) as error:
                if shown or not error.said:
                    raise
                if self._quirks.doubt() or self._quirks.learn(body, error.said):
                    continue
                self._take_form(body, error)
                raise

    def _take_form(self, body: Mapping[str, object], error: Refused | Unavailable) -> None:
        """Raise ModelWants when the conversation itself has to take another form."""
        if want := wanted_form(body, error.said):
            raise ModelWants(str(error), hint=error.hint, want=want) from error

    def _ask(self, body: Mapping[str, object]) -> Iterator[Delta | Reply]:
        assembly = Assembly()
        try:
            with self._endpoint.post(body) as pieces:
                for text in self._read(pieces, assembly):
                    yield Delta(text)
        except Unavailable as error:
            if not assembly.finish:  # else only the end of the connection was lost
                if isinstance(error, Broken):
                    error.mute = not assembly.started
                raise
        if rest := assembly.close():
            yield Delta(rest)
        yield assembly.reply

    def _read(self, pieces: Iterator[bytes], assembly: Assembly) -> Iterator[str]:
        """Yield the text to show; returns when the answer is whole."""
        reader = ChunkReader(pieces)
        try:
            for chunk in reader:
                self._refuse_error(chunk)
                if text := assembly.feed(chunk):
                    yield text
        except Garbled as error:
            raise self._broken(reader, str(error)) from None
        if not assembly.finish and not (reader.done and assembly.started):
            raise self._broken(reader, "")

    def _refuse_error(self, chunk: Chunk) -> None:
        choices = chunk.get("choices")
        holders = [chunk, *(choices if isinstance(choices, list) else ())]
        for holder in holders:
            if isinstance(holder, Mapping) and (holder.get("error") or _is_error(holder)):
                raise self._advise.fault(read_fault(0, holder))
            if isinstance(holder, Mapping) and holder.get("finish_reason") == "error":
                raise self._advise.cut("finish_reason: error")

    def _broken(self, reader: ChunkReader, said: str) -> ModelError:
        if reader.done:
            return self._advise.empty()
        if reader.events or not (said or reader.stray):
            return self._advise.cut(said)
        return self._advise.strange(said or reader.stray)


def _is_error(holder: Mapping[str, object]) -> bool:
    return holder.get("object") == "error"


def at_once(body: Mapping[str, object]) -> dict[str, object]:
    """Return a body that asks for the answer in one piece: an error then has a status to say it."""
    return {k: v for k, v in body.items() if k != "stream_options"} | {"stream": False}


def wire_body(config: "LlmConfig", request: Request) -> dict[str, object]:
    """Return the JSON body of a chat completions request."""
    body: dict[str, object] = {
        "model": config.model,
        "messages": [to_wire(message) for message in request.messages],
    }
    if request.tools:
        body["tools"] = request.tools
    body["stream"] = True
    body["stream_options"] = {"include_usage": True}
    if request.max_output > 0:
        body["max_tokens"] = request.max_output
    temperature = config.temperature if request.temperature is None else request.temperature
    if temperature is not None:
        body["temperature"] = temperature
    return body
