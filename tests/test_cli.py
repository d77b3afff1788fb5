"""The command line as a process: arguments, exit codes, streams, wrong uses."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from chyan_agent import __version__, offline
from chyan_agent.cli import main
from chyan_agent.cli.arguments import parse
from chyan_agent.cli.edge import Edge, spoken
from chyan_agent.cli.terminal import width
from chyan_agent.durable.lock import Lock
from chyan_agent.errors import ConfigError
from chyan_agent.prompts import arguments

from .agents import ctrl_c

MAIN = str(Path(__file__).parent.parent / "main.py")
QUESTION = "计算 17*23+5"
QUICK = "[llm]\nmax_retries = 0\n"
Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start in an empty folder, with a Chinese terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    for name in ("LC_ALL", "LC_MESSAGES", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


def piped(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let text come from standard input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def process(*command: str, stdout: int = subprocess.PIPE, **environ: str) -> tuple[int, str, str]:
    """Run Python as its own process; return exit code, stdout and stderr."""
    done = subprocess.run(
        [sys.executable, *command],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, **environ},
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


# ── arguments ──


def test_arguments_become_options() -> None:
    """Settings become dotted overrides, and what was not said overrides nothing."""
    settings = ["--model", "m", "--limit", "8000", "--workspace", "w"]
    options = parse([*settings, "--session", "s-1", "--resume-from-turn", "0", "hi"], arguments.EN)
    assert options.overrides == {
        "llm.model": "m",
        "context.context_limit": 8000,
        "tools.workspace": "w",
    }
    assert (options.session, options.resume_from_turn, options.question) == ("s-1", 0, "hi")
    assert parse([], arguments.EN).question is None


@pytest.mark.parametrize(
    "argv",
    [
        ["--bogus"],
        ["--session", "../x"],
        ["--session", ""],
        ["--session", "n" * 65],
        ["--limit", "0"],
        ["--limit", "10k"],
        ["--resume-from-turn", "-1"],
        ["--resume-from-turn", "²"],
        ["--rebuild-context", "question"],
        ["--model"],
        ["two", "questions"],
        ["--mod", "m"],
    ],
)
def test_wrong_arguments_end_with_2(argv: list[str], capsys: Out) -> None:
    """A wrong argument gets a message and a hint, exit code 2, and leaves no file."""
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == "" and "配置或参数有误" in err and "--help" in err
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_help_lists_every_option_and_fits(language: str, capsys: Out) -> None:
    """The help names each option, in either language, within 80 columns."""
    assert main(["--language", language, "--help"]) == 0
    out = capsys.readouterr().out
    assert all(option in out for option in arguments.ZH.options if option != "question")
    assert max(map(width, out.splitlines())) <= 80
    assert main(["--version"]) == 0 and __version__ in capsys.readouterr().out


def test_help_loads_nothing_heavy() -> None:
    """`--help` imports neither the agent nor any vendor package."""
    code = (
        "import sys; from chyan_agent.cli import main; main(['--help']);"
        "print(sorted({'openai', 'tiktoken', 'jieba', 'numpy', 'prompt_toolkit', 'asyncio',"
        " 'chyan_agent.agent', 'chyan_agent.config'} & set(sys.modules)))"
    )
    assert process("-c", code)[1].splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_TW.UTF-8"}, "zh"),
        ({}, "zh"),
    ],
)
def test_the_locale_chooses_the_language(environ: Mapping[str, str], language: str) -> None:
    """English where the locale is, Chinese elsewhere if the terminal can show it; a wish wins."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    assert spoken([], environ, stream) == language
    assert spoken(["--language", "en"], environ, stream) == "en"
    assert spoken(["--language=zh"], environ, stream) == "zh"
    assert spoken([], environ, io.TextIOWrapper(io.BytesIO(), encoding="ascii")) == "en"


def test_a_commented_file_can_be_written_once(capsys: Out) -> None:
    """--write-config writes a file that loads, and never over one that exists."""
    assert main(["--write-config", "c.toml"]) == 0
    assert main(["--write-config", "c.toml"]) == 2
    assert main(["--config", "c.toml", "--offline", QUESTION]) == 0
    assert "396" in capsys.readouterr().out


# ── one question ──


