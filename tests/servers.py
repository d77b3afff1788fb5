"""A small real HTTP server for tests: replays raw responses, or answers by a rule."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Script:
    """One raw response. `cut` resets the connection after the last piece instead of ending it."""

    pieces: Sequence[bytes] = ()
    status: int = 200
    headers: Sequence[tuple[str, str]] = (("Content-Type", "text/event-stream"),)
    cut: bool = False
    hang: float = 0.0
    """Seconds to stay silent before the status line."""
    chunked: bool = True
    stay: float = 0.0
    """Seconds to keep the body open after the last piece."""
    pause: float = 0.0
    """Seconds after each piece. No wait outlasts the test."""


FOREVER = 600.0
"""Seconds that no test lasts: a server that waits so long can't answer in time by chance."""
NO_TOKENIZER = Script([b"{}"], 404, [("Content-Type", "application/json")], chunked=False)
"""Agents ask near servers whether they count; these don't, and take no notice."""


@dataclass(frozen=True)
class Seen:
    """A request as it arrived: the head and the body, byte for byte, and its connection."""

    head: bytes
    body: bytes
    connection: int

    @property
    def json(self) -> dict[str, object]:
        """The body as JSON."""
        value: dict[str, object] = json.loads(self.body)
        return value

    def header(self, name: str) -> str | None:
        """A header's value, or None."""
        for line in self.head.split(b"\r\n")[1:]:
            key, _, value = line.partition(b":")
            if key.decode().lower() == name.lower():
                return value.strip().decode()
        return None


@dataclass
class Server:
    """What a test sees of a running server."""

    url: str
    requests: list[Seen] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)


Answer = Callable[[Seen], Script | None]


@contextmanager
def responding(*scripts: Script) -> Iterator[Server]:
    """Serve `scripts` in order, whichever connection asks; after the last, hang up."""
    left = iter(scripts)
    with answering(lambda seen: next(left, None)) as server:
        yield server


@contextmanager
def answering(answer: Answer) -> Iterator[Server]:
    """Serve what a rule makes of each request; None hangs up."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = Server(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
    links: list[socket.socket] = []

    def accept() -> None:
        while True:
            try:
                link, _ = listener.accept()
            except OSError:
                return
            links.append(link)
            number = len(links)
            threading.Thread(
                target=_serve, args=(link, number, server, answer), daemon=True
            ).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        _shut(listener)
        for link in links:
            _shut(link)
        thread.join(1)


def _serve(link: socket.socket, number: int, server: Server, answer: Answer) -> None:
    with link:
        try:
            while (seen := _request(link, number)) is not None:
                if b"tokenize" in seen.head.partition(b"\r\n")[0]:
                    if not _reply(link, NO_TOKENIZER, server.closing):
                        return
                    continue
                server.requests.append(seen)
                script = answer(seen)
                if script is None or not _reply(link, script, server.closing):
                    return
        except OSError:
            return


def _request(link: socket.socket, number: int) -> Seen | None:
    data = b""
    while b"\r\n\r\n" not in data:
        if not (piece := link.recv(65536)):
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    seen = Seen(head, b"", number)
    length = int(seen.header("content-length") or 0)
    while len(body) < length:
        body += link.recv(65536)
    return Seen(head, body, number)


def _reply(link: socket.socket, script: Script, closing: threading.Event) -> bool:
    """Send one response; return whether the connection goes on."""
    closing.wait(script.hang)
    lines = [f"HTTP/1.1 {script.status} Scripted", *(f"{k}: {v}" for k, v in script.headers)]
    whole = b"".join(script.pieces)
    lines.append(
        "Transfer-Encoding: chunked" if script.chunked else f"Content-Length: {len(whole)}"
    )
    link.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
    for piece in script.pieces if script.chunked else (whole,):
        link.sendall(b"%x\r\n%b\r\n" % (len(piece), piece) if script.chunked else piece)
        closing.wait(script.pause)
    closing.wait(script.stay)
    if script.cut:
        return False
    if script.chunked:
        link.sendall(b"0\r\n\r\n")
    return True


def _shut(link: socket.socket) -> None:
    with suppress(OSError):
        link.shutdown(socket.SHUT_RDWR)
    link.close()


def event(value: object) -> bytes:
    """One server-sent event."""
    return b"data: " + json.dumps(value).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def delta(finish: str | None = None, **fields: object) -> dict[str, object]:
    """A chunk with one choice."""
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def stream(*chunks: object) -> Script:
    """A streamed answer of chunks, properly ended."""
    return Script([*map(event, chunks), DONE])


def saying(text: str) -> Script:
    """A streamed answer with a text."""
    return stream(delta(content=text), delta("stop"))


def failing(status: int, body: object, **headers: str) -> Script:
    """An error response; `body` is JSON, or raw text."""
    raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    extra = [(key.replace("_", "-"), value) for key, value in headers.items()]
    return Script([raw], status, [("Content-Type", "application/json"), *extra], chunked=False)
