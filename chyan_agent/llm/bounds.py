"""What an endpoint may not do with a request: take for ever, or pass it on to another server."""

import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

_PORTS = {"http": 80, "https": 443}


def in_time(
    pieces: Iterator[bytes], longest: float, error: Callable[[float], Exception]
) -> Iterator[bytes]:
    """Pass the pieces of an answer on; one that goes on after `longest` seconds is given up."""
    end = time.monotonic() + longest
    for piece in pieces:
        yield piece
        if time.monotonic() > end:
            raise error(longest)


def staying(error: Callable[[str], Exception]) -> Callable[[Any], None]:
    """Return a hook for responses that refuses redirects to another server."""

    def stay(response: Any) -> None:
        if response.has_redirect_location:
            here = str(response.request.url)
            there = urljoin(here, response.headers["location"])
            if not same_server(here, there):
                raise error(there)

    return stay


def same_server(one: str, other: str) -> bool:
    """Whether two URLs are of one server, which may have gone from http to https."""
    try:
        (host, port), (other_host, other_port) = map(_place, (one, other))
    except ValueError:
        return False
    return host == other_host and (
        port == other_port or (port, other_port) == (_PORTS["http"], _PORTS["https"])
    )


def _place(url: str) -> tuple[str | None, int | None]:
    parts = urlsplit(url)
    return parts.hostname, parts.port or _PORTS.get(parts.scheme)
