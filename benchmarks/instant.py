"""An endpoint that answers at once: what is measured against it is the caller's own time."""

import itertools
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PIECES = (
    "好的，",
    "第 ",
    "{n} ",
    "项已经",
    "记下：",
    "step {n} ",
    "is done, ",
    "文件在 ",
    "out/{n}.txt",
    "。",
)
"""What it says, in the pieces in which it streams; {n} grows with each answer."""
_USAGE = {"prompt_tokens": 4000, "completion_tokens": 40, "total_tokens": 4040}
_KNOWN = {"id": "c", "created": 1, "model": "instant"}


def _event(choices: list[object], **more: object) -> bytes:
    chunk = {**_KNOWN, "object": "chat.completion.chunk", "choices": choices, **more}
    return b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n"


def _streamed(number: int) -> bytes:
    deltas = [{"content": piece.format(n=number)} for piece in PIECES]
    events = [_event([{"index": 0, "delta": d, "finish_reason": None}]) for d in deltas]
    events.append(_event([{"index": 0, "delta": {}, "finish_reason": "stop"}]))
    body = b"".join((*events, _event([], usage=_USAGE), b"data: [DONE]\n\n"))
    head = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    return head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)


def _whole(value: object) -> bytes:
    body = json.dumps(value, ensure_ascii=False).encode()
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
    return f"{head}{len(body)}\r\n\r\n".encode() + body


def _completion(number: int) -> bytes:
    message = {"role": "assistant", "content": "".join(PIECES).format(n=number)}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return _whole({**_KNOWN, "object": "chat.completion", "choices": choices, "usage": _USAGE})


def _serve(link: socket.socket, numbers: Iterator[int], arrived: list[float]) -> None:
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    data = b""
    while True:
        while b"\r\n\r\n" not in data:
            if not (piece := link.recv(1 << 20)):
                return
            data += piece
        now = time.monotonic()
        head, _, data = data.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        length = int(fields.get(b"content-length", 0))
        while len(data) < length:
            data += link.recv(1 << 20)
        body, data = data[:length], data[length:]
        if head.startswith(b"GET"):
            link.sendall(_whole(arrived[-1:]))
            continue
        arrived.append(now)
        number = next(numbers)
        link.sendall(_streamed(number) if b'"stream":true' in body else _completion(number))


def main() -> None:
    """Print the port, then serve until standard input ends."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(listener.getsockname()[1], flush=True)
    threading.Thread(target=_accept, args=(listener,), daemon=True).start()
    sys.stdin.read()


def _accept(listener: socket.socket) -> None:
    numbers, arrived = itertools.count(1), list[float]()
    while True:
        link, _ = listener.accept()
        threading.Thread(target=_serve, args=(link, numbers, arrived), daemon=True).start()


@contextmanager
def running() -> Iterator[str]:
    """Yield the base URL of a server in a process of its own."""
    command = [sys.executable, __file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        assert process.stdin is not None
        process.stdin.close()


if __name__ == "__main__":
    main()
