"""The search engine: what is added is found, what is removed is as if it had never been."""

import math
from collections import Counter
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from chyan_agent.memory.index import ENGINES, FIELDS, Document, Engine, Index, Query, postings
from chyan_agent.memory.index.make import make_index
from chyan_agent.memory.index.postings import PART, Postings
from chyan_agent.memory.index.scoring import K1, B

WORDS = ("ape", "bee", "cat", "dog", "elk", "fox", "gnu", "hen")
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
CORPUS = st.lists(TEXT, min_size=1, max_size=12)
TALK = Document("", session="s")


class Smoothed(BM25Okapi):  # type: ignore[misc]
    """The plain library with our idf: the oracle."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        for word, n in nd.items():
            self.idf[word] = math.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5))


def index(*texts: str, engine: Engine = "fields", use: tuple[str, ...] = FIELDS) -> Index:
    """Return an index of notes that needs no dictionary."""
    made = make_index(engine, segmenter="builtin", use=use)
    for text in texts:
        made.add(Document(text, kind="note"))
    return made


def talk(*lines: tuple[str, str], ts: str = "2026-01-05T10:00:00Z") -> Index:
    """Return an index of one talk: who said what."""
    made = make_index(segmenter="builtin")
    for speaker, text in lines:
        made.add(Document(text, ts, speaker, "s"))
    return made


def order(made: Index, question: str, k: int = 10, now: str = "2026-06-01") -> list[int]:
    """Return the numbers of what is found."""
    return [number for number, _ in made.search(Query(question, now), k)]


@settings(max_examples=50)
@given(CORPUS, st.sets(st.sampled_from((*WORDS, "yak"))))
def test_scores_are_the_library_s(corpus: list[str], words: set[str]) -> None:
    """Words alone are scored as rank_bm25 scores them, with an idf that stays positive."""
    found = dict(index(*corpus, engine="plain").search(Query(" ".join(sorted(words))), 99))
    oracle = Smoothed([text.split() for text in corpus], k1=K1, b=B)
    expected = oracle.get_scores(sorted(words))
    assert set(found) == {n for n, text in enumerate(corpus) if words & set(text.split())}
    ratios = [score / expected[number] for number, score in found.items()]
    assert ratios == pytest.approx([ratios[0]] * len(ratios) if ratios else [])


@settings(max_examples=40)
@given(CORPUS, st.sets(st.integers(0, 11)), TEXT)
@pytest.mark.parametrize("session", ["", "s"])
def test_removed_documents_leave_no_trace(
    session: str, corpus: list[str], numbers: set[int], question: str
) -> None:
    """An index that forgot the end of a talk, or any note, scores as if it had never been."""
    kept = [n for n in range(len(corpus)) if n not in numbers]
    if session:
        kept = list(range(len(kept)))
    made, fresh = make_index(segmenter="builtin"), make_index(segmenter="builtin")
    for number, text in enumerate(corpus):
        document = Document(text, "2026-01-05T10:00:00Z", "user", session)
        made.add(document)
        if number in kept:
            fresh.add(document)
    made.remove([n for n in range(len(corpus)) if n not in kept])
    made.remove([n for n in range(len(corpus)) if n not in kept])
    extra = Document(question, "2026-01-05T11:00:00Z", "user", session)
    places = [*kept, made.add(extra)]
    fresh.add(extra)
    expected = [(places[n], score) for n, score in fresh.search(Query(question), 99)]
    found = made.search(Query(question), 99)
    assert [n for n, _ in found] == [n for n, _ in expected]
    assert [s for _, s in found] == pytest.approx([s for _, s in expected])
    assert len(made) == len(fresh)


@pytest.mark.parametrize("engine", ["fields", "plain"])
@pytest.mark.parametrize("others", [[], ["往事"], ["python"], ["python", "python like"]])
def test_small_stores(engine: Engine, others: list[str]) -> None:
    """The exact word finds its document in stores of one, two, and where all hold it."""
    made = index("like python", *others, engine=engine)
    assert 0 in order(made, "Python")


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_to_find(engine: Engine) -> None:
    """Empty stores, texts, questions and numbers of hits give nothing, and no error."""
    assert index(engine=engine).search(Query("ape"), 5) == []
    made = index("", "ape", "bee", "cat", engine=engine)
    assert len(made) == 4
    assert order(made, "ape") == [1]
    for question, k in (("", 5), ("?! 。", 5), ("yak", 5), ("ape", 0)):
        assert order(made, question, k) == []
    made.remove([0, 1, 2, 3])
    assert order(made, "ape") == []


def test_equals_come_newest_first() -> None:
    """Of documents that match alike the newest comes first, also where only some are returned."""
    made = index(*["ape"] * 9, "bee")
    assert order(made, "ape", 3) == [8, 7, 6]


def test_passing_over() -> None:
    """What is to be passed over makes room for what comes next."""
    made = index("ape", "ape bee", "ape cat")
    hidden = order(made, "ape")[0]
    found = made.search(Query("ape"), 1, without=[hidden])
    assert [number for number, _ in found] == order(made, "ape")[1:2]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("订单ORD-20391已发货", "ORD-20391"),
        ("订单ORD-20391已发货", "20391 到哪了"),
        ("请看src/app/main.py的第3行", "main.py"),
        ("升级到V1.2.3了", "v1.2.3"),
        ("写信给Ann.Lee@example.com", "ann.lee@example.com"),
        ("提交3f2a9c1d77be0142之后坏了", "3f2a9c1d77be0142"),
        ("提交3f2a9c1d77be0142之后坏了", "3f2a9c1 是什么"),
        ("打开https://example.com/a/b?x=1看看", "example.com"),
        ("她在用c++", "C++"),
        ("資料庫在哪裡", "资料库"),
    ],
)
def test_identifiers(text: str, question: str) -> None:
    """An identifier is found whole and by its parts, glued to Chinese or not, in either script."""
    made = index("订单已经发货", "第三行 main", text, "v1.2", "example", "写信 ann")
    assert order(made, question, 1) == [2]


def test_dates() -> None:
    """A question about a day finds what was said on it, though no word is shared."""
    made = make_index(segmenter="builtin")
    for day in range(1, 20):
        made.add(Document(f"ape {day % 3}", f"2026-03-{day:02}T09:00:00Z", "user", f"s{day}"))
    assert order(made, "3月7日说了什么", 1) == [6]
    assert order(made, "what did we say yesterday?", 1, now="2026-03-12T08:00:00Z") == [10]


def test_a_date_alone_finds_what_it_tells_apart() -> None:
    """What was said on a day is found by the day; a year in which all was said finds nothing."""
    made = talk(("user", "ape"), ("user", "bee"), ts="2026-03-07T09:00:00Z")
    day, year = (Query(text, "2026-06-01", own=True) for text in ("3月7日", "2026年 gnu"))
    assert len(made.search(day, 9)) == 2
    assert made.search(year, 9) == []


def test_neighbours() -> None:
    """A turn is found by what its neighbours name; a note beside it is not."""
    made = talk(("user", "elk elk"), ("assistant", "well"), ("user", "hen"), ("user", "gnu"))
    made.add(Document("fox", kind="note"))
    assert order(made, "elk")[0] == 0
    assert set(order(made, "elk")) >= {0, 1, 2}
    assert 4 not in order(made, "elk")
    assert [n for n, _ in made.search(Query("elk", own=True), 9)] == [0]


def test_an_answer_borrows_from_its_question() -> None:
    """Who answers a question is found before who only asked it."""
    made = talk(("Ann", "Which gnu is it?"), ("Bob", "The old one."), ("Ann", "The new hen."))
    assert order(made, "gnu")[:2] in ([0, 1], [1, 0])
    plain = talk(("Ann", "The gnu is it."), ("Bob", "The old one."), ("Ann", "The new hen."))
    asked, told = (dict(one.search(Query("gnu"), 9)) for one in (made, plain))
    assert asked[1] / asked[0] > told[1] / told[0]


def test_the_user_before_the_assistant() -> None:
    """What the user said counts more, unless the question asks what the assistant said."""
    made = talk(("user", "ape"), *[("user", "cat")] * 5, ("assistant", "ape"))
    assert order(made, "the ape", 1) == [0]
    assert order(made, "which ape did you recommend?", 1) == [6]


@pytest.mark.parametrize(
    "question",
    [
        "日志里 ape 的编号",
        "配置文件中的 ape",
        "在代碼裡 ape",
        "which ape is in the config file?",
        "the ape in that log",
    ],
)
def test_what_a_tool_gave_counts_where_it_is_asked_for(question: str) -> None:
    """What stood in a file or a log is found in a tool's result, before talk that is like it."""
    made = talk(("user", "ape fox gnu"), *[("user", "cat")] * 5, ("tool:read", "ape 42"))
    assert order(made, "the ape", 1) == [0]
    assert order(made, question, 1) == [6]


