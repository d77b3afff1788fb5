"""A window that is not what was set shows in replies, even where nothing is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.build import build
from chyan_agent.events import Answered, Noticed
from chyan_agent.messages import Message
from chyan_agent.model import Reply, Usage
from chyan_agent.signs import Counts, Sign, signs

from .agents import configured
from .llmservers import Llm, running


def reply(prompt: int, written: int = 50, finish: str = "stop", text: str = "Yes.") -> Reply:
    """A reply with its counts."""
    return Reply(Message("assistant", text), Usage(prompt, written), finish)


def read(found: Reply, sent: int = 6000, before: tuple[Counts, ...] = ()) -> tuple[Sign, ...]:
    """What a reply shows at the usual limits."""
    return signs(found, sent=sent, limit=10_000, output=3500, before=before)


@pytest.mark.parametrize(
    ("found", "sign"),
    [
        (reply(6000), ()),
        (reply(10_001), ("over_limit",)),
        (reply(9_999, 0, "length", ""), ("window_full",)),
        (reply(804, 220, "length"), ("window_full",)),
        (reply(6000, 3500, "length"), ()),
        (reply(6000, 0, "length"), ()),
        (reply(0, 0, "length", ""), ()),
        (reply(6000, 0, "stop", ""), ()),
    ],
)
def test_a_reply_shows_a_window_that_is_full(found: Reply, sign: tuple[Sign, ...]) -> None:
    """z.ai takes what is too large; MiMo then writes nothing; llama.cpp stops in mid-answer.

    An endpoint that counts nothing shows nothing, and a long answer that used its share is fine.
    """
    assert read(found) == sign


@pytest.mark.parametrize(
    ("sent", "counted", "before", "cut"),
    [
        (6400, 4096, (4000, 4050), True),
        (6400, 3600, (4000, 4050), True),
        (6400, 6300, (4000, 4050), False),
        (6400, 4700, (4000, 2900), False),
        (5000, 4050, (4000, 4050), False),
        (6400, 2400, (4000, 4050), False),
        (6400, 0, (4000, 4050), False),
    ],
)
def test_a_prompt_that_is_no_longer_read_whole_shows(
    sent: int, counted: int, before: Counts, cut: bool
) -> None:
    """It grows by our count and not by the endpoint's; another tokenizer, or one that leaves
    cached tokens out, looks different."""
    assert (read(reply(counted), sent, (before,)) == ("cut_silently",)) is cut


@given(
    st.floats(0.5, 2.0),
    st.lists(st.integers(100, 9000), min_size=2, max_size=8),
)
def test_an_honest_endpoint_shows_nothing(factor: float, sizes: list[int]) -> None:
    """Whatever its tokenizer is."""
    counts = [(size, int(size * factor)) for size in sizes]
    for place, (sent, counted) in enumerate(counts):
        found = signs(
            reply(counted), sent=sent, limit=20_000, output=3500, before=tuple(counts[:place])
        )
        assert found == ()


def test_the_user_is_told_once(tmp_path: Path) -> None:
    """A server that reads 2K of every prompt is noticed in the conversation itself."""
    llm = Llm(keeps=2000, tools="none")
    with running(llm), build(configured(tmp_path, llm.url)) as agent:
        events = [e for n in range(6) for e in agent.run_turn(f"Question {n}: {'river ' * 700}")]
    told = [event.kind for event in events if isinstance(event, Noticed)]
    assert told.count("cut_silently") == 1
    assert sum(isinstance(event, Answered) for event in events) == 6