def test_one_question_is_answered(capsys: Out) -> None:
    """The answer alone is on stdout; that there is no key is said plainly, elsewhere."""
    assert main([QUESTION]) == 0
    out, err = capsys.readouterr()
    assert "396" in out and "上下文" not in out and "\x1b" not in out + err
    assert "离线模型" in err and "上下文" in err


def test_a_question_may_come_from_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    """`-` reads the whole of standard input as one question."""
    piped(monkeypatch, f"{QUESTION}\n")
    assert main(["--language", "en", "-"]) == 0
    out, err = capsys.readouterr()
    assert "396" in out and "offline model" in err


def test_json_lines_tell_all(capsys: Out) -> None:
    """--json prints events in order, each a JSON object, and errors in the same form."""
    assert main(["--json", QUESTION]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    names = [line["event"] for line in lines]
    assert names[0] == "noticed" and names[1:3] == ["turn_started", "requested"]
    assert names[-1] == "answered" and "396" in lines[-1]["text"]
    assert main(["--json", "--resume-from-turn", "9"]) == 2
    error = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert error["event"] == "error" and error["exit_code"] == 2 and error["hint"]


def test_a_session_goes_on_and_goes_back(capsys: Out) -> None:
    """Turns count on from run to run; --resume-from-turn and --rebuild-context do as they say."""
    assert main(["请记住：服务器端口是 8080"]) == 0
    assert main(["你好"]) == 0
    assert main(["--resume-from-turn", "1", "--json", "服务器端口是多少？"]) == 0
    answered = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert answered["turn"] == 2 and "8080" in answered["text"]
    meta = Path("data/meta.json")
    before = meta.read_bytes()
    meta.unlink()
    assert main(["--rebuild-context"]) == 0
    assert meta.read_bytes() == before and "2" in capsys.readouterr().out


# ── wrong uses: a clear message, and the session stays usable ──


@pytest.fixture
def judge() -> Iterator[str]:
    """Serve an offline model that wants a key."""
    with offline.serving(key="right") as url:
        yield url


def works(capsys: Out) -> bool:
    """Whether the session still answers."""
    capsys.readouterr()
    return main(["--offline", QUESTION]) == 0 and "396" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("toml", "part"),
    [
        ("[llm]\nmodle = 'x'", "modle"),
        ("[context]\ncontext_limit = 'big'", "context_limit"),
        ("[context]\nreserved_tokens = 10000", "reserved_tokens"),
        ("[context", "TOML"),
    ],
)
def test_a_bad_configuration(toml: str, part: str, tmp_path: Path, capsys: Out) -> None:
    """Exit code 2, and the message names what is wrong."""
    (tmp_path / "config.toml").write_text(toml, encoding="utf-8")
    assert main([QUESTION]) == 2
    assert part in capsys.readouterr().err
    assert main(["--config", "nowhere.toml", QUESTION]) == 2


