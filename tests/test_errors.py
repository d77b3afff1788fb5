"""Errors: what a user may read is there in both languages, and reaches the reader in theirs."""

import ast
import importlib
import io
import json
import pkgutil
import re
import string
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chyan_agent import errors, prompts
from chyan_agent.cli import main
from chyan_agent.durable.lock import Lock
from chyan_agent.errors import AgentError, StorageError
from chyan_agent.prompts import Language
from chyan_agent.prompts.said import Said
from chyan_agent.rig.command import main as rig

from . import source

LANGUAGES: tuple[Language, Language] = ("zh", "en")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
DELIBERATE = {
    name
    for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, AgentError)
}


def said() -> Iterator[tuple[str, Said]]:
    """Yield every text in both languages, with its name."""
    for module in pkgutil.iter_modules(prompts.__path__, f"{prompts.__name__}."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Said):
                yield f"{module.name.rpartition('.')[2]}.{name}", value


SAID = dict(said())


@pytest.mark.parametrize("name", SAID)
def test_a_text_is_whole_in_both_languages(name: str) -> None:
    """Chinese is Chinese, English is not, and both have the same fields to fill in."""
    text = SAID[name]
    assert CHINESE.search(text.zh) and text.en and text.en.replace("…", "").isascii()
    if not text.en.count('{"'):
        assert _fields(text.zh) == _fields(text.en)


def _fields(text: str) -> set[tuple[str | None, str | None, str | None]]:
    return {found[1:] for found in string.Formatter().parse(text) if found[1] is not None}


def test_a_text_is_filled_in_each_language() -> None:
    """A value in both languages goes to its own; braces in a value stay as they are."""
    inner = Said("open", "打开")
    filled = Said("can't {what} {path}", "无法{what} {path}").of(what=inner, path="{x}")
    assert filled == Said("can't open {x}", "无法打开 {x}")
    assert str(filled) == filled.text("en") == "can't open {x}" and filled.text("zh") == filled.zh


def test_an_error_speaks_both_languages() -> None:
    """For logs it is English; a plain text is the same to every reader."""
    error = StorageError(Said("full", "满了"), hint=Said("free space", "腾出空间"))
    assert (str(error), error.hint) == ("full", "free space")
    assert (error.message_in("zh"), error.hint_in("zh")) == ("满了", "腾出空间")
    plain = StorageError("HTTP 500")
    assert [plain.message_in(language) for language in LANGUAGES] == ["HTTP 500"] * 2
    assert plain.hint == plain.hint_in("zh") == ""


@pytest.mark.parametrize("path", source.modules(), ids=source.name)
def test_no_error_is_worded_where_it_is_raised(path: Path) -> None:
    """The words of an error come from `prompts`, so none can be in one language only."""
    made = (node for node in ast.walk(source.tree(path)) if isinstance(node, ast.Call))
    worded = [
        f"line {call.lineno}"
        for call in made
        if ast.unparse(call.func) in DELIBERATE
        and any(map(_literal, [*call.args, *(keyword.value for keyword in call.keywords)]))
    ]
    assert not worded


def _literal(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


# ── wrong uses, as a user sees them ──


def _file(name: str, text: str | bytes) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())


def _toml(text: str) -> Callable[[], None]:
    return lambda: _file("config.toml", text)


WRONG: dict[str, tuple[Callable[[], None], list[str], int]] = {
    "unknown option": (lambda: None, ["--bogus"], 2),
    "no value": (lambda: None, ["--model"], 2),
    "value of a flag": (lambda: None, ["--offline=1"], 2),
    "two questions": (lambda: None, ["one", "two"], 2),
    "bad number": (lambda: None, ["--limit", "10k"], 2),
    "no such session": (lambda: None, ["--session", "typo", "--rebuild-context"], 2),
    "nothing to resume": (lambda: None, ["--session", "typo", "--resume-from-turn", "5"], 2),
    "a NUL": (_toml('data_dir = "a\\u0000b"'), ["1+1"], 2),
    "bad session": (lambda: None, ["--session", "../x", "1+1"], 2),
    "with a question": (lambda: None, ["--rebuild-context", "1+1"], 2),
    "no configuration": (lambda: None, ["--config", "none.toml", "1+1"], 2),
    "no TOML": (_toml("[llm\n"), ["1+1"], 2),
    "no UTF-8": (lambda: _file("config.toml", b"a = '\xff'"), ["1+1"], 2),
    "unknown key": (_toml("[llm]\nmodle = 'x'"), ["1+1"], 2),
    "unknown section": (_toml("[model]\nname = 'x'"), ["1+1"], 2),
    "no section": (_toml("llm = 3"), ["1+1"], 2),
    "wrong type": (_toml("[context]\ncontext_limit = '10k'"), ["1+1"], 2),
    "out of range": (_toml("[context]\nmax_steps = 0"), ["1+1"], 2),
    "no such strategy": (lambda: None, ["--strategy", "best", "1+1"], 2),
    "no URL": (lambda: None, ["--base-url", "localhost", "1+1"], 2),
    "no model": (lambda: None, ["--model", " ", "1+1"], 2),
    "nothing left": (lambda: None, ["--limit", "3000", "1+1"], 2),
    "impossible budget": (lambda: None, ["--limit", "4500", "1+1"], 2),
    "no vocabulary": (_toml("[context]\ntokenizer = 'x.tiktoken'"), ["--offline", "1+1"], 2),
    "own files": (lambda: None, ["--workspace", "data", "1+1"], 2),
    "file is there": (_toml(""), ["--write-config", "config.toml"], 2),
    "no folder": (lambda: None, ["--write-config", "no/config.toml"], 2),
    "no such turn": (lambda: None, ["--resume-from-turn", "3"], 2),
    "no transcript": (lambda: _file("data/conversation.jsonl", "a,b\n"), ["1+1"], 4),
    "no notes": (lambda: _file("data/memories.jsonl", "torn"), ["1+1"], 4),
    "no directory": (lambda: _file("data", ""), ["1+1"], 5),
    "empty question": (lambda: None, [" "], 2),
}


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start in an empty folder, with a terminal of neither language."""
    monkeypatch.chdir(tmp_path)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def failed(argv: list[str], out: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Return the exit code of a command, and message and hint of the error that it ends with."""
    code = main(["--json", *argv])
    error = json.loads(out.readouterr().out.splitlines()[-1])
    assert (error["event"], error["exit_code"]) == ("error", code)
    return code, error["message"], error["hint"]


