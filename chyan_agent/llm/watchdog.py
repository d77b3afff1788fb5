"""Bounds the wait for the end of a body whose content is already whole."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

LINGER = 0.2
"""Seconds that the end of a body may take, and between two looks; so the wait is twice that."""
_IDLE_LOOKS = 25


class Watchdog:
    """Shuts connections down that keep a finished answer waiting.

    One sleeping thread, which ends by itself when there is nothing to do: a timer for each
    request would cost a busy machine more than a new connection.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._deadlines: dict[socket.socket, float] = {}
        self._awake = False

    @contextmanager
    def watching(self, link: "socket.socket") -> Iterator[None]:
        """Shut `link` down if this block takes too long."""
        with self._lock:
            self._deadlines[link] = time.monotonic() + LINGER
            started, self._awake = self._awake, True
        if not started:
            threading.Thread(target=self._look, name="llm-watchdog", daemon=True).start()
        try:
            yield
        finally:
            with self._lock:
                del self._deadlines[link]

    def _look(self) -> None:
        idle = 0
        while idle < _IDLE_LOOKS:
            time.sleep(LINGER)
            with self._lock:
                now = time.monotonic()
                for link in [link for link, due in self._deadlines.items() if due < now]:
                    _shut(link)
                idle = 0 if self._deadlines else idle + 1
                self._awake = idle < _IDLE_LOOKS


def _shut(link: "socket.socket") -> None:
    import socket

    with suppress(OSError):
        socket.socket.shutdown(link, socket.SHUT_RDWR)  # of a TLS connection too