def test_speakers() -> None:
    """A name in a question means what that person said, before what was said to them."""
    made = talk(("Ann", "Bob likes the elk"), ("Bob", "I like the elk"), ("Ann", "hm"))
    assert order(made, "What does Bob like, the elk?", 1) == [1]


def test_long_texts_are_judged_by_their_best_part() -> None:
    """A long text that is about the question somewhere comes before one that scatters the words."""
    filler = " ".join(f"w{n}x" for n in range(200))
    about = f"{filler} {filler} ape x1 bee x2 cat {filler} {filler}"
    scattered = f"ape {filler} bee {filler} cat"
    assert order(index(about, scattered), "ape bee cat", 1) == [0]


def test_fields_can_be_left_out() -> None:
    """Without a field nothing is scored by it."""
    use = tuple(name for name in FIELDS if name != "time")
    made = index("ape", use=use)
    assert made.search(Query("3月7日", "2026-03-08"), 5) == []


@settings(max_examples=50)
@given(
    st.lists(st.lists(st.tuples(st.sampled_from(WORDS), st.integers(0, 65535)), max_size=9)),
    st.sets(st.integers(0, 20)),
    st.sampled_from([1, 3, PART]),
)
def test_postings(rows: list[list[tuple[str, int]]], freezes: set[int], part: int) -> None:
    """Frozen, merged or new: the postings of a key are all there, in their order."""
    made, expected = Postings(), dict[str, list[tuple[int, int]]]()
    for number, row in enumerate(rows):
        made.put(dict(row), number)
        for key, code in dict(row).items():
            expected.setdefault(key, []).append((number, code))
        if number in freezes:
            with patch.object(postings, "PART", part):
                made.settle()
    for _ in range(2):
        found = made.of([*WORDS, "yak"])
        listed = {k: list(zip(n.tolist(), c.tolist(), strict=True)) for k, (n, c) in found.items()}
        assert listed == expected
        made.merge()


