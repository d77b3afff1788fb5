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
    """Whether two URLs are of one server, which may have gone from http to https, never back."""
    try:
        here, there = urlsplit(one), urlsplit(other)
        port, other_port = (url.port or _PORTS.get(url.scheme) for url in (here, there))
    except ValueError:
        return False
    safer = (here.scheme, there.scheme) == ("http", "https")
    usual = safer and (port, other_port) == (_PORTS["http"], _PORTS["https"])
    kept = here.scheme == there.scheme or safer
    return here.hostname == there.hostname and kept and (usual or port == other_port)