@pytest.mark.usefixtures("_folder")
@pytest.mark.parametrize("use", WRONG)
def test_a_wrong_use_is_answered_in_the_reader_s_language(
    use: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Message and hint are both Chinese or both English, whatever else is in them."""
    prepare, argv, code = WRONG[use]
    prepare()
    for language in LANGUAGES:
        found, message, hint = failed(["--language", language, *argv], capsys)
        assert found == code
        assert bool(CHINESE.search(message)) == (language == "zh"), message
        assert bool(CHINESE.search(hint)) == (language == "zh"), hint


@pytest.mark.usefixtures("_folder")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_file_is_reported_in_the_language_it_asks_for(
    language: Language, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It wins over the locale and yields to the command line; if unreadable it asks for nothing."""
    other, locale = ("en", "en_GB") if language == "zh" else ("zh", "zh_CN")
    monkeypatch.setenv("LANG", locale)
    text = f"language = '{language}'\n[llm]\nmodle = 'x'"
    for written, argv, spoken in (
        (text, [], language),
        (text, ["--language", other], other),
        (f"{text}\n[", [], other),
        (text.replace(language, "fr"), [], other),
    ):
        _file("config.toml", written)
        _, message, hint = failed([*argv, "1+1"], capsys)
        assert [bool(CHINESE.search(said)) for said in (message, hint)] == [spoken == "zh"] * 2


@pytest.mark.usefixtures("_folder")
def test_a_held_session_is_told_in_the_reader_s_language(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """On the terminal title, message and hint are of one language."""
    with Lock(Path("data")):
        for language in LANGUAGES:
            assert main(["--language", language, "1+1"]) == 6
            said = capsys.readouterr().err
            assert "data/.lock" in said and "--session" in said
            assert bool(CHINESE.search(said)) == (language == "zh")


@pytest.mark.usefixtures("_folder")
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_recovery_found_is_told_in_the_reader_s_language(
    language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    """Torn tails of transcript and notes are set aside and reported, in a chat and by a rebuild."""
    argv = ["--language", language, "--offline"]
    assert main([*argv, "remember that tea is green"]) == 0
    for name in ("conversation", "memories"):
        with Path(f"data/{name}.jsonl").open("ab") as file:
            file.write(b'{"torn')
    capsys.readouterr()
    assert main([*argv, "1+1"]) == 0
    found = [line for line in capsys.readouterr().err.splitlines() if "quarantine" in line]
    assert [line.partition(".")[0] for line in found] == ["conversation", "memories"]
    assert all(bool(CHINESE.search(line)) == (language == "zh") for line in found)
    assert main([*argv, "--rebuild-context"]) == 0
    assert bool(CHINESE.search(capsys.readouterr().out)) == (language == "zh")


@pytest.mark.usefixtures("_folder")
def test_a_chat_answers_wrong_commands_in_its_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """/rewind to a turn that isn't there names those that are, and the chat goes on."""
    for language in LANGUAGES:
        monkeypatch.setattr(sys, "stdin", io.StringIO("1+1\n/rewind 9\n"))
        data = ["--data-dir", language]
        assert main(["--language", language, "--offline", *data]) == 2
        said = capsys.readouterr().err
        assert "1" in said and bool(CHINESE.search(said)) == (language == "zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stress_run_says_in_its_language_why_it_can_not_start(
    language: Language, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder with foreign files, a dialogue that is none, a place where no folder can be."""
    thesis = tmp_path / "run" / "thesis.txt"
    thesis.parent.mkdir()
    thesis.write_text("years", encoding="utf-8")
    argv = ["--language", language, "--output", str(tmp_path)]
    for more in ([], ["--dialogue", str(tmp_path / "none")]):
        assert rig([*argv, *more]) == 2
        message, hint = capsys.readouterr().err.strip().splitlines()
        for text in (message, hint):
            assert bool(CHINESE.search(text)) == (language == "zh")
    assert rig([*argv, "--output", str(thesis / "out")]) == StorageError.exit_code
    assert bool(CHINESE.search(capsys.readouterr().err)) == (language == "zh")