def test_a_bad_key(judge: str, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    """Exit code 7, at once; with the right key the same session goes on."""
    monkeypatch.setenv("OPENAI_API_KEY", "wrong")
    assert main(["--base-url", judge, QUESTION]) == 7
    assert "密钥" in capsys.readouterr().err
    monkeypatch.setenv("OPENAI_API_KEY", "right")
    assert main(["--base-url", judge, QUESTION]) == 0
    assert "396" in capsys.readouterr().out


def test_an_endpoint_that_is_not_there(tmp_path: Path, capsys: Out) -> None:
    """Exit code 1, with the address in the message."""
    (tmp_path / "config.toml").write_text(QUICK, encoding="utf-8")
    assert main(["--base-url", "http://127.0.0.1:9/v1", QUESTION]) == 1
    err = capsys.readouterr().err
    assert "127.0.0.1:9" in err and "提示" in err
    assert works(capsys)


@pytest.mark.parametrize("path", ["nowhere.txt", "../../etc/passwd"])
def test_files_that_are_not_there_to_read(path: str, capsys: Out) -> None:
    """A missing file and a path outside of the workspace are told to the model and shown."""
    assert main([f"读取 {path} 第 1 行"]) == 0
    out, err = capsys.readouterr()
    assert "失败" in err and "root:" not in out
    assert works(capsys)


def test_an_empty_question(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    """Exit code 2 and no turn."""
    assert main(["  "]) == 2
    piped(monkeypatch, "\n")
    assert main(["-"]) == 2
    assert "问题是空的" in capsys.readouterr().err
    assert works(capsys)


@pytest.mark.parametrize("piece", ["x", "很长的问题，"])
def test_a_question_of_200_000_characters(
    piece: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    """It is clipped to fit, never refused, and the next question is answered as ever."""
    piped(monkeypatch, (piece * 200_000)[:200_000])
    assert main(["-"]) == 0
    assert works(capsys)


def test_a_session_in_use(tmp_path: Path, capsys: Out) -> None:
    """Exit code 6 while another one holds the session."""
    with Lock(tmp_path / "data"):
        assert main([QUESTION]) == 6
    assert "会话正被另一个进程使用" in capsys.readouterr().err
    assert works(capsys)


# ── bad ends ──


def test_ctrl_c_seals_the_turn(capsys: Out) -> None:
    """An interrupted question ends with 130, and the session goes on after it."""
    with offline.serving(faults=ctrl_c) as url:
        assert main(["--base-url", url, QUESTION]) == 130
        assert "已中断" in capsys.readouterr().err
        assert main(["--base-url", url, "--json", QUESTION]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["turn"] == 2


def test_a_bug_ends_with_an_apology(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    """Exit code 70; the traceback is on stderr and in the log, without the key, on one line."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    edge = Edge(["--offline", QUESTION], os.environ)
    assert edge.run() == 0
    try:
        raise ValueError("odd\n2030-01-01 INFO \x1b[2Jforged sk-secret")
    except ValueError as error:
        assert edge.crash(error) == 70
    edge.close()
    err = capsys.readouterr().err
    log = Path("data/agent.log").read_text(encoding="utf-8")
    assert "抱歉" in err and "Traceback" in err and "agent.log" in err
    assert "Traceback" in log and "\n2030" not in log
    assert "\x1b" not in err + log and "sk-secret" not in err + log


def test_a_bug_before_anything_is_loaded(capsys: Out) -> None:
    """Even then there is a report and exit code 70, never a bare traceback."""
    assert main([object()]) == 70  # type: ignore[list-item]
    assert "抱歉" in capsys.readouterr().err and list(Path.cwd().iterdir()) == []


def test_nobody_reads_the_answer() -> None:
    """A closed pipe ends quietly, as SIGPIPE would."""
    reading, writing = os.pipe()
    os.close(reading)
    assert process(MAIN, "--help", stdout=writing)[::2] == (141, "")
    os.close(writing)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_the_answer_can_not_be_written() -> None:
    """A full disk behind stdout is an error, never a silent success."""
    with Path("/dev/full").open("wb") as full:
        code, _, err = process(MAIN, "--help", stdout=full.fileno())
    assert code == 5 and "无法写出结果" in err


def test_streams_may_be_missing() -> None:
    """A process started with closed standard streams works, and writes over none of its files."""
    command = f"exec {sys.executable} {MAIN} --offline {QUESTION!r} <&- >&-"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, check=False)
    assert done.returncode == 0
    lines = Path("data/conversation.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(json.loads(line)["crc"] for line in lines) and "396" in lines[-1]


def test_any_encoding_shows_something() -> None:
    """Under LANG=C and an ASCII terminal the answer is escaped, never a crash."""
    question = "你好 \udcff"
    code, out, err = process(MAIN, "--offline", question, LC_ALL="C", PYTHONIOENCODING="ascii")
    assert code == 0 and (out + err).isascii() and "offline" in err


UNSAVED = """
import resource, sys
from pathlib import Path
from chyan_agent.cli import main
size = Path("data/conversation.jsonl").stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 400, size + 400))
sys.exit(main(["--offline", sys.argv[1]]))
"""


def test_an_answer_that_is_not_saved_is_still_shown(capsys: Out) -> None:
    """When the disk is full after the question, the answer is shown with NOT SAVED and exit 5."""
    assert main(["你好"]) == 0
    code, out, err = process("-c", UNSAVED, QUESTION + " " * 100)
    assert code == 5 and "396" in out and "NOT SAVED" in err
    assert works(capsys)


def test_config_errors_are_deliberate() -> None:
    """The parser raises; only the edge turns errors into exit codes."""
    with pytest.raises(ConfigError, match="nope"):
        parse(["--nope"], arguments.EN)
