"""Segmentation: what must meet meets, in any script, and no text is too hostile."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.memory import jieba_dictionary
from chyan_agent.memory.index.fields import cutter, fields_of
from chyan_agent.memory.segment import words_of
from chyan_agent.memory.weights import is_function_word
from chyan_agent.statements.stems import stem

MEETING = [
    ("语言", "我最喜欢的编程语言是 Python"),
    ("python", "我最喜欢的编程语言是Python"),
    ("查询数据库", "项目数据库使用 PostgreSQL"),
    ("ORD-20391", "订单ORD-20391已经发货"),
    ("20391", "订单号 ord-20391"),
    ("src/app/main.py", "请看src/app/main.py的第3行"),
    ("main.py", "open src/app/main.py"),
    ("v1.2.3", "升级到V1.2.3了"),
    ("Ann@example.com", "写信给ann@example.com"),
    ("ＡＢＣ１２３", "code abc123"),
    ("C++", "她写 c++ 代码"),
    ("running", "He runs every day"),
    ("カメラ", "新しいカメラを買った"),
    ("서울", "서울에서 만나요"),
]


def tokens(name: str, text: str) -> list[str]:
    """Return the tokens by which a text is found first."""
    found = fields_of(text, cutter(name))
    return [*found.words, *found.pairs]


@pytest.mark.parametrize("name", ["jieba", "builtin"])
@pytest.mark.parametrize(("query", "text"), MEETING)
def test_query_meets_text(name: str, query: str, text: str) -> None:
    """A question shares a token that counts with the text that answers it."""
    shared = set(tokens(name, query)) & set(tokens(name, text))
    assert not all(map(is_function_word, shared))


@pytest.mark.parametrize("name", ["jieba", "builtin"])
def test_marks_are_no_tokens(name: str) -> None:
    """Spaces, punctuation and emoji are no tokens, so they can't make strangers meet."""
    assert tokens(name, " 。，！？ ... -- 😀 \n\t\u3000") == []


@pytest.mark.parametrize("name", ["jieba", "builtin"])
@given(st.text())
def test_any_text(name: str, text: str) -> None:
    """Every text is cut, the same way each time, into tokens that are not empty."""
    found = tokens(name, text)
    assert all(found)
    assert tokens(name, text) == found


@pytest.mark.parametrize("name", ["jieba", "builtin"])
@pytest.mark.parametrize("unit", ["a", "中", "a-", "1.", "中a", "_", "\ud800", "ﷺ"])
def test_hostile_text(name: str, unit: str) -> None:
    """64 KB of one kind of character is cut into no more tokens than a few per character."""
    text = (unit * 65536)[:65536]
    assert len(tokens(name, text)) <= 20 * len(text)


HAN = "我的语言编程数据库研究生命起源南京市长江大桥王小明和李梓萱在去年四月了吗龘"


@given(st.text(alphabet=HAN, min_size=1, max_size=40))
def test_our_cut_is_jieba_s(run: str) -> None:
    """Runs of Chinese are cut word for word as jieba cuts them for search."""
    assert words_of(run) == jieba_dictionary._tokenizer().lcut_for_search(run)


def test_function_words() -> None:
    """Words that only hold a question together are told from others, pairs of them too."""
    assert all(map(is_function_word, ("什么", "是什", "the")))
    assert not any(map(is_function_word, ("端口", "port")))


@pytest.mark.parametrize(
    "forms",
    [
        "run runs running ran",
        "study studies studied studying",
        "bus buses",
        "plan planned planning",
        "child children",
        "make making made makes",
        "ferrari ferraris",
        "analyse analysed analyze analysis analyses",
        "colour color colours coloured",
        "favourite favorite favourites",
        "organise organizes organised organizing",
        "organisation organizations",
        "travel travelled traveled travelling",
        "control controlled controlling",
        "programme program programmes programming",
        "centre centers",
        "try tried tries trying",
        "add added adding",
        "use used uses using",
        "enrol enrolled enroll",
        "tear tore torn",
    ],
)
def test_stems_meet(forms: str) -> None:
    """The forms of a word have one stem."""
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    "words", ["mourning morning", "four for", "hour our", "wise whiz", "small smell", "his hi"]
)
def test_stems_stay_apart(words: str) -> None:
    """What only looks like a form or a spelling of another word is none."""
    assert len({stem(word) for word in words.split()}) == 2


