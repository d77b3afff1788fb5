"""A kept connection for short questions, each with an end to the time that it may take."""

import http.client
import io
import json
import socket
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from functools import partial
from typing import Any
from urllib.parse import SplitResult, urlsplit

LARGEST_ANSWER = 4 << 20
"""Bytes of an answer that are read."""

Body = Mapping[str, object]


class Link:
    """One kept connection to a server, opened anew when it was lost."""

    def __init__(self, url: SplitResult, api_key: str) -> None:
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        self._kind, self._host, self._port = kind, url.hostname or "", url.port
        self._root = url.path.rstrip("/").removesuffix("/v1")
        self._headers = {"Content-Type": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, path: str, body: Body, seconds: float) -> tuple[int, bytes]:
        """Return status and body of an answer. Raises ConnectionError for none in time."""
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

    def _ask(self, path: str, data: bytes, seconds: float) -> tuple[int, bytes]:
        if self._connection is None:
            self._connection = self._kind(self._host, self._port, timeout=seconds)
        if self._connection.sock is not None:
            self._connection.sock.settimeout(seconds)
        until = time.monotonic() + seconds
        self._connection.response_class = partial(_Answer, until)  # type: ignore[assignment]
        self._connection.request("POST", self._root + path, data, self._headers)
        with closing(self._connection.getresponse()) as answer:
            text = _read(answer)
            if not answer.isclosed():
                self.close()
        return answer.status, text

    def close(self) -> None:
        """Close the connection; the next question opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class _Answer(http.client.HTTPResponse):
    """An answer that is whole at a given time, its head too, or raises TimeoutError.

    The time limit of a socket is none for a server that drips: its bytes are never late.
    """

    def __init__(self, until: float, sock: socket.socket, *args: Any, **more: Any) -> None:
        super().__init__(sock, *args, **more)
        raw = self.fp.detach()
        self.fp = io.BufferedReader(_Timely(raw, sock, until))


class _Timely(io.RawIOBase):
    """What comes over a socket up to a point in time."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, until: float) -> None:
        self._raw = raw
        self._sock = sock
        self._until = until

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Wait for bytes as long as there is time. Raises TimeoutError."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._sock.settimeout(left)
        size: int | None = self._raw.readinto(buffer)
        return size

    def close(self) -> None:
        """Give up this hold on the socket."""
        self._raw.close()
        super().close()


def _read(answer: http.client.HTTPResponse) -> bytes:
    """Return a body. Raises TimeoutError for one that is late or has no end."""
    text = b""
    while piece := answer.read1(LARGEST_ANSWER):
        text += piece
        if len(text) > LARGEST_ANSWER:
            raise TimeoutError
    return text


def parts_of(base_url: str) -> SplitResult:
    """Return the parts of a URL; of one that is none they are empty."""
    try:
        parts = urlsplit(base_url)
        _ = parts.port
    except ValueError:
        return urlsplit("")
    return parts
