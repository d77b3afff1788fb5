"""Counting with the endpoint's own tokenizer, where it offers one beside the chat protocol.

llama.cpp and vLLM answer `POST /tokenize`, llama-cpp-python `POST /extras/tokenize/count`; none
is part of the OpenAI protocol, so an endpoint is asked once whether it has one.
"""

import http.client
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from ..budget import CountTokens
from .bpe import SlicedCounter

PROBE_SECONDS, COUNT_SECONDS = 0.5, 5.0
"""How long an endpoint may take to say whether it counts, and to count a text."""
REMEMBERED = 1024
"""Texts, of at most a slice each, whose count is remembered."""
LARGEST_ANSWER = 4 << 20
SAMPLE = "Count me: 你好，世界 12345."
"""What the endpoint is asked for first: any tokenizer gives between one token and one a byte."""

Body = Mapping[str, object]


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
    host = _parts(base_url).hostname or ""
    try:
        address = ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith((".localhost", ".local")))
    return address.is_loopback or address.is_private


def server_counter(
    base_url: str, model: str, api_key: str, *, fallback: CountTokens, lost: Callable[[], None]
) -> "ServerCounter | None":
    """Return a counter that asks the endpoint, or None if it does not count.

    When it fails later, `lost` is called once and `fallback` counts from then on.
    """
    link = _Link(_parts(base_url), api_key)
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


class _Link:
    """One kept connection to a server, opened anew when it was lost."""

    def __init__(self, url: SplitResult, api_key: str) -> None:
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        self._kind, self._host, self._port = kind, url.hostname or "", url.port
        self._root = url.path.rstrip("/").removesuffix("/v1")
        self._headers = {"Content-Type": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, path: str, body: Body, seconds: float) -> int:
        """Return a count. Raises _NoCount for any other answer, ConnectionError for none."""
        data = json.dumps(body, ensure_ascii=True).encode()
        again = self._connection is not None
        try:
            return self._ask(path, data, seconds)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if again:  # a server closes a connection that was idle
                with suppress(OSError, http.client.HTTPException):
                    return self._ask(path, data, seconds)
                self.close()
            raise ConnectionError(str(error)) from error

    def _ask(self, path: str, data: bytes, seconds: float) -> int:
        if self._connection is None:
            self._connection = self._kind(self._host, self._port, timeout=seconds)
        if self._connection.sock is not None:
            self._connection.sock.settimeout(seconds)
        self._connection.request("POST", self._root + path, data, self._headers)
        with closing(self._connection.getresponse()) as answer:
            text = _read(answer, time.monotonic() + seconds)
            if not answer.isclosed():
                self.close()
        if answer.status != http.client.OK:
            raise _NoCount
        return _count(text)

    def close(self) -> None:
        """Close the connection; the next question opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@dataclass(frozen=True, slots=True)
class _Question:
    """How to ask one server for the tokens of a text."""

    link: _Link
    dialect: Dialect
    model: str

    def ask(self, text: str, seconds: float) -> int:
        clean = text.encode("utf-8", "replace").decode("utf-8")
        return self.link.ask(self.dialect.path, self.dialect.body(self.model, clean), seconds)


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


def _parts(base_url: str) -> SplitResult:
    try:
        parts = urlsplit(base_url)
        _ = parts.port
    except ValueError:
        return urlsplit("")
    return parts


def _read(answer: http.client.HTTPResponse, until: float) -> bytes:
    """Return a body. Raises TimeoutError for a server that drips: its bytes are never late."""
    text = b""
    while piece := answer.read1(LARGEST_ANSWER):
        text += piece
        if time.monotonic() > until or len(text) > LARGEST_ANSWER:
            raise TimeoutError
    return text


def _count(answer: bytes) -> int:
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError):
        raise _NoCount from None
    if isinstance(value, Mapping):
        count, tokens = value.get("count"), value.get("tokens")
        if type(count) is int and count >= 0:
            return count
        if isinstance(tokens, list):
            return len(tokens)
    raise _NoCount