@pytest.mark.parametrize("word", ["is", "this", "glass", "8080", "red", "sing", "数据", "x86"])
def test_stem_leaves_alone(word: str) -> None:
    """Short words, numbers and other scripts stay as they are."""
    assert stem(word) == word


def run(code: str, home: Path) -> str:
    """Run Python code in a fresh process with its own cache directory."""
    environ = {**os.environ, "XDG_CACHE_HOME": str(home), "HOME": str(home), "TMPDIR": str(home)}
    command = [sys.executable, "-W", "error::UserWarning", "-c", code]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


def test_jieba_is_lazy_private_and_silent(tmp_path: Path) -> None:
    """Nothing loads before the first cut; then one private file is written and nothing said."""
    out = run(
        "import sys\nfrom chyan_agent.memory.index.fields import cutter\ncut = cutter('jieba')\n"
        "assert 'jieba' not in sys.modules\nprint('语言' in cut('编程语言'))\n"
        "assert 'pkg_resources' not in sys.modules",
        tmp_path,
    )
    assert out == "True\n"
    (written,) = (path for path in tmp_path.rglob("*") if path.is_file())
    assert written.parent == tmp_path / "chyan-agent"
    assert written.stat().st_mode & 0o777 == 0o600
    assert written.parent.stat().st_mode & 0o777 == 0o700


def test_without_jieba(tmp_path: Path) -> None:
    """Where jieba can't be imported the built-in cut takes its place and the log says so once."""
    out = run(
        "import sys, logging\nlogging.basicConfig(stream=sys.stdout, format='%(message)s')\n"
        "sys.modules['jieba'] = None\n"
        "from chyan_agent.memory.index.fields import cutter, fields_of\n"
        "one, two = (fields_of('编程语言 Go', cutter(name)) for name in ('jieba', 'builtin'))\n"
        "print(one == two, one.words)",
        tmp_path,
    )
    assert out.splitlines()[1:] == ["True ['编程', '程语', '语言', 'go']"]
    assert "jieba" in out.splitlines()[0]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A cached dictionary of two words, as we write it."""
    path = tmp_path / "cache" / "words"
    jieba_dictionary._write(path, ({"语言": 3, "语": 0}, 3))
    return path


def test_cache_round_trip(cache: Path) -> None:
    """What was cached is read back."""
    assert jieba_dictionary._read(cache) == ({"语言": 3, "语": 0}, 3)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"\0\0\0\0rubbish"),
        lambda path: path.unlink(),
        lambda path: path.chmod(0o666),
        lambda path: path.parent.chmod(0o777),
        lambda path: path.rename(path.with_name("x")) and path.symlink_to("x"),
    ],
    ids=["cut", "empty", "rubbish", "missing", "writable", "shared", "link"],
)
def test_cache_of_others(cache: Path, spoil: object) -> None:
    """A cache that is damaged, or that somebody else could have written, is not used."""
    assert callable(spoil)
    spoil(cache)
    assert jieba_dictionary._read(cache) is None


def test_cache_that_cannot_be_written(tmp_path: Path) -> None:
    """Where no cache can be kept, nothing is raised."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    jieba_dictionary._write(tmp_path / "file" / "words", ({}, 0))
    jieba_dictionary._write(None, ({}, 0))
    assert jieba_dictionary._read(None) is None
    assert jieba_dictionary._cache_path(tmp_path / "missing.txt") is None


def test_jieba_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """jieba's own chatter stays out of the log."""
    with caplog.at_level(logging.DEBUG):
        words_of("中文分词")
    assert not [record for record in caplog.records if record.name.startswith("jieba")]
