"""The home of xllamacpp: llama.cpp's own HTTP server on loopback. Runs in a child process."""

import os
from dataclasses import dataclass
from importlib.util import find_spec

from ..errors import MissingExtra
from ..prompts import local as say

_HOST = "127.0.0.1"
_CACHE_MIB = 512
"""Memory for conversations other than the one at hand, a compaction's for instance."""
_PING = 5
"""Seconds between signs of life while a prompt is being read, which may take minutes."""
_ERRORS_ONLY = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to serve a model."""

    model: str
    name: str
    """By which clients know it."""
    window: int
    """Tokens of prompt and answer together."""
    template: str = ""
    """Text of a chat template; empty takes the one in the file."""
    port: int = 0
    """0 takes a free one."""


def require() -> None:
    """Raise MissingExtra if the package is not installed; it is not loaded."""
    if find_spec("xllamacpp") is None:
        raise MissingExtra(say.NO_PACKAGE, hint=say.NO_PACKAGE_HINT)


class Server:
    """A running server; it listens, with the model loaded, once this is made."""

    def __init__(self, options: Options) -> None:
        require()
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = options.model
        params.model_alias = {options.name}
        params.n_ctx = options.window
        params.n_parallel = 1
        params.hostnames = [_HOST]
        params.port = options.port
        params.cache_ram_mib = _CACHE_MIB
        params.fit_params = False  # (would take another window than the one asked for)
        params.ui = params.endpoint_slots = False
        params.cors_origins = _HOST  # (no web page is to read along)
        params.sse_ping_interval = _PING
        params.verbosity = _ERRORS_ONLY
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = cores()
        if options.template:
            params.chat_template = options.template
        self._server = xllamacpp.Server(params)

    @property
    def url(self) -> str:
        """Where it listens, without a path."""
        return str(self._server.listening_address)


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
