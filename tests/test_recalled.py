"""What a recall shows: passages that answer, their neighbours, never more than the budget."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chyan_agent.budget import compact_json
from chyan_agent.memory import Hit
from chyan_agent.memory.confidential import secret
from chyan_agent.memory.gate import Gate
from chyan_agent.memory.nearest import nearest
from chyan_agent.memory.passages import focus, telling
from chyan_agent.memory.readable import readable
from chyan_agent.messages import Message, ToolCall
from chyan_agent.prompts.tools import EN
from chyan_agent.statements.changes import change
from chyan_agent.tools import Limits
from chyan_agent.tools.recalled import shown

from .toolbox import COUNT, Desk

NOTE = EN.recorded
TEXT = st.text(alphabet="ab 中文。\n1", max_size=900)
HIT = st.builds(
    Hit,
    text=TEXT,
    turn=st.integers(0, 9999),
    kind=st.just("message"),
    speaker=st.sampled_from(["user", "assistant", "tool:read"]),
    met=st.booleans(),
    replaces=TEXT,
    ts=st.sampled_from(["", "2026-01-01T00:00:00.000+00:00", "yesterday"]),
    beside=st.tuples(TEXT, TEXT),
    superseded=TEXT,
    conflicts=st.lists(TEXT, max_size=2).map(tuple),
)


def hit(text: str, turn: int = 1, before: str = "", after: str = "") -> Hit:
    """Return something recalled."""
    return Hit(text, turn, "message", "user", beside=(before, after))


def page(hits: list[Hit], query: str = "x", room: int = 500) -> dict[str, list[dict[str, str]]]:
    """Return what is shown of hits."""
    result = shown(hits, query, NOTE, room=room, count=COUNT, texts=EN)
    value: dict[str, list[dict[str, str]]] = json.loads(compact_json(result))
    return value


@settings(max_examples=40)
@given(st.lists(HIT, min_size=1, max_size=20), TEXT, st.integers(60, 700))
def test_what_is_shown_keeps_to_its_room(hits: list[Hit], query: str, room: int) -> None:
    """However long the texts, the result takes no more tokens than it may, best hits first."""
    result = shown(hits, query, NOTE, room=room, count=COUNT, texts=EN)
    assert COUNT(compact_json(result)) <= room
    items = result["hits"]
    assert isinstance(items, list)
    assert [item.get("turn", "#t0") for item in items] == [
        f"#t{h.turn}" for h in hits[: len(items)]
    ]
    assert ("truncated" in result) == (len(items) < len(hits))


def test_neighbours_are_added_where_there_is_room() -> None:
    """What was said before and after comes along, shortened, and never at the cost of a hit."""
    around = "what is it? " * 40, "so be it. " * 40
    hits = [hit(f"the answer {n}", n, *around) for n in range(1, 6)]
    roomy, tight = page(hits)["hits"], page(hits, room=200)["hits"]
    assert [item["text"] for item in roomy] == [one.text for one in hits]
    assert set(roomy[0]) >= {"before", "after"}
    assert COUNT(roomy[0]["after"]) <= 45
    assert len(tight) == len(roomy)


def test_a_neighbour_is_not_shown_twice() -> None:
    """What stands there as a hit already is no neighbour of another hit."""
    question, answer = hit("the question", 1, after="the answer"), hit("the answer", 1)
    assert "after" not in page([question, answer])["hits"][0]


@given(TEXT, TEXT, st.integers(1, 300))
def test_a_focus_fits(text: str, query: str, most: int) -> None:
    """A focus is within its measure, or nothing, and made of pieces of the text."""
    found = focus(text, query, lambda part: len(part) <= most, "[…]")
    assert len(found) <= most
    assert all(part.strip() in text for part in found.replace("[…]", "…").split("…"))


def test_a_focus_takes_every_part_of_a_question() -> None:
    """Where the words of a question stand apart, a place for each is taken."""
    text = "alpha relay.\n" + "filler line here.\n" * 40 + "the port is 8443.\n" + "more.\n" * 40
    found = focus(text, "port of the alpha relay", lambda part: len(part) <= 80, "…")
    assert "alpha relay" in found
    assert "8443" in found


def test_the_telling_text_is_the_one_with_the_words() -> None:
    """Of what followed, the part that holds the words of the question counts, else the last."""
    texts = ["path: a.ini\nretry_limit = 7\nmode = x", "Content of a.ini:"]
    assert telling(texts, "What is the retry_limit in a.ini?") == texts[0]
    assert telling(texts, "anything else") == texts[1]
    assert telling([], "x") == ""
    full, cut = "alpha = 1, beta = 2, gamma = 3", "alpha = 1, beta"
    assert telling([full, cut], "alpha and beta") == full


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('{"content":"a = 1\\nb = 2","total_lines":2}', "a = 1\nb = 2\ntotal_lines: 2"),
        ('{"matches":["a.log:3:x","b.log:9:y"],"truncated":false}', "a.log:3:x\nb.log:9:y"),
        ('{"error":"no such file","hint":"use search"}', "error: no such file\nhint: use search"),
        ("plain words", "plain words"),
        ("{broken", "{broken"),
        ("{}", "{}"),
        ("[1, 2]", "[1, 2]"),
        ("{" + '"a":{' * 9 + "}" * 10, None),
    ],
)
def test_results_are_read_as_text(content: str, text: str | None) -> None:
    """A JSON result becomes the lines it holds; anything else stays as it is."""
    assert readable(content) == text if text is not None else readable(content)


def test_what_comes_near() -> None:
    """Spelling brings a text near; a question without words of its own is met by anything."""
    texts = ["the Kubernetes cluster", "green tea"]
    assert nearest("kubernets", texts) == ["the Kubernetes cluster"]
    assert nearest("x", texts) == nearest("紫薯", texts) == []


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "unit", ["\n", "a\n", "A_", "sk-", "://a:b@", "密码", "token=", "，", "不是", "。"]
)
def test_no_text_holds_a_recall_up(unit: str) -> None:
    """Whatever a text is made of, it is judged, compared and cut in time that grows with it."""
    text = (unit * 20_000)[:20_000]
    secret(text)
    Gate("be brief").refusal(text, recalled=[text])
    change(text[:400])
    assert len(page([hit(text, after=text)], query=text[:200])["hits"]) == 1


READING = ToolCall("t00001c01", "read", '{"path":"a.txt"}')


@pytest.mark.parametrize("most", [90, 120, 121, 122, 123, 124, 500])
def test_what_comes_from_files_says_so_within_the_budget(tmp_path: Path, most: int) -> None:
    """Hits and pages that show what tools gave are marked, and take no more than others."""
    told = '{"content":"' + "the gateway of the office is evil.example, it says; " * 30 + '"}'
    text = f"user: what of the gateway?\ncall read: {{}}\ntool: {told}\nassistant: no idea"
    limits = Limits(recall_tokens=most, max_result_tokens=2 * most)
    with Desk(tmp_path, limits=limits, turn_text=lambda turn: text if turn == 1 else None) as desk:
        asked, wanted = Message("user", "what of the gateway?"), Message("assistant", "")
        called = replace(wanted, tool_calls=(READING,))
        desk.say(1, asked, called, Message("tool", told, tool_call_id=READING.id))
        for query, limit in (("gateway office", most), ("#t1", 2 * most), ("#t1@200", 2 * most)):
            result = desk("recall", query=query)
            assert result["from_files"] is True
            assert result.get("hits") or result["text"]
            assert COUNT(desk.last.content) <= limit


def test_what_was_only_said_is_not_marked(tmp_path: Path) -> None:
    """A talk without tools is nobody's file."""
    said = "user: the gateway of the office is 10.0.0.1\nassistant: noted"
    with Desk(tmp_path, turn_text=lambda turn: said if turn == 1 else None) as desk:
        desk.say(1, Message("user", "the gateway of the office is 10.0.0.1"))
        desk.memory.remember("The office has a gateway", turn=1, source="user")
        for query in ("gateway office", "#t1"):
            assert "from_files" not in desk("recall", query=query)
