"""Clocks that jump: order is that of the records, whatever time they carry."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from chyan_agent.conversation import Conversation
from chyan_agent.durable.transcript import Transcript
from chyan_agent.memory.history import TranscriptHistory
from chyan_agent.memory.store import open_memory
from chyan_agent.messages import Message
from chyan_agent.state import MessageAdded, Summarized, Summary

from . import still
from .still import LOG, META, NOTES

NOW = datetime(2026, 3, 29, 0, 59, 58, tzinfo=UTC)
"""Two seconds before clocks change in much of the world."""


def days(*jumps: float) -> Iterator[datetime]:
    """Yield times that go on a second at a time, and jump by days in turn."""
    for number in count():
        yield NOW + timedelta(days=jumps[number % len(jumps)], seconds=number)


CLOCKS: dict[str, Callable[[], Iterator[datetime]]] = {
    "steady": lambda: days(0),
    "forward and back": lambda: days(0, 30, -30),
    "backwards": lambda: (NOW - timedelta(hours=n) for n in count()),
    "frozen": lambda: (NOW for _ in count()),
    "before the epoch": lambda: (datetime(1960, 1, 1, tzinfo=UTC) for _ in count()),
    "far ahead": lambda: days(365 * 7000),
    "another zone each time": lambda: (
        NOW.astimezone(datetime.now(UTC).astimezone().tzinfo) - timedelta(minutes=n % 3)
        for n in count()
    ),
}
Story = tuple[object, ...]


def lived(folder: Path, times: Iterator[datetime]) -> Story:
    """Live through turns, a compaction, a rewind and notes; return what is there at the end."""

    def clock() -> str:
        return next(times).isoformat(timespec="milliseconds")

    transcript = Transcript(folder / LOG, clock=clock)
    conversation = Conversation(transcript, folder / META, name="main")
    history = TranscriptHistory(transcript)
    memory = open_memory(folder / NOTES, segmenter_name="builtin", history=history, clock=clock)
    for turn in range(1, 7):
        conversation.record(MessageAdded(turn, Message("user", f"harbour {turn} has berth {turn}")))
        if turn == 4:
            conversation.record(Summarized(4, Summary(facts=("f @t1",), through=2)))
        conversation.record(MessageAdded(turn, Message("assistant", "noted")), durable=True)
        memory.remember(f"The harbour master of berth {turn} is P{turn}.", turn=turn, source="user")
    memory.remember("The harbour master of berth 2 is Q2.", turn=6, source="user")
    conversation.rewind(5)
    conversation.save()
    noted = [(note.id, note.text, note.supersedes) for note in memory.notes()]
    # What was said lately may be worth more, so that times have a say in the order of hits.
    hits = sorted((hit.text, hit.turn) for hit in memory.recall("harbour berth", 20))
    state = conversation.state
    memory.close()
    conversation.close()
    return state, noted, hits


@pytest.mark.parametrize("name", sorted(CLOCKS))
def test_a_clock_changes_nothing_but_the_times(shelf: Path, name: str) -> None:
    """State, notes and what is recalled are the same as with a steady clock, and so is a start."""
    steady, odd = shelf / "steady", shelf / "odd"
    story = lived(odd, CLOCKS[name]())
    assert story == lived(steady, CLOCKS["steady"]())
    for cached in (True, False):
        if not cached:
            (odd / META).unlink()
        found = still.look(odd)
        assert (found.state, found.problems) == (story[0], ())
        assert found.seqs == tuple(range(1, len(found.seqs) + 1))
    still.go_on(odd)


def test_a_time_that_is_none_is_kept_as_it_is(shelf: Path) -> None:
    """Nothing is computed from a record's time: any text stands there."""
    for text in ("", "yesterday", "9999-99-99T99:99:99Z", "\u0664\u0662"):
        transcript = Transcript(shelf / LOG, clock=lambda text=text: text)  # type: ignore[misc]
        transcript.append(MessageAdded(1, Message("user", "x")), durable=True)
        assert list(transcript.scan())[-1].ts == text
        transcript.close()
    assert still.look(shelf).problems == ()
