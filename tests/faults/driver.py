"""A thin driver: a whole session on the real storage code, in a process that may be killed.

    python -m tests.faults.driver DIR [--ack FD]
    python -m tests.faults.driver DIR --recover

The first plays the session of `script` and writes one JSON line for each thing that happened; a
line with "acked" is what the user was promised. The second opens what is left, as a start after a
crash does, and prints what was found. There is no endpoint, and the SDK is never imported.
"""

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from unittest.mock import patch

from chyan_agent import build as root
from chyan_agent.agent import Agent
from chyan_agent.config import Config, load
from chyan_agent.errors import AgentError
from chyan_agent.events import Answered, Compacted, Stopped
from chyan_agent.messages import to_wire

from .script import OPS, Ask, Compact, Op, Rewind, Scripted

KEY = "sk-never-in-any-file"
TIME = "2026-01-01T00:00:00.000+00:00"
"""It stands still, so that two runs write the same bytes."""
Line = dict[str, object]
Say = Callable[[Line], None]


def configured(folder: Path) -> Config:
    """Return the settings: everything below `folder`, nothing that takes long to load."""
    given: dict[str, object] = {
        "language": "en",
        "llm.base_url": "http://127.0.0.1:9/v1",
        "llm.api_key": KEY,
        "context.context_limit": 100_000,
        "context.tokenizer": "bytes",
        "context.max_recent_turns": 1,
        "memory.segmenter": "builtin",
        "data_dir": str(folder / "data"),
        "tools.workspace": str(folder / "workspace"),
    }
    return load(None, environ={}, overrides=given)


@contextmanager
def opened(folder: Path) -> Iterator[Agent]:
    """Open the session in `folder` as the program does, with the scripted model and clock."""
    model = patch.object(root, "OpenAIModel", lambda *_, **__: Scripted())
    clock = patch.object(root, "now", lambda: TIME)
    with model, clock, root.build(configured(folder)) as agent:
        yield agent


def play(folder: Path, say: Say, ops: tuple[Op, ...] = OPS) -> int:
    """Play the session, telling each thing as it happens; return how many of them failed.

    An error that the program means to raise ends one operation, and so does Ctrl-C, as they do at
    the terminal; any other one ends the run.
    """
    failed = 0
    with opened(folder) as agent:
        say({"opened": agent.state.last_turn})
        for op in ops:
            say({"begun": describe(op)})
            try:
                say(carried_out(agent, op))
            except (AgentError, KeyboardInterrupt) as error:
                failed += 1
                say({"failed": describe(op), "error": type(error).__name__, "text": str(error)})
    return failed


def describe(op: Op) -> Line:
    """Return an operation as JSON."""
    return {"op": type(op).__name__, **asdict(op)}


def carried_out(agent: Agent, op: Op) -> Line:
    """Do one thing and return the line that promises it."""
    match op:
        case Ask(text):
            return asked(agent, text)
        case Compact():
            events = list(agent.compact())
            done = any(isinstance(event, Compacted) for event in events)
            return {"compacted": agent.state.summary.through} if done else {"idle": "Compact"}
        case Rewind(turn):
            agent.rewind(turn)
            return {"rewound": turn}


def asked(agent: Agent, text: str) -> Line:
    """Run a turn; return its acknowledgement with all its messages."""
    done = 0
    for event in agent.run_turn(text):
        if isinstance(event, Answered | Stopped):
            done = event.turn
    return {"acked": done, "messages": [to_wire(m) for m in agent.conversation.turn(done)]}


def teller(descriptor: int) -> Say:
    """Return what writes lines to a descriptor, by a call that no sweep counts: writev."""

    def say(line: Line) -> None:
        os.writev(descriptor, [json.dumps(line, ensure_ascii=False).encode(), b"\n"])

    return say


def main() -> int:
    """Play or recover; 0 when nothing failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.driver", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--recover", action="store_true", help="open it and print what is there")
    parser.add_argument("--ack", type=int, default=1, help="descriptor to which lines are written")
    given = parser.parse_args()
    logging.getLogger().addHandler(logging.NullHandler())
    folder = given.folder.absolute()
    if given.recover:
        from .oracle import recover

        found = recover(folder)
        print(json.dumps(found.to_json(), ensure_ascii=False))
        code = 1 if found.violations else 0
    else:
        code = 5 if play(folder, teller(given.ack)) else 0
    assert "openai" not in sys.modules
    return code


if __name__ == "__main__":
    raise SystemExit(main())
