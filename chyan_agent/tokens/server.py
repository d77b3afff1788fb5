"""Counting with the endpoint's own tokenizer, where it offers one beside the chat protocol.

llama.cpp and vLLM answer `POST /tokenize`, llama-cpp-python `POST /extras/tokenize/count`; none
is part of the OpenAI protocol, so an endpoint is asked once whether it has one.
"""

import http.client
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .. import hosts
from ..budget import CountTokens
from ..jsontext import parsed
from .bpe import SlicedCounter
from .link import Body, Link, parts_of

PROBE_SECONDS, COUNT_SECONDS = 0.5, 5.0
"""How long an endpoint may take to say whether it counts, and to count a text."""
REMEMBERED = 1024
"""Texts, of at most a slice each, whose count is remembered."""
SAMPLE = "Count me: 你好，世界 12345."
"""What the endpoint is asked for first: any tokenizer gives between one token and one a byte."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one kind of server is asked."""

    path: str
    body: Callable[[str, str], Body]
    """Model and text to the request."""


DIALECTS = (
    Dialect("/tokenize", lambda _, text: {"content": text, "parse_special": False}),
    Dialect(
        "/tokenize",
        lambda model, text: {"model": model, "prompt": text, "add_special_tokens": False},
    ),
    Dialect("/extras/tokenize/count", lambda _, text: {"input": text}),
)


def is_near(base_url: str) -> bool:
    """Whether an endpoint is on this machine or a private network, where asking costs little."""
    return hosts.is_near(parts_of(base_url).hostname or "")


def server_counter(
    base_url: str, model: str, api_key: str, *, fallback: CountTokens, lost: Callable[[], None]
) -> "ServerCounter | None":
    """Return a counter that asks the endpoint, or None if it does not count.

    When it fails later, `lost` is called once and `fallback` counts from then on.
    """
    link = Link(parts_of(base_url), api_key)
    for dialect in DIALECTS:
        question = _Question(link, dialect, model)
        try:
            size = question.ask(SAMPLE, PROBE_SECONDS)
        except ConnectionError:
            break
        except _NoCount:
            continue
        if 1 <= size <= len(SAMPLE.encode()):
            return ServerCounter(question, fallback, lost)
    link.close()
    return None


class ServerCounter(SlicedCounter):
    """Counts as the endpoint does; a longer text is asked for slice by slice."""

    def __init__(
        self, question: "_Question", fallback: CountTokens, lost: Callable[[], None]
    ) -> None:
        super().__init__(lambda: _Remembering(question, fallback, lost))
        self.close = question.link.close


class _NoCount(Exception):
    """An answer that holds no count."""


@dataclass(frozen=True, slots=True)
class _Question:
    """How to ask one server for the tokens of a text."""

    link: Link
    dialect: Dialect
    model: str

    def ask(self, text: str, seconds: float) -> int:
        """Return a count. Raises _NoCount for any other answer, ConnectionError for none."""
        clean = text.encode("utf-8", "replace").decode("utf-8")
        status, answer = self.link.ask(
            self.dialect.path, self.dialect.body(self.model, clean), seconds
        )
        if status != http.client.OK:
            raise _NoCount
        return _count(answer)


class _Remembering:
    """Asks for each text once; safe to share between threads."""

    def __init__(
        self, question: _Question, fallback: CountTokens, lost: Callable[[], None]
    ) -> None:
        self._question = question
        self._fallback = fallback
        self._lost = lost
        self._failed = False
        self._known: OrderedDict[str, int] = OrderedDict([("", 0)])
        self._lock = threading.Lock()

    def __call__(self, text: str) -> int:
        with self._lock:
            known = self._known.get(text)
            if known is not None:
                self._known.move_to_end(text)
                return known
            size = self._ask(text)
            self._known[text] = size
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return size

    def _ask(self, text: str) -> int:
        if not self._failed:
            try:
                return self._question.ask(text, COUNT_SECONDS)
            except (ConnectionError, _NoCount):
                self._failed = True
                self._question.link.close()
                self._known.clear()
                self._lost()
        return self._fallback(text)


def _count(answer: bytes) -> int:
    value = parsed(answer)
    if isinstance(value, Mapping):
        count, tokens = value.get("count"), value.get("tokens")
        if type(count) is int and count >= 0:
            return count
        if isinstance(tokens, list):
            return len(tokens)
    raise _NoCount