@settings(max_examples=60)
@given(st.text(max_size=80), st.text(max_size=40))
def test_any_text(text: str, question: str) -> None:
    """Every text can be added, and every text be asked for."""
    made = index(text, "ape")
    for number, score in made.search(Query(question, "2026-01-01"), 5):
        assert score > 0
        assert number in (0, 1)


def test_very_frequent_words() -> None:
    """A word that stands thousands of times in a text is counted up to a cap."""
    counts = Counter(order(index("ape " * 5000, "bee", "cat"), "ape"))
    assert counts == {0: 1}


def test_each_of_several_questions_is_answered() -> None:
    """What answers the short one of two questions stands before what is beside the long one."""
    texts = ("ape yak", "bee cat dog elk", "bee cat dog", "bee cat elk", *["fox"] * 20)
    question = "Is ape fine? And where do bee cat dog elk live?"
    assert set(order(index(*texts), question, 2)) == {0, 1}
    whole = index(*texts, use=tuple(name for name in FIELDS if name != "several"))
    assert set(order(whole, question, 2)) == {1, 2}


PHONES = ("我用的手机是松果X13", "松果X13拍照很好", "我叔叔在广州", "我住在世纪花园")


@pytest.mark.parametrize("own", [False, True])
def test_the_like_of_a_note_is_found(own: bool) -> None:
    """A note that shares nothing but a name with the one that answers comes after it."""
    made = index(*PHONES)
    asked = Query("手机", own=own)
    assert [n for n, _ in made.search(asked, 9)] == [0]
    assert [n for n, _ in made.search(asked, 2, told=PHONES.__getitem__)] == [0, 1]


def test_a_weak_likeness_is_no_answer() -> None:
    """Who asks for what holds his own words is not given notes that begin alike."""
    made = index(*PHONES)
    found = made.search(Query("手机", own=True), 9, told=PHONES.__getitem__)
    assert [n for n, _ in found] == [0, 1]


def test_a_turn_gets_nothing_from_a_note() -> None:
    """A turn that is like a note, and what stands beside it, score as without the note's text."""
    texts = (PHONES[0], "我用的手机是松果X13吗", "结果是 2")
    made = index(texts[0])
    for text in texts[1:]:
        made.add(Document(text, session="s", speaker="user"))
    alone = dict(made.search(Query("手机"), 9))
    found = dict(made.search(Query("手机"), 9, told=texts.__getitem__))
    assert found.pop(0) > alone.pop(0)
    assert found == alone


def test_turns_have_no_like() -> None:
    """A turn has its neighbours; the text of none is asked for."""
    made = talk(("user", "ape"), ("assistant", "bee ape"), ("user", "bee"))

    def told(_number: int) -> str:
        raise AssertionError("read")

    assert made.search(Query("ape"), 3, told=told) == made.search(Query("ape"), 3)


def test_words_of_any_talk_count_less_in_a_long_one() -> None:
    """A small store takes "great" for a rare word: who tells at length is not after it."""
    made = index("Ann had a great day", "Ann keeps bees behind the barn", "Ann painted the gate")
    said = (
        "It was a great, long day. How was yours? We sat in the sun until the evening and went "
        "back late, and on the way we looked at the bees that a neighbour of ours has in his yard"
    )
    assert order(made, said)[0] == 1
    assert order(made, "Who had a great day?")[0] == 0


def test_a_note_leads_to_what_else_is_said_of_its_subject() -> None:
    """Who is asked for by a number is the cousin: what the question says itself leads nowhere."""
    texts = (
        "My cousin has the number 15591513828",
        "My cousin goes climbing",
        "The taxi has the number 4400",
        "My aunt bakes",
        "My friend lives in a house",
    )
    asked = Query("What does the one with the number 15591513828 do for sport?")
    found = dict(index(*texts).search(asked, 9, told=texts.__getitem__))
    assert found[1] > 0.1 * found[0]
