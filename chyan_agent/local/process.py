"""Starts llama.cpp's server beside this process and waits until it answers."""

import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.request
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from tempfile import TemporaryFile
from typing import IO

from ..errors import AgentError, ConfigError, ModelUnavailable
from ..prompts import local as say
from ..start import command
from .gguf import ModelFile
from .ram import available
from .server import Options, require

Waiting = Callable[[int], None]
"""Is told every `NEWS` seconds how many have passed."""

NEWS = 5
ANSWERS_WITHIN = 30.0
"""Seconds between listening and the first answer; loading itself may take as long as it takes."""
_SHARED_CORES = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"}
"""Without these OpenMP's threads spin while they wait: on shared cores four times as slow."""
_MEMORY = re.compile(
    r"out of memory|bad_alloc|(failed to|unable to|cannot|can't) allocate|mmap failed", re.I
)
_LOADING = re.compile(r"error loading model")
_JINJA = re.compile(r"(: e|^E)rror: ")
_LOG_FRAME = re.compile(r"^[\d.]+ [A-Z] +(\w+ +)?\w+: +|^\w+: ")


@contextmanager
def spawned(
    model: ModelFile,
    *,
    window: int,
    template: str = "",
    waiting: Waiting = lambda seconds: None,
) -> Iterator[str]:
    """Serve a model from a process that ends with this one; yield the base URL, ending in `/v1`.

    `template` is the text of a chat template. Raises MissingExtra, ConfigError (the model, the
    template), AgentError (no memory, an unfit processor) and ModelUnavailable.
    """
    require()
    _check_memory(model)
    options = Options(
        model=str(model.path),
        name=model.name,
        window=window,
        template=template,
        port=_port(model),
    )
    with TemporaryFile() as log, _child(log) as child:
        url = _url(child, options, waiting)
        if not url:
            raise _failure(child.wait(), _text(log), options)
        _await_health(url)
        yield f"{url}/v1"


@contextmanager
def _child(log: IO[bytes]) -> Iterator["subprocess.Popen[str]"]:
    child = subprocess.Popen(
        command("chyan_agent.local"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        env={**_SHARED_CORES, **os.environ, "PYTHONUTF8": "1"},
        text=True,
        encoding="utf-8",
        start_new_session=True,  # Ctrl-C interrupts a turn; the model stays
    )
    with child:
        try:
            yield child
        finally:
            # It would end with its standard input; one that hangs is not waited for.
            child.kill()
            with suppress(BrokenPipeError):
                child.communicate()


def _url(child: "subprocess.Popen[str]", options: Options, waiting: Waiting) -> str:
    """Return the address that the child prints when the model is loaded; empty if it ended."""
    assert child.stdin is not None and child.stdout is not None
    loaded = threading.Event()
    news = threading.Thread(target=_report, args=(loaded, waiting), daemon=True)
    news.start()
    try:
        child.stdin.write(json.dumps(asdict(options)) + "\n")
        child.stdin.flush()
        return child.stdout.readline().strip()
    except BrokenPipeError:
        return ""
    finally:
        loaded.set()
        news.join()


def _port(model: ModelFile) -> int:
    """Return the model's own port if it is free, else 0: what was learnt of an endpoint is kept
    by its address, and should be found again.

    It is below every port that a system hands out by itself (Linux from 32768 on, others from
    49152), where any connection of this machine might be sitting on it.
    """
    port = 16384 + zlib.crc32(str(model.path.resolve()).encode()) % 16384
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return 0
    return port


def _report(loaded: threading.Event, waiting: Waiting) -> None:
    seconds = 0
    while not loaded.wait(NEWS):
        seconds += NEWS
        waiting(seconds)


def _check_memory(model: ModelFile) -> None:
    """Refuse a model whose weights alone are more than there is: it would crawl, not run."""
    free = available()
    if free is not None and model.size > free:
        need = say.NO_MEMORY.of(path=model.path, need=size_text(model.size), free=size_text(free))
        raise AgentError(need, hint=say.NO_MEMORY_HINT)


def size_text(size: int) -> str:
    """Return a number of bytes for a reader."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def _text(log: IO[bytes]) -> str:
    log.seek(0)
    return log.read().decode("utf-8", "replace")


def _failure(code: int, log: str, options: Options) -> AgentError:
    """Return the error for a child that ended before it served anything."""
    if _MEMORY.search(log) or code == -signal.SIGKILL:  # the system's way when memory runs out
        full = say.NO_MEMORY_LEFT.of(path=options.model, window=options.window)
        return AgentError(full, hint=say.NO_MEMORY_HINT)
    if code < 0:
        name = signal.strsignal(-code) or str(-code)
        killed = say.KILLED.of(signal=name, path=options.model)
        return AgentError(killed, hint=say.KILLED_HINT)
    if "chat template" in log:
        hint = say.BAD_TEMPLATE_HINT if options.template else say.OWN_TEMPLATE_HINT
        return ConfigError(say.BAD_TEMPLATE.of(reason=_reason(log, _JINJA)), hint=hint)
    reason = _reason(log, _LOADING) or say.ENDED.of(code=code)
    return ConfigError(
        say.UNLOADABLE.of(path=options.model, reason=reason), hint=say.UNLOADABLE_HINT
    )


def _reason(log: str, telling: re.Pattern[str]) -> str:
    """Return the line that says most, without its time and its place in llama.cpp."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    told = [line for line in lines if telling.search(line)] or lines
    return _LOG_FRAME.sub("", told[0])[:300] if told else ""


def _await_health(url: str) -> None:
    """Return when the server says that it is well. Raises ModelUnavailable."""
    until = time.monotonic() + ANSWERS_WITHIN
    while time.monotonic() < until:
        try:
            with _opener().open(f"{url}/health", timeout=5):
                return
        except OSError:  # HTTP errors too: 503 while loading
            time.sleep(0.05)
    raise ModelUnavailable(say.MUTE.of(url=url), hint=say.MUTE_HINT)


def _opener() -> urllib.request.OpenerDirector:
    """Return what opens URLs past any proxy of the environment: none reaches our loopback."""
    return urllib.request.build_opener(urllib.request.ProxyHandler({}))
