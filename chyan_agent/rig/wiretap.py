"""A proxy on loopback that passes everything on and keeps count, whatever the agent believes."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from ..jsontext import parsed
from ..llm.overflow import is_overflow

_CHAT = "/chat/completions"
_PATIENCE = 3600.0
"""Seconds of silence after which the endpoint counts as dead."""
_OWN = frozenset({"connection", "content-length", "host", "keep-alive", "transfer-encoding"})
"""Headers that concern one connection only."""

Json = Mapping[str, object]


@dataclass(slots=True)
class Speed:
    """Milliseconds of the endpoint for reading and writing, where it says so (llama.cpp)."""

    read: int = 0
    """Prompt tokens that took `prompt_ms`: those that were not cached."""
    prompt_ms: float = 0.0
    written: int = 0
    answer_ms: float = 0.0

    def add(self, timings: Json) -> None:
        """Take one more answer."""
        self.read += _whole(timings.get("prompt_n"))
        self.prompt_ms += float(str(timings.get("prompt_ms") or 0))
        self.written += _whole(timings.get("predicted_n"))
        self.answer_ms += float(str(timings.get("predicted_ms") or 0))


@dataclass(slots=True)
class Tally:
    """What passed between the agent and its endpoint. Tokens are the endpoint's own count."""

    requests: int = 0
    streams: int = 0
    """Answers that came as events."""
    overflows: list[str] = field(default_factory=list)
    """Refusals of a request for its size."""
    errors: list[str] = field(default_factory=list)
    """Other refusals, errors inside an answer, and answers that broke off."""
    prompt: int = 0
    largest: int = 0
    cached: int = 0
    completion: int = 0
    speed: Speed = field(default_factory=Speed)

    def refuse(self, status: int, body: bytes) -> None:
        """Take an answer that is no success."""
        error = _error(body)
        code, message = str(error.get("code") or error.get("type") or ""), str(error.get("message"))
        kind = f"{error.get('type') or ''}" if code.isdecimal() else code
        into = self.overflows if is_overflow(kind, message) else self.errors
        into.append(f"HTTP {status} {kind}: {message}"[:300])

    def take(self, answer: bytes) -> None:
        """Take a whole answer: a stream, or one body."""
        lines = answer.splitlines()
        self.streams += any(line.startswith(b"data:") for line in lines)
        for line in lines:
            found = _object(line.removeprefix(b"data:").strip())
            if found.get("error"):
                self.errors.append(f"in the answer: {found['error']}"[:300])
            self._usage(found)

    def _usage(self, found: Json) -> None:
        usage, timings = found.get("usage"), found.get("timings")
        if isinstance(usage, Mapping) and usage.get("prompt_tokens"):
            details = usage.get("prompt_tokens_details")
            self.prompt += _whole(usage.get("prompt_tokens"))
            self.largest = max(self.largest, _whole(usage.get("prompt_tokens")))
            self.completion += _whole(usage.get("completion_tokens"))
            self.cached += _whole(details.get("cached_tokens")) if isinstance(details, dict) else 0
            if isinstance(timings, Mapping):
                self.speed.add(timings)


class Wiretap(ThreadingHTTPServer):
    """Listens on a free port of loopback and passes on to `upstream`, a base URL."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._upstream = urlsplit(upstream)
        self._lock = threading.Lock()
        self.tally = Tally()

    @property
    def url(self) -> str:
        """The base URL to use in place of the endpoint's."""
        return f"http://127.0.0.1:{self.server_address[1]}{self._upstream.path}"

    def fresh(self) -> Tally:
        """Begin to count anew; return what was counted up to now."""
        with self._lock:
            old, self.tally = self.tally, Tally()
        return old

    def connect(self) -> HTTPConnection:
        """Return a connection to the endpoint."""
        kind = HTTPSConnection if self._upstream.scheme == "https" else HTTPConnection
        return kind(self._upstream.hostname or "", self._upstream.port, timeout=_PATIENCE)

    def note(self, status: int, answer: bytes, broken: str) -> None:
        """Count one answer of the chat interface."""
        with self._lock:
            self.tally.requests += 1
            if broken:
                self.tally.errors.append(broken)
            if status >= 400:
                self.tally.refuse(status, answer)
            else:
                self.tally.take(answer)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Wiretap

    def log_message(self, format: str, *args: object) -> None:
        """Be quiet."""

    def do_GET(self) -> None:
        """Pass on."""
        self._pass_on()

    def do_POST(self) -> None:
        """Pass on."""
        self._pass_on()

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {k: v for k, v in self.headers.items() if k.lower() not in _OWN}
        pieces, broken, status = list[bytes](), "", 0
        with closing(self.server.connect()) as link:
            try:
                link.request(self.command, self.path, body or None, headers)
                response = link.getresponse()
                status = response.status
                self._head(response)
                for piece in iter(lambda: response.read1(1 << 16), b""):
                    pieces.append(piece)
                    self._chunk(piece)
                self.wfile.write(b"0\r\n\r\n")
            except ConnectionError as error:
                # The agent hangs up on purpose when it is interrupted; an endpoint must not.
                broken = "" if status else f"no answer: {error}"
                self.close_connection = True
            except (HTTPException, OSError) as error:
                broken = f"broken off: {error!r}"
                self.close_connection = True
        if self.path.partition("?")[0].endswith(_CHAT):
            self.server.note(status, b"".join(pieces), broken)

    def _head(self, response: HTTPResponse) -> None:
        self.send_response_only(response.status, response.reason)
        for name, value in response.getheaders():
            if name.lower() not in _OWN:
                self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()


@contextmanager
def tapping(upstream: str) -> Iterator[Wiretap]:
    """Run a wiretap in a thread of this process."""
    with Wiretap(upstream) as tap:
        thread = threading.Thread(target=tap.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield tap
        finally:
            tap.shutdown()
            thread.join()


def _error(body: bytes) -> Json:
    found = _object(body)
    inner = found.get("error", found)
    return inner if isinstance(inner, Mapping) else {"message": str(inner) if found else body}


def _object(text: bytes) -> Json:
    value = parsed(text)
    return value if isinstance(value, dict) else {}


def _whole(value: object) -> int:
    return int(value) if isinstance(value, int | float) else 0
