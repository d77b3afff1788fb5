"""Rows 19, 23-25 and 28 of the threat table: keys stay where they belong, files are private."""

import json
import logging
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chyan_agent import config, log
from chyan_agent.build import build
from chyan_agent.cli import main
from chyan_agent.config import Config, LlmConfig, LogConfig
from chyan_agent.config.trust import is_tracked
from chyan_agent.errors import AgentError, ConfigError, ModelRefused
from chyan_agent.llm.bounds import same_server

from . import source
from .agents import agent_on, ask, calls, configured, kinds, says
from .servers import DONE, Script, Seen, answering, delta, event, failing

KEY = "sk-live-0123456789abcdef"
OTHER = "tok-9876543210fedcba"
MAIN = str(source.ROOT / "main.py")
Out = pytest.CaptureFixture[str]


def files(folder: Path) -> dict[str, bytes]:
    """Return everything that was written below a folder, but for the settings and the key ring."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".toml")
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def leaks(folder: Path, *said: str) -> list[str]:
    """Return which files, and which of the texts said, hold one of the keys."""
    texts = files(folder) | {f"said {n}": text.encode() for n, text in enumerate(said)}
    keys = (KEY.encode(), OTHER.encode(), PLAIN.encode())
    return [name for name, data in texts.items() if any(key in data for key in keys)]


PLAIN = "c0ffee0123456789"
"""A key that doesn't look like one."""
ECHO = f"Incorrect API key provided: {KEY}, {PLAIN}. You sent 'Bearer {OTHER}' to /v1?key={KEY}"
REFUSALS = {
    "401": failing(401, {"error": {"message": ECHO, "code": "invalid_api_key"}}),
    "401 in plain text": failing(401, ECHO),
    "401 in html": failing(401, f"<html><body>{ECHO}</body></html>"),
    "403": failing(403, {"detail": ECHO}),
    "400": failing(400, {"error": {"message": ECHO}}),
    "500": failing(500, {"error": ECHO}),
    "429": failing(429, {"error": {"message": ECHO, "type": OTHER}}, Retry_After="0"),
    "in the stream": Script([event({"error": {"message": ECHO}}), DONE]),
    "no json": Script([ECHO.encode()]),
    "garbled": Script([b"data: " + ECHO.encode() + b"\n\n"]),
    "cut off": Script([event(delta(content="an answer that")), ECHO.encode()], cut=True),
}


