"""Counting: exact, offline, total over all texts."""

import base64
import gzip
import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.errors import AgentError, ConfigError
from chyan_agent.tokens import NAMES, counter, hf, known, utf8_bytes
from chyan_agent.tokens.bpe import LARGEST, SLICE, SlicedCounter, slices
from chyan_agent.tokens.patterns import CL100K, O200K, pattern_of
from chyan_agent.tokens.vocabulary import BUNDLED, Vocabulary, encoder

from .vocabularies import FAMILIES, family_counter

BPE = tuple(BUNDLED)
BYTES = [bytes((byte,)) for byte in range(256)]


def write_vocabulary(path: Path, tokens: list[tuple[bytes, int]]) -> Path:
    """Write tokens and ranks in tiktoken's format."""
    lines = (base64.b64encode(token) + b" %d\n" % rank for token, rank in tokens)
    path.write_bytes(b"".join(lines))
    return path


def count_in_pieces(name: str, text: str, size: int) -> tuple[int, int]:
    """Count a text slice by slice; return the sum and the number of cuts."""
    pieces = list(slices(text, size))
    return sum(map(counter(name), pieces)), len(pieces) - 1


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("o200k_base", "", 0),
        ("o200k_base", "hello world", 2),
        ("o200k_base", "我的项目代号是北极星", 8),
        ("cl100k_base", "hello world", 2),
        ("cl100k_base", "tiktoken is great!", 6),
        ("bytes", "a中😀", 8),
    ],
)
def test_known_texts_have_their_known_counts(name: str, text: str, tokens: int) -> None:
    """Counts are those of the published tokenizers."""
    assert counter(name)(text) == tokens


@pytest.mark.parametrize("name", BPE)
def test_a_bundled_vocabulary_is_whole(name: str) -> None:
    """Every token of a bundled vocabulary encodes to itself, so nothing was lost on the way."""
    lines = gzip.decompress(BUNDLED[name].path.read_bytes()).splitlines()
    encode = encoder(BUNDLED[name])
    for line in lines[300::997]:
        token, rank = line.split()
        text = base64.b64decode(token).decode("utf-8", "replace")
        if "\ufffd" not in text and text.isalpha():
            assert encode(text) == [int(rank)]


@pytest.mark.parametrize("name", BPE)
def test_special_tokens_are_plain_text(name: str) -> None:
    """A user may type a control token: it is counted as the characters it is made of."""
    assert counter(name)("<|endoftext|>") > 1
    assert counter(name)("<|im_start|>system") > 3


@pytest.mark.parametrize("family", FAMILIES)
@given(text=st.text(st.characters(), max_size=200))
def test_every_text_has_a_count(family: str, text: str) -> None:
    """Counting raises for nothing, lone surrogates included, and never exceeds the bytes."""
    tokens = family_counter(family)(text)
    assert (0 < tokens <= utf8_bytes(text)) if text else tokens == 0


@pytest.mark.parametrize("character", [" ", "\n", "a", "=", "中", "\ud800", "9"])
@pytest.mark.parametrize("family", ["o200k_base", "qwen"])
def test_a_megabyte_of_one_character_has_a_count(family: str, character: str) -> None:
    """A huge unbroken run, on which tiktoken panics or crawls, is counted like any text."""
    text = character * 1_050_000
    assert 1_050_000 // 128 <= family_counter(family)(text) <= utf8_bytes(text)


