"""Agents for tests: the real one, over the real SDK, against a server in a socket."""

import json
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from chyan_agent.agent import Agent
from chyan_agent.build import build
from chyan_agent.config import Config, load
from chyan_agent.events import Event
from chyan_agent.offline import Fault

from .servers import DONE, Script, Server, delta, event, responding

ERROR_HEADERS = (("Content-Type", "application/json"),)


def says(text: str, finish: str = "stop", prompt_tokens: int = 0) -> Script:
    """Return a streamed answer."""
    usage = {"choices": [], "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": 1}}
    return Script([event(delta(content=text)), event(delta(finish)), event(usage), DONE])


def calls(*wanted: tuple[str, object], finish: str = "tool_calls", call_id: str = "x") -> Script:
    """Return a streamed answer that calls tools; arguments are JSON or raw text."""
    fragments = [
        {
            "index": place,
            "id": f"{call_id}{place}",
            "function": {
                "name": name,
                "arguments": given if isinstance(given, str) else json.dumps(given),
            },
        }
        for place, (name, given) in enumerate(wanted)
    ]
    return Script([event(delta(tool_calls=fragments)), event(delta(finish)), DONE])


def refuses(status: int, **error: object) -> Script:
    """Return an error answer."""
    body = json.dumps({"error": error}).encode()
    return Script([body], status, ERROR_HEADERS)


def ctrl_c(number: int, _: Mapping[str, object]) -> Fault | None:
    """Press Ctrl-C while the offline model is at its first answer."""
    if number:
        return None
    os.kill(os.getpid(), signal.SIGINT)
    return Fault(delay=0.2)


def configured(folder: Path, url: str, **overrides: object) -> Config:
    """Return a config with its files below `folder`; keyword `a__b` sets `a.b`."""
    given = {name.replace("__", "."): value for name, value in overrides.items()}
    base = {
        "language": "en",
        "llm.base_url": url,
        "llm.api_key": "key",
        "llm.max_retries": 0,
        "data_dir": str(folder / "data"),
        "tools.workspace": str(folder / "workspace"),
    }
    return load(None, environ={}, overrides=base | given)


@contextmanager
def agent_on(folder: Path, *scripts: Script, **overrides: object) -> Iterator[tuple[Agent, Server]]:
    """Build an agent whose endpoint plays `scripts`."""
    with responding(*scripts) as server, build(configured(folder, server.url, **overrides)) as it:
        yield it, server


def ask(agent: Agent, text: str) -> list[Event]:
    """Run a turn to its end."""
    return list(agent.run_turn(text))


def kinds(events: list[Event]) -> list[str]:
    """Return the names of events."""
    return [type(e).__name__ for e in events]


def sent(server: Server, number: int) -> list[dict[str, object]]:
    """Return the messages of a request."""
    messages = server.requests[number].json["messages"]
    assert isinstance(messages, list)
    return messages