@pytest.mark.parametrize("refusal", REFUSALS)
def test_row_23_a_key_that_an_endpoint_repeats(
    tmp_path: Path, refusal: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Row 23: an answer that quotes the key, its header and a URL leaves it in no file of ours."""
    log.setup(LogConfig(level="DEBUG"), tmp_path / "data", secrets=[PLAIN], console=True)
    try:
        settings = {"llm__api_key": PLAIN, "llm__max_retries": 1, "llm__backoff_base": 0.001}
        script = REFUSALS[refusal]
        with agent_on(tmp_path, script, script, script, **settings) as (agent, _):
            said = ""
            try:
                ask(agent, "question")
            except AgentError as error:
                said = f"{error} {error.hint_in('en')} {error!r}"
            logging.getLogger("chyan_agent.x").debug(
                "headers %s", {"Authorization": f"Bearer {KEY}"}
            )
            logging.getLogger("chyan_agent.x").error("url http://h/v1?key=%s&x=1", KEY)
            logging.getLogger("openai").warning("Authorization: Bearer %s", OTHER)
            logging.getLogger("openai").warning("sent %r", {"x": [PLAIN]})
    finally:
        log.close()
    assert said or refusal == "none"
    out, err = capfd.readouterr()
    assert leaks(tmp_path, said, out, err) == []
    assert b"***" in files(tmp_path)["data/agent.log"]


@pytest.mark.parametrize("place", ["url", pytest.param("file", marks=pytest.mark.slow)])
def test_row_23_a_whole_run_leaves_no_key(tmp_path: Path, place: str) -> None:
    """Row 23: after a run with DEBUG logs that fails with 401, no file or stream holds the key."""
    with answering(lambda seen: REFUSALS["401"]) as server:
        url = server.url
        if place == "url":
            url = url.replace("//", f"//user:{OTHER}@") + f"?key={OTHER}"
        own = f'api_key = "{PLAIN}"\n' if place == "file" else ""
        path = tmp_path / "c.toml"
        path.write_text(f'[llm]\nbase_url = "{url}"\n{own}[log]\nlevel = "DEBUG"\n')
        path.chmod(0o600)
        environ = os.environ | ({} if own else {"OPENAI_API_KEY": PLAIN}) | {"OPENAI_LOG": "debug"}
        done = subprocess.run(
            [sys.executable, MAIN, "--config", str(path), "--language", "en", "question"],
            cwd=tmp_path,
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert server.requests
    assert done.returncode == 7, done.stderr
    assert leaks(tmp_path, done.stdout, done.stderr) == []
    assert "data/conversation.jsonl" in files(tmp_path)


def test_row_23_a_bug_report_is_masked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    """Row 23: the traceback of a bug goes to stderr and to the log without the key."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def broken(*arguments: object) -> None:
        raise RuntimeError(f"client with api_key={OTHER!r} and {KEY} failed: Bearer {OTHER}")

    monkeypatch.setattr("chyan_agent.cli.run.Run.go", broken)
    assert main(["question"]) == 70
    assert leaks(tmp_path, *capsys.readouterr()) == []


def test_row_23_settings_are_shown_without_the_key() -> None:
    """Row 23: neither the representation of settings nor an error about them shows a key."""
    assert KEY not in repr(Config(llm=LlmConfig(api_key=KEY)))
    for wrong in ({"llm.api_key": [KEY]}, {"llm.apikey": KEY}, {"api_key": KEY}):
        with pytest.raises(ConfigError) as raised:
            config.load(None, environ={}, overrides=wrong)
        assert KEY not in f"{raised.value}{raised.value.hint_in('zh')}{raised.value!r}"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_row_25_a_redirect_takes_nothing_along(tmp_path: Path, status: int) -> None:
    """Row 25: an endpoint that sends us to another server has neither key nor talk sent there."""
    with answering(lambda seen: says("stolen")) as thief:

        def away(seen: Seen) -> Script:
            return Script([], status, [("Location", f"{thief.url}/chat/completions")])

        with (
            answering(away) as server,
            build(configured(tmp_path, server.url, llm__api_key=KEY)) as agent,
            pytest.raises(ModelRefused, match="redirects|转到") as raised,
        ):
            ask(agent, "question")
    assert thief.requests == []
    assert thief.url.partition("/v1")[0] in str(raised.value) and raised.value.hint


@pytest.mark.parametrize(
    ("here", "there", "same"),
    [
        ("http://a/v1", "http://a:80/v2", True),
        ("http://a/v1", "https://A/v1", True),
        ("http://a:8080/v1", "https://a:8080/v1", True),
        ("https://a/v1", "https://a:443/v2", True),
        ("https://a/v1", "http://a/v1", False),
        ("https://a/v1", "http://a:443/v1", False),
        ("http://a:8080/v1", "https://a/v1", False),
        ("http://a/v1", "http://a:443/v1", False),
        ("http://a/v1", "http://b/v1", False),
        ("http://a/v1", "http://a:x/v1", False),
    ],
)
def test_row_25_what_is_the_same_server(here: str, there: str, same: bool) -> None:
    """Row 25: host and port are; http may become https, and https never http on any port."""
    assert same_server(here, there) == same


@pytest.mark.parametrize("status", [307, 308])
def test_row_25_a_redirect_on_the_same_server_is_followed(tmp_path: Path, status: int) -> None:
    """Row 25: a server that has moved its paths still answers."""

    def moved(seen: Seen) -> Script:
        there = seen.head.startswith(b"POST /new/chat/completions ")
        place = [("Location", "/new/chat/completions")]
        return says("here") if there else Script([], status, place)

    with answering(moved) as server:
        with build(configured(tmp_path, server.url, llm__api_key=KEY)) as agent:
            assert kinds(ask(agent, "question"))[-1] == "Answered"
        assert len(server.requests) == 2


@contextmanager
def agent_at(folder: Path, url: str) -> Iterator[Callable[[], None]]:
    """Yield a function that asks an agent, whatever comes of it."""
    settings = configured(folder, url, llm__api_key=KEY)
    with build(settings) as agent:

        def run() -> None:
            try:
                ask(agent, "question")
            except AgentError:
                return

        yield run


# ── row 24: the file that holds a key ──


@pytest.mark.parametrize(
    ("mode", "open_"), [(0o600, 0), (0o400, 0), (0o640, 1), (0o604, 1), (0o644, 1)]
)
def test_row_24_a_key_that_others_can_read(tmp_path: Path, mode: int, open_: int) -> None:
    """Row 24: a settings file with a key and open to others is warned of, without the key."""
    path = tmp_path / "config.toml"
    path.write_text(f'[llm]\napi_key = "{KEY}"\n')
    path.chmod(mode)
    found = config.warnings(config.load(path, environ={}, overrides={}), path)
    assert len(found) == open_
    assert KEY not in "".join(found)


def git(folder: Path, *arguments: str) -> None:
    """Run git, which must know nobody's settings."""
    environ = {**os.environ, "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    person = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.org",
        "-c",
        "init.defaultBranch=main",
    )
    subprocess.run(
        ["git", *person, *arguments], cwd=folder, env=environ, check=True, capture_output=True
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a file in a folder, which is not tracked yet."""
    try:
        git(tmp_path, "init", "-q", "repo")
    except FileNotFoundError:
        pytest.skip("no git here")
    path = tmp_path / "repo" / "sub" / "config.toml"
    path.parent.mkdir()
    path.write_text(f'[llm]\napi_key = "{KEY}"\n')
    path.chmod(0o600)
    return path


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_row_24_a_key_that_git_tracks(repository: Path, version: str) -> None:
    """Row 24: a tracked settings file with a key is warned of; an ignored one is not."""
    folder = repository.parent.parent
    (folder / "sub" / "config.toml.example").write_text("")
    (folder / "config.toml").write_text("")
    git(folder, "add", "sub/config.toml.example", "config.toml")
    assert config.warnings(config.load(repository, environ={}, overrides={}), repository) == []
    git(folder, "add", "sub/config.toml")
    if version == "3":
        git(folder, "update-index", "--skip-worktree", "sub/config.toml")
    git(folder, "update-index", "--index-version", version)
    (found,) = config.warnings(config.load(repository, environ={}, overrides={}), repository)
    assert "git" in found
    assert KEY not in found
    git(folder, "update-index", "--no-skip-worktree", "sub/config.toml")
    git(folder, "rm", "-q", "--cached", "sub/config.toml")
    assert not is_tracked(repository)


def test_row_24_a_linked_work_tree_has_its_own_index(repository: Path) -> None:
    """Row 24: in a work tree `.git` is a file that says where the index is."""
    folder = repository.parent.parent
    git(folder, "add", "sub/config.toml")
    git(folder, "commit", "-q", "-m", "x")
    git(folder, "worktree", "add", "-q", "../tree")
    assert is_tracked(folder.parent / "tree" / "sub" / "config.toml")
    assert not is_tracked(folder.parent / "tree" / "sub" / "other.toml")


@pytest.mark.parametrize("index", [b"", b"DIRC", b"\xff" * 5000, b"config.toml\0" * 3])
def test_row_24_a_spoiled_index_is_no_fault(tmp_path: Path, index: bytes) -> None:
    """Row 24: whatever a repository's files hold, looking for a name in them ends."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "index").write_bytes(index)
    assert not is_tracked(tmp_path / "config.toml")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / ".git").write_bytes(index)
    assert not is_tracked(tmp_path / "a" / "config.toml")


# ── row 25: settings from the workspace ──


FOREIGN = '[llm]\nbase_url = "https://evil.example/v1"\n[tools]\nworkspace = "."\n'


def test_row_25_settings_of_the_workspace_send_no_key_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    """Row 25: a file that lay in the workspace can't direct the user's key to a host of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    Path("config.toml").write_text(FOREIGN)
    assert main(["--language", "en", "question"]) == 2
    said = "".join(capsys.readouterr())
    assert "https://evil.example/v1" in said
    assert "--config" in said
    assert leaks(tmp_path, said) == []
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    ("text", "named", "environ", "overrides", "believed"),
    [
        (FOREIGN, False, {"OPENAI_API_KEY": KEY}, {}, False),
        (FOREIGN, False, {}, {"llm.api_key": KEY}, False),
        (FOREIGN, True, {"OPENAI_API_KEY": KEY}, {}, True),
        (FOREIGN, False, {}, {}, True),
        (FOREIGN, False, {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "https://a.example"}, {}, True),
        (FOREIGN, False, {"OPENAI_API_KEY": KEY}, {"tools.workspace": "elsewhere"}, True),
        (FOREIGN.replace("[llm]", f'[llm]\napi_key = "{KEY}"'), False, {}, {}, True),
        (FOREIGN.replace("https://evil.example", "http://127.0.0.1:8000"), False,
         {"OPENAI_API_KEY": KEY}, {}, True),
        ("", False, {"OPENAI_API_KEY": KEY}, {"tools.workspace": "."}, True),
    ],
)  # fmt: skip
def test_row_25_when_a_file_is_believed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    named: bool,
    environ: dict[str, str],
    overrides: dict[str, object],
    believed: bool,
) -> None:
    """Row 25: only an endpoint of a file that the user did not name, with a key not its own, is."""
    monkeypatch.chdir(tmp_path)
    path = Path("config.toml")
    path.write_text(text)
    if believed:
        config.load(path, environ=environ, overrides=overrides, named=named)
    else:
        with pytest.raises(ConfigError, match="workspace"):
            config.load(path, environ=environ, overrides=overrides, named=named)


def test_row_25_a_tool_plants_no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 25: in a workspace that is the current folder a model can't write the next settings."""
    monkeypatch.chdir(tmp_path)
    planted = calls(("write", {"path": "config.toml", "content": FOREIGN}))
    answers = iter([planted, says("done")])
    with answering(lambda seen: next(answers)) as server:
        code = main(["--base-url", server.url, "--workspace", ".", "--language", "en", "question"])
    assert code == 0
    assert not Path("config.toml").exists()
    assert b"this path is protected" in files(tmp_path)["data/conversation.jsonl"]


@pytest.mark.parametrize(
    ("url", "key", "warned"),
    [
        ("http://192.168.1.7/v1", KEY, True),
        ("http://192.168.1.7/v1", "", False),
        ("http://ollama:11434/v1", KEY, True),
        ("http://127.0.0.1:1/v1", KEY, False),
        ("http://[::1]:1/v1", KEY, False),
        ("http://localhost/v1", KEY, False),
        ("http://127.0.0.1.evil.example/v1", KEY, True),
        ("http://localhost.evil.example/v1", "", True),
        ("https://api.example.com/v1", KEY, False),
    ],
)
def test_row_25_a_key_over_plain_http(url: str, key: str, warned: bool) -> None:
    """Row 25: with a key plain http is warned of for every host but this machine."""
    settings = Config(llm=LlmConfig(base_url=url, api_key=key))
    assert bool(config.warnings(settings, None)) == warned


# ── rows 19 and 28 ──


def test_row_19_all_state_is_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    """Row 19: with umask 000 every file of ours is 0600, every folder 0700."""
    monkeypatch.chdir(tmp_path)
    Path("c.toml").write_text('data_dir = "a/b/data"\n[log]\nlevel = "DEBUG"\n')
    script = iter([calls(("remember", {"content": "the port is 8080"})), says("ok")] * 2)
    before = os.umask(0)
    try:
        with answering(lambda seen: next(script)) as server:
            for session in ("main", "other"):
                given = ["--config", "c.toml", "--base-url", server.url, "--session", session]
                assert main([*given, "question"]) == 0
        logging.getLogger("chyan_agent").debug("x")
        assert main(["--write-config", "made.toml"]) == 0
        with Path("a/b/data/conversation.jsonl").open("ab") as log_file:
            log_file.write(b"torn")
        assert main(["--config", "c.toml", "--rebuild-context"]) == 0
    finally:
        os.umask(before)
    state = [*Path("a").rglob("*"), Path("a"), Path("made.toml")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in state if path.is_file()} == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in state if path.is_dir()} == {0o700}
    assert len(state) > 8


