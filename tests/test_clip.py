"""Laws of shortening: the caps hold for any text, nothing is lost, whoever pages arrives."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chyan_agent.budget import CountTokens
from chyan_agent.clip import Mode, clip
from chyan_agent.shorten import COUNTED_BYTES, fits, measure, prefix, shorten, suffix
from chyan_agent.tokens import counter

O200K = counter("o200k_base")
COUNTERS = (O200K, counter("bytes"), lambda text: -(-len(text) // 3))
NOTE = "…[left out, see #t12]…"

pieces = st.sampled_from(
    [
        "中文内容，",
        "数据",
        "😀",
        "👨‍👩‍👧",
        "0123456789",
        "3.14159",
        " ",
        "   \t",
        "\n",
        "\n\n",
        "\r\n",
        "a",
    ]
    + ["the quick ", "=====", "\u2028", "\x00", '"\\', "e\u0301", "\ud83d\ude00", "\ud800"]
)
runs = st.tuples(pieces, st.integers(1, 60)).map(lambda run: run[0] * run[1])
texts = st.lists(runs, max_size=25).map("".join)
counters = st.sampled_from(COUNTERS)
modes = st.sampled_from(["auto", "head", "tail"])


@given(texts, st.integers(0, 300), counters)
def test_shorten_keeps_to_its_cap(text: str, room: int, count: CountTokens) -> None:
    """A shortened text fits, names its note if anything was cut, and is unchanged when it fits."""
    short = shorten(text, room, count, NOTE)
    assert count(short) <= room
    if count(text) <= room:
        assert short == text
    elif room >= count(NOTE) + 8:
        assert NOTE in short


@given(texts, st.integers(40, 300), counters)
def test_shorten_keeps_head_and_tail(text: str, room: int, count: CountTokens) -> None:
    """What is around the note are the two ends of the text."""
    short = shorten(text, room, count, NOTE)
    if short != text and f"\n{NOTE}\n" in short:
        head, tail = short.split(f"\n{NOTE}\n")
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(head) + len(tail) < len(text)


@given(texts, st.integers(0, 200), counters)
def test_prefix_and_suffix_fit_and_never_part_a_pair(
    text: str, room: int, count: CountTokens
) -> None:
    """The ends are real ends within the cap, and no half of a surrogate pair stands alone."""
    head, tail = prefix(text, room, count), suffix(text, room, count)
    assert text.startswith(head)
    assert text.endswith(tail)
    assert max(count(head) if head else 0, count(tail) if tail else 0) <= room
    for whole, cut in ((text, len(head)), (text, len(text) - len(tail))):
        assert whole[max(cut - 1, 0) : cut + 1] != "\ud83d\ude00"


@settings(max_examples=150)
@given(texts, st.integers(1, 40), st.integers(30, 300), counters, modes)
@example("x" * 5000, 40, 40, O200K, "auto")
@example("\n" * 500, 2, 30, O200K, "auto")
def test_clip_keeps_to_both_caps(
    text: str, lines: int, room: int, count: CountTokens, mode: Mode
) -> None:
    """A clip is within its lines and tokens, and says so exactly when it left something out."""
    result = clip(text, max_lines=lines, max_tokens=room, count=count, mode=mode)
    assert count(result.text) <= room
    assert result.returned_lines <= lines
    assert result.total_lines == len(text.removesuffix("\n").split("\n")) * bool(text)
    assert result.truncated == (result.text != text.removesuffix("\n"))
    assert (result.next_line is not None) == result.truncated


@settings(max_examples=60)
@given(texts, st.integers(1, 40), st.integers(8, 200), counters)
def test_paging_gives_the_whole_text(text: str, lines: int, room: int, count: CountTokens) -> None:
    """Going on at the place that each clip names yields every character once, in order."""
    line, char, out, pages = 1, 0, "", 0
    while True:
        page = clip(
            text, max_lines=lines, max_tokens=room, count=count, mode="head",
            start_line=line, start_char=char,
        )  # fmt: skip
        out += page.text
        if not page.truncated:
            break
        assert page.next_line is not None
        assert (page.next_line, page.next_char) > (line, char)
        out += "\n" if page.next_line > line and page.next_char == 0 else ""
        line, char, pages = page.next_line, page.next_char, pages + 1
    assert out == text.removesuffix("\n")


@pytest.mark.parametrize("room", [20, 60, 123, 200])
@pytest.mark.parametrize("before", [5, 40, 120])
def test_a_cheap_run_hides_no_head(room: int, before: int) -> None:
    """Where a long run costs next to nothing, what stands before it is still found to fit."""
    text = "端口是八零，" * before + "=" * 900 + "代号叫北极星，" * 500
    head = prefix(text, room, O200K)
    assert O200K(head) >= min(0.8 * room, O200K("端口是八零，" * before))


def test_auto_shows_head_marker_and_tail() -> None:
    """Auto mode keeps 70 % of its lines at the head, 30 % at the tail, and says what is missing."""
    text = "\n".join(f"line {n}" for n in range(1, 101)) + "\n"
    result = clip(
        text, max_lines=10, max_tokens=1000, count=O200K, marker="<{first}-{last} {lines}>"
    )
    assert result.text.split("\n") == [
        *(f"line {n}" for n in range(1, 8)), "<8-97 90>", *(f"line {n}" for n in (98, 99, 100))
    ]  # fmt: skip
    assert (result.returned_lines, result.total_lines, result.next_line) == (10, 100, 8)


def test_tail_shows_the_end() -> None:
    """Tail mode shows the last lines and points at the first that was left out."""
    text = "\n".join(map(str, range(100)))
    result = clip(text, max_lines=3, max_tokens=100, count=O200K, mode="tail")
    assert (result.text, result.next_line, result.next_char) == ("97\n98\n99", 1, 0)


@pytest.mark.parametrize("mode", ["auto", "head", "tail"])
@pytest.mark.parametrize("unit", ['{"id":12345,"名":"北极星"},', "a", " ", "中", "😀"])
def test_one_huge_line_is_cut_inside(mode: Mode, unit: str) -> None:
    """A line of a megabyte is shown in part within the cap, never as nothing at all."""
    result = clip(
        unit * (1_000_000 // len(unit)), max_lines=500, max_tokens=400, count=O200K, mode=mode
    )
    assert O200K(result.text) <= 400
    assert len(result.text) > 300
    assert result.truncated
    assert (result.total_lines, result.next_line) == (1, 1)
    assert result.next_char == 0 if mode == "tail" else result.next_char > 100


def test_only_a_newline_ends_a_line() -> None:
    """Unicode separators, form feeds and lone carriage returns are ordinary characters."""
    text = "a\u2028b\u2029c\x0bd\x0ce\x85f\rg\r\nh"
    result = clip(text, max_lines=9, max_tokens=100, count=O200K)
    assert (result.text, result.total_lines) == (text, 2)


@pytest.mark.parametrize(
    ("line", "char", "shown"), [(2, 0, "bb\ncc"), (2, 1, "b\ncc"), (2, 9, "\ncc"), (4, 0, "")]
)
def test_a_clip_starts_where_it_is_told(line: int, char: int, shown: str) -> None:
    """A start is a line and a character; past the end of a line means its end."""
    result = clip(
        "aa\nbb\ncc", max_lines=9, max_tokens=99, count=O200K, start_line=line, start_char=char
    )
    assert result.text == shown
    assert not result.truncated


def test_no_count_sees_more_than_64_kilobytes() -> None:
    """However large the text is, the tokenizer gets it in pieces."""
    seen: list[int] = []

    def count(text: str) -> int:
        seen.append(len(text.encode()))
        return len(text)

    for text in ("中" * 300_000, "x" * 1_000_000, "\n" * 200_000):
        shorten(text, 100_000, count, NOTE)
        clip(text, max_lines=10**6, max_tokens=150_000, count=count)
    assert max(seen) <= COUNTED_BYTES


def test_a_long_text_that_fits_is_left_alone() -> None:
    """A text over 64 KB is counted in pieces and still returned unchanged when it fits."""
    text = "the quick brown fox\n" * 8000
    assert fits(text, O200K(text) + 30, O200K)
    assert shorten(text, O200K(text) + 30, O200K, NOTE) == text
    assert O200K(text) <= measure(text, O200K) <= O200K(text) + 30
