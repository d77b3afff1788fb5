"""What the first recall costs after a start, with a transcript of many messages behind it."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from itertools import count
from pathlib import Path

from chyan_agent.durable.transcript import Transcript
from chyan_agent.memory.history import TranscriptHistory
from chyan_agent.memory.store import Store, open_memory
from chyan_agent.messages import Message, Role
from chyan_agent.state import MessageAdded

TOP = 5
_ticks = count()


def _clock() -> str:
    number = next(_ticks)
    return f"2025-{number // 2800 % 12 + 1:02}-{number // 100 % 28 + 1:02}T10:00:00Z"


def _opened(folder: Path) -> tuple[Transcript, Store]:
    transcript = Transcript(folder / "conversation.jsonl", clock=_clock)
    memory = open_memory(
        folder / "memories.jsonl",
        history=TranscriptHistory(transcript),
        index_path=folder / "recall.idx",
        clock=_clock,
    )
    return transcript, memory


def _close(opened: tuple[Transcript, Store]) -> None:
    transcript, memory = opened
    memory.close()
    transcript.close()


def fill(folder: Path, texts: Iterable[str]) -> float:
    """Record messages, user and assistant in turn; return the CPU seconds of indexing them all."""
    opened = _opened(folder)
    for number, text in enumerate(texts):
        role: Role = "assistant" if number % 2 else "user"
        opened[0].append(MessageAdded(number // 2 + 1, Message(role, text)))
    began = time.process_time()
    opened[1].recall("一切", TOP)
    _close(opened)
    return time.process_time() - began


def first_recall(folder: Path, query: str) -> dict[str, float]:
    """Open and recall once, in a process of its own; return CPU seconds of each."""
    command = [sys.executable, __file__, str(folder), query]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def main() -> None:
    """Measure in this process: what was imported before doesn't count."""
    folder, query = Path(sys.argv[1]), sys.argv[2]
    began = time.process_time()
    opened = _opened(folder)
    ready = time.process_time()
    hits = opened[1].recall(query, TOP)
    found = time.process_time()
    print(json.dumps({"open": ready - began, "recall": found - ready, "hits": len(hits)}))
    _close(opened)


def lines(texts: Iterable[str], size: int) -> Iterable[str]:
    """Yield what opening costs, as sentences."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        indexing = fill(folder, texts)
        kept = (folder / "recall.idx").stat().st_size
        yield f"{size:,} messages: indexed once in {indexing:.1f} s, {kept / size:,.0f} bytes each"
        for what, query in (("an identifier", "REF-000007"), ("Chinese words", "编号是怎么回事？")):
            took = first_recall(folder, query)
            yield (
                f"{size:,} messages: opened in {took['open']:.3f} s, first recall of {what} in "
                f"{took['recall']:.3f} s, {took['hits']:.0f} hits"
            )


if __name__ == "__main__":
    main()