def test_row_19_a_log_that_comes_first_is_private(tmp_path: Path) -> None:
    """Row 19: the folders that the log has to make are as private as those of the transcript."""
    before = os.umask(0)
    log.setup(LogConfig(), tmp_path / "a" / "b" / "data", secrets=[], console=False)
    try:
        logging.getLogger("chyan_agent").warning("x")
    finally:
        log.close()
        os.umask(before)
    made = [tmp_path / "a", *(tmp_path / "a").rglob("*")]
    assert [stat.S_IMODE(path.stat().st_mode) for path in made] == [0o700, 0o700, 0o700, 0o600]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_row_28_no_text_makes_an_entry(tmp_path: Path, end: str) -> None:
    """Row 28: whatever ends a line for somebody ends none in the log or the transcript."""
    forged = f'x{end}2026-01-01 00:00:00,000 ERROR chyan_agent: forged{end}{{"turn":9}}{end}'
    log.setup(LogConfig(level="DEBUG"), tmp_path / "data", secrets=[KEY], console=False)
    script = [calls(("write", {"path": forged, "content": forged})), says(forged)]
    try:
        with agent_on(tmp_path, *script) as (agent, _):
            ask(agent, forged)
        logging.getLogger("chyan_agent").error("path %s", forged)
    finally:
        log.close()
    written = files(tmp_path)
    lines = written["data/conversation.jsonl"].split(b"\n")[:-1]
    assert [json.loads(line)["seq"] for line in lines] == list(range(1, len(lines) + 1))
    entries = written["data/agent.log"].decode()
    assert entries.count("\n") == len(entries.splitlines())
    assert not [line for line in entries.splitlines() if line.startswith("2026-01-01 00:00:00,000")]