def test_beyond_the_largest_text_a_count_is_an_upper_bound() -> None:
    """What fits no window is bounded by its bytes, which costs nothing."""
    text = "word " * (LARGEST // 5 + 1)
    assert counter("o200k_base")(text) == utf8_bytes(text)


@pytest.mark.parametrize("unit", ["a", " ", "1\n", "中", "a word, and "])
def test_no_library_gets_more_than_a_slice(unit: str) -> None:
    """Whatever the text, it is counted in slices, so that time grows with its size alone."""
    seen: list[int] = []

    def count(text: str) -> int:
        seen.append(len(text))
        return 1

    text = unit * (200_000 // len(unit))
    assert SlicedCounter(lambda: count)(text) == len(seen)
    assert max(seen) <= SLICE
    assert sum(seen) == len(text)
    # Slices are nearly full, so there are no more of them than there must be.
    assert len(seen) <= len(text) // (SLICE - 2_100) + 1


@given(text=st.text(st.sampled_from("abc 0.,\n中。x'_-/"), max_size=400), size=st.integers(1, 60))
def test_slices_are_a_partition(text: str, size: int) -> None:
    """Slices join to the text, and none is longer than asked."""
    pieces = list(slices(text, size))
    assert "".join(pieces) == text
    assert max(map(len, pieces)) <= size


@pytest.mark.parametrize("name", BPE)
@given(
    words=st.lists(
        st.sampled_from(
            ["it's", "don't", " (a)", "3.14", "\n\nNew", "中文，好。", "foo_bar", "\t x/\n"]
        ),
        min_size=30,
        max_size=120,
    )
)
def test_cuts_at_the_ends_of_words_change_no_count(name: str, words: list[str]) -> None:
    """Text with words in it is counted exactly, however long it is."""
    text = " ".join(words)
    assert count_in_pieces(name, text, 60)[0] == counter(name)(text)


@pytest.mark.parametrize("name", BPE)
@given(text=st.text(st.sampled_from("abcdefgh"), min_size=100, max_size=900))
def test_cuts_inside_a_word_change_a_count_little(name: str, text: str) -> None:
    """Where a slice has to end inside a run, the count moves by at most three tokens a cut."""
    tokens, cuts = count_in_pieces(name, text, 90)
    assert abs(tokens - counter(name)(text)) <= 3 * cuts


def test_a_long_text_is_counted_as_its_lines_are() -> None:
    """A long log counts exactly what tiktoken counts for it in one go."""
    text = "".join(f"2026-01-{n % 28:02} INFO worker-{n} 完成 in {n * 7} ms\n" for n in range(2000))
    assert len(text) > 2 * SLICE
    assert counter("o200k_base")(text) == len(encoder(BUNDLED["o200k_base"])(text))


def test_counters_of_one_vocabulary_share_it() -> None:
    """A vocabulary is loaded once a process, however many counters use it."""
    assert encoder(BUNDLED["o200k_base"]) is encoder(BUNDLED["o200k_base"])


def test_a_damaged_bundled_vocabulary_is_an_error(tmp_path: Path) -> None:
    """A bundled file whose checksum is wrong is refused with a hint, and nothing is fetched."""
    real = BUNDLED["cl100k_base"]
    data = bytearray(gzip.decompress(real.path.read_bytes()))
    data[1000] ^= 1
    (tmp_path / "cl100k_base.tiktoken").write_bytes(data)
    with pytest.raises(AgentError, match="SHA-256") as caught:
        encoder(Vocabulary(tmp_path / "cl100k_base.tiktoken", real.pattern, real.sha256))
    assert "reinstall" in caught.value.hint


def test_a_torn_bundled_vocabulary_is_an_error(tmp_path: Path) -> None:
    """A bundled file that was cut short is refused with a hint."""
    real = BUNDLED["cl100k_base"]
    torn = tmp_path / real.path.name
    torn.write_bytes(real.path.read_bytes()[:-100])
    with pytest.raises(AgentError, match="can't be read") as caught:
        encoder(Vocabulary(torn, real.pattern, real.sha256))
    assert "reinstall" in caught.value.hint


@pytest.mark.parametrize("suffix", [".tiktoken", ".tiktoken.gz"])
def test_a_vocabulary_file_of_the_user_counts(tmp_path: Path, suffix: str) -> None:
    """The path of a vocabulary file, plain or gzipped, is a tokenizer name."""
    tokens = [(token, rank) for rank, token in enumerate([*BYTES, b"ab", b"abab"])]
    path = write_vocabulary(tmp_path / "mine.tiktoken", tokens)
    if suffix.endswith(".gz"):
        zipped = tmp_path / "mine.tiktoken.gz"
        with path.open("rb") as source, gzip.open(zipped, "wb") as target:
            shutil.copyfileobj(source, target)
        path = zipped
    assert counter(str(path))("ababab c") == 4


@pytest.mark.parametrize(
    ("tokens", "why"),
    [
        ([(b"a", 0), (b"b", 1)], "byte 0x00"),
        ([*((t, n) for n, t in enumerate(BYTES)), (b"ab", 5)], "twice"),
        ([*((t, n) for n, t in enumerate(BYTES)), (b"ab", 2**40)], "out of range"),
    ],
)
def test_a_vocabulary_that_would_panic_is_refused(
    tmp_path: Path, tokens: list[tuple[bytes, int]], why: str
) -> None:
    """A vocabulary with gaps, repetitions or wild ranks is an error, not a crash in counting."""
    path = write_vocabulary(tmp_path / "mine.tiktoken", tokens)
    with pytest.raises(ConfigError, match=why):
        counter(str(path))("")


@pytest.mark.parametrize("data", [b"YQ== one\n", b"YQ==\n", b"\xff\xfe\x00", b"A 1\n"])
def test_a_file_that_is_no_vocabulary_is_refused(tmp_path: Path, data: bytes) -> None:
    """Any other file is an error that says what was expected."""
    path = tmp_path / "mine.tiktoken"
    path.write_bytes(data)
    with pytest.raises(ConfigError, match="not a vocabulary") as caught:
        counter(str(path))("")
    assert "base64" in caught.value.hint


@pytest.mark.parametrize("name", ["gpt-9", "", "missing/file.tiktoken", f"{'long' * 80}/x.json"])
def test_an_unknown_tokenizer_is_a_configuration_error(name: str) -> None:
    """A name without a counter is an error that lists the names there are."""
    with pytest.raises(ConfigError, match="tokenizer") as caught:
        counter(name)
    assert "o200k_base" in caught.value.hint


def test_a_name_is_known_before_any_file_is_read() -> None:
    """Names and vocabulary paths are told from other texts without touching the disk."""
    assert all(map(known, [*NAMES, "x/y.tiktoken", "y.tiktoken.gz", "tokenizer.json"]))
    assert not any(map(known, ["", "o200k", "words.txt"]))


@pytest.mark.parametrize(
    ("family", "text", "tokens"),
    [
        ("qwen", "12345678", 8),
        ("qwen", "我的项目代号是北极星", 7),
        ("qwen", "getElementById JavaScript", 3),
        ("deepseek", "12345678", 3),
        ("deepseek", "我的项目代号是北极星", 6),
        ("deepseek", "<｜end▁of▁sentence｜>", 12),
    ],
)
def test_other_families_have_their_own_counts(family: str, text: str, tokens: int) -> None:
    """A vocabulary from a file counts as its model does: digits, Chinese, case, control tokens."""
    assert family_counter(family)(text) == tokens


@pytest.mark.parametrize("name", BPE)
@given(text=st.text(st.sampled_from("aB 1२,\r\n\t中é\u0301'/_x"), max_size=80))
def test_a_copy_of_a_known_vocabulary_counts_the_same(name: str, text: str) -> None:
    """The pattern that a file's tokens tell of cuts text as the published one does."""
    known_pattern = Vocabulary(BUNDLED[name].path)
    assert len(encoder(known_pattern)(text)) == counter(name)(text)


@pytest.mark.parametrize(
    ("tokens", "digits"),
    [
        ([b"aB", b"1", b"2"], r"\p{N}"),
        ([b"aB", b"12"], r"\p{N}{1,2}"),
        ([b"aB", b"123"], r"\p{N}{1,3}"),
        ([b"aB", b"2024"], r"\p{N}+"),
    ],
)
def test_tokens_tell_how_digits_are_grouped(tokens: list[bytes], digits: str) -> None:
    """The longest token of digits is the longest group of digits."""
    assert f"|{digits}|" in pattern_of(tokens)


def test_what_no_token_shows_is_cut() -> None:
    """A vocabulary without a capital after a small letter is cut there; CL100K's is not."""
    assert pattern_of(BYTES) == O200K
    assert "Lu" not in pattern_of([b"aB"])
    assert "Lu" not in CL100K


def test_a_tokenizer_file_without_a_token_for_a_text_counts_its_bytes(tmp_path: Path) -> None:
    """A vocabulary of words that knows neither a word nor the unknown: the bound is the bytes."""
    path = tmp_path / "tokenizer.json"
    model = {"type": "WordLevel", "vocab": {"hello": 0}, "unk_token": "[UNK]"}
    path.write_text(json.dumps({"version": "1.0", "model": model, "added_tokens": []}))
    count = counter(str(path))
    assert count("hello") == 1
    assert count("other") == 5


@pytest.mark.parametrize("text", ["", "not json", "{}", '{"model":{"type":"?"}}', "[1]"])
def test_a_file_that_is_no_tokenizer_is_refused(tmp_path: Path, text: str) -> None:
    """Any other JSON file is an error that says what was expected."""
    path = tmp_path / "tokenizer.json"
    path.write_text(text)
    with pytest.raises(ConfigError, match="not a tokenizer.json") as caught:
        counter(str(path))("")
    assert "Hugging Face" in caught.value.hint


def test_a_tokenizer_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are an error like any other wrong file."""
    path = tmp_path / "tokenizer.json"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not a tokenizer.json"):
        counter(str(path))("")


def test_without_the_extra_the_error_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has no package tokenizers is told what to install."""
    path = tmp_path / "other.json"
    path.write_text("{}")
    monkeypatch.setattr(hf, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="not installed") as caught:
        counter(str(path))("")
    assert "chyan-agent[hf]" in caught.value.hint
