"""The HTTP side of the offline model: a threading server on loopback."""

import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

from ..jsontext import parsed
from ..start import command
from .desk import MODEL, Desk
from .options import AS_OURS, Fault, Options, Scales
from .rules import Refusal
from .wire import DONE, Answer, to_json

Headers = Mapping[str, str]
CHAT = "/v1/chat/completions"
MAX_BODY = 16 << 20


class Server(ThreadingHTTPServer):
    """Listens on loopback; `port` 0 takes a free one."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, options: Options, *, port: int = 0) -> None:
        self.desk = Desk(options)  # (an unknown tokenizer is refused before anything is opened)
        super().__init__(("127.0.0.1", port), _Handler)
        self.options = options
        self.numbers = count()
        self.closing = threading.Event()

    @property
    def base_url(self) -> str:
        """Where the API is, as clients want it: ends in `/v1`."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def warm(self) -> None:
        """Load the vocabulary before the first request asks for it."""
        self.desk.warm()

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent about clients that hang up; a bug still shows its traceback."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16
    server: Server

    def log_message(self, format: str, *args: object) -> None:
        """Be quiet: the terminal belongs to the conversation."""

    def do_GET(self) -> None:
        """Answer `/v1/models`, `/health` and `/judge`."""
        desk, path = self.server.desk, self.path.partition("?")[0]
        match path:
            case "/v1/models":
                names = self.server.options.models or (MODEL,)
                self._json(200, {"object": "list", "data": [desk.card(name) for name in names]})
            case "/health" | "/v1/health":
                self._json(200, {"status": "ok"})
            case "/judge" | "/v1/judge":
                self._json(200, desk.report())
            case _:
                self._unknown(path, known=path == CHAT)

    def do_POST(self) -> None:
        """Answer a chat completion."""
        path, body = self.path.partition("?")[0], self._body()
        if path != CHAT:
            self._unknown(path, known=path in ("/v1/models", "/health", "/judge"))
            return
        fault = self._fault(body)
        if fault.delay:
            self.server.closing.wait(fault.delay)
        if fault.status:
            self._json(fault.status, fault.body, fault.headers)
            return
        bearer = self.headers.get("Authorization", "").removeprefix("Bearer ").strip()
        answer = self.server.desk.answer(body, bearer=bearer)
        if isinstance(answer, Refusal):
            self._json(answer.status, answer.body)
        elif body.get("stream"):
            extras = body.get("stream_options") or {}
            self._stream(answer, bool(extras.get("include_usage")), fault.cut_after)
        else:
            self._json(200, answer.completion())

    def _body(self) -> Any:
        size = int(self.headers.get("Content-Length") or 0)
        if size > MAX_BODY:
            self.close_connection = True
            return None
        return parsed(self.rfile.read(size))

    def _fault(self, body: Any) -> Fault:
        number, faults = next(self.server.numbers), self.server.options.faults
        found = faults(number, body) if faults and isinstance(body, dict) else None
        return found or Fault()

    def _unknown(self, path: str, *, known: bool) -> None:
        if known:
            text = f"Not allowed to {self.command} on {path}."
            self._json(405, Refusal(405, text, "method", code="method_not_supported").body)
        else:
            text = f"Invalid URL ({self.command} {path})"
            self._json(404, Refusal(404, text, "url", code="unknown_url").body)

    def _json(self, status: int, value: object, headers: Headers | None = None) -> None:
        body = to_json(value)
        self.send_response(status)
        extra = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        self._send_headers({**extra, **(headers or {})})
        self.wfile.write(body)

    def _send_headers(self, headers: Headers) -> None:
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _stream(self, answer: Answer, with_usage: bool, cut_after: int) -> None:
        events = answer.events(with_usage=with_usage)
        self.send_response(200)
        self._send_headers({"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        if cut_after >= 0:
            self._chunk(b"".join(events[:cut_after]))
            self.close_connection = True
            return
        self._chunk(b"".join(events) + DONE)
        self.wfile.write(b"0\r\n\r\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data) if data else b"")


@contextmanager
def serving(limit: int = 10_000, **more: Any) -> Iterator[str]:
    """Serve from a thread of this process; yield the base URL, which ends in `/v1`.

    `limit` is the window in tokens; `more` are further fields of `Options`.
    """
    server = Server(Options(limit=limit, **more))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.base_url
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def spawned(
    limit: int = 10_000, loss: float = 0.3, seed: int = 0, scales: Scales = AS_OURS
) -> Iterator[str]:
    """Serve from a process of its own, which ends with this one however it ends.

    Yields the base URL. Of `scales` its factor and overhead count.
    """
    flags = [f"--limit={limit}", f"--loss={loss}", f"--seed={seed}"]
    flags += [f"--judge-factor={scales.factor}", f"--judge-overhead={scales.overhead}"]
    with subprocess.Popen(
        command("chyan_agent.offline", *flags),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as child:
        assert child.stdout is not None
        try:
            yield child.stdout.readline().strip()
        finally:
            assert child.stdin is not None
            child.stdin.close()
