"""Settings: what is read, what is refused, and with which words."""

import errno
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent import config
from chyan_agent.config import Config, ContextConfig, LlmConfig
from chyan_agent.config.check import build, keys
from chyan_agent.config.file import config_text
from chyan_agent.errors import ConfigError
from chyan_agent.prompts import Language

ROOT = Path(__file__).parents[1]
LANGUAGES: tuple[Language, ...] = ("zh", "en")
ARTICLE = '''
[llm]
base_url = "https://api.openai.com/v1"
api_key = "sk-xxx"
model = "gpt-4o-mini"

[context]
context_limit = 10000
reserved_tokens = 3500
max_recent_turns = 2
summary_ratio = 0.3

system_prompt = """\\
你是一个轻量助手。
需要时使用 recall 工具。"""
'''


def load(tmp_path: Path, text: str, **environ: str) -> Config:
    """Load a file of this text."""
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    return config.load(path, environ=environ, overrides={})


def refused(tmp_path: Path, text: str) -> ConfigError:
    """Load a file of this text, which must be refused; return the error."""
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    assert caught.value.hint
    return caught.value


def test_without_a_file_the_settings_are_the_defaults() -> None:
    """No file, no environment, no options: the defaults."""
    assert config.load(None, environ={}, overrides={}) == Config()


def test_a_file_as_in_the_guide_is_read(tmp_path: Path) -> None:
    """Sections, numbers and a prompt that was pasted below [context] all arrive."""
    read = load(tmp_path, ARTICLE)
    assert read.llm.api_key == "sk-xxx"
    assert read.context == ContextConfig()
    assert read.system_prompt.startswith("你是一个轻量助手。\n")


def test_a_prompt_given_twice_is_refused(tmp_path: Path) -> None:
    """Two system prompts can't both hold."""
    assert "twice" in str(refused(tmp_path, 'system_prompt = "a"\n' + ARTICLE))


def test_environment_beats_file_and_command_line_beats_both(tmp_path: Path) -> None:
    """Precedence rises from file to environment to command line; absent options don't count."""
    path = tmp_path / "config.toml"
    path.write_text(ARTICLE, encoding="utf-8")
    environ = {"OPENAI_API_KEY": "sk-env\n", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
    overrides = {"llm.base_url": "http://[::1]:2/v1", "llm.model": None, "language": "en"}
    read = config.load(path, environ=environ, overrides=overrides)
    assert (read.llm.api_key, read.llm.base_url) == ("sk-env", "http://[::1]:2/v1")
    assert (read.llm.model, read.language) == ("gpt-4o-mini", "en")


def test_an_empty_variable_does_not_erase_the_file(tmp_path: Path) -> None:
    """A variable that is set to nothing counts as not set."""
    assert load(tmp_path, ARTICLE, OPENAI_API_KEY=" ").llm.api_key == "sk-xxx"


@pytest.mark.parametrize(
    ("text", "key", "value", "hint"),
    [
        ("[llm]\nmodle = 'x'", "llm.modle", "'x'", "llm.model"),
        ("model = 'x'", "model", "'x'", "llm.model"),
        ("[llm]\nmax_steps = 3", "llm.max_steps", "3", "context.max_steps"),
        ("[memory]\nzzz = 3", "memory.zzz", "3", "memory.top_k"),
        ("colour = 1", "colour", "1", "language"),
        ("[contxt]\na = 1", "contxt", "", "context"),
        ("llm = 3", "llm", "3", "[llm]"),
        ("[context]\ncontext_limit = '10k'", "context.context_limit", "'10k'", "whole number"),
        ("[context]\ncontext_limit = 1e4", "context.context_limit", "10000.0", "whole number"),
        ("[context]\ncontext_limit = true", "context.context_limit", "True", "whole number"),
        ("[context]\nmax_steps = 0", "context.max_steps", "0", "from 1 to 1,000"),
        ("[context]\nsummary_ratio = nan", "context.summary_ratio", "nan", "0.9"),
        ("[llm]\nread_timeout = inf", "llm.read_timeout", "inf", "3,600"),
        ("[llm]\nread_timeout = 1" + "0" * 400, "llm.read_timeout", "characters", "3,600"),
        ("[llm]\nmodel = ' '", "llm.model", "' '", "model"),
        ("[llm]\nmodel = 2026-01-01", "llm.model", "2026", "text in quotes"),
        ("[llm]\nbase_url = 'localhost:80'", "llm.base_url", "localhost:80", "http://"),
        ("[llm]\nbase_url = 'http://a:b/v1'", "llm.base_url", "http://a:b", "http://"),
        ("[context]\nstrategy = 'best'", "context.strategy", "'best'", "layered"),
        ("[context]\nstrategy = ['full']", "context.strategy", "['full']", "layered"),
        ("[context]\ntokenizer = 'gpt2'", "context.tokenizer", "'gpt2'", "o200k_base"),
        ("[tools]\ntruncate = 'middle'", "tools.truncate", "'middle'", "auto, head, tail"),
        ("language = 'fr'", "language", "'fr'", "zh, en"),
        ("[context]\nreserved_tokens = 10000", "reserved_tokens", "10000", "lower"),
    ],
)
def test_a_wrong_setting_names_key_value_and_way_out(
    tmp_path: Path, text: str, key: str, value: str, hint: str
) -> None:
    """Every refusal says what was set, to what, and what would do instead."""
    error = refused(tmp_path, text)
    assert key in str(error)
    assert value in str(error)
    assert hint in error.hint
    assert error.exit_code == 2


@pytest.mark.parametrize(
    "text",
    ["[llm]\napi_key = 123456789", "[llm]\napi_keey = '123456789'", "api_key = '123456789'"]
    + ["[llm]\napi_key = '123456789\u4e2d'", "[llm]\nkey = '123456789'"],
)
def test_no_error_shows_a_key(tmp_path: Path, text: str) -> None:
    """A key that is misplaced, misspelt or malformed is refused without being shown."""
    error = refused(tmp_path, text)
    assert "123456789" not in f"{error} {error.hint}"


def test_the_settings_can_be_printed_without_the_key() -> None:
    """A key never stands in a repr."""
    assert "sk-secret" not in repr(Config(llm=LlmConfig(api_key="sk-secret")))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"[llm\nmodel = 1", "line 1"),
        (b"a = 1\nb = \n", "line 2"),
        (b"a = " + b"[" * 100_000, "not TOML"),
        (b"a = " + b"9" * 5_000, "not TOML"),
        ("language = '中'".encode("gbk"), "not UTF-8"),
        ("language = 'zh'".encode("utf-16"), "not UTF-8"),
    ],
)
def test_a_file_that_is_not_toml_is_refused(tmp_path: Path, data: bytes, why: str) -> None:
    """Broken syntax or encoding is an error that says where."""
    path = tmp_path / "config.toml"
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=why) as caught:
        config.load(path, environ={}, overrides={})
    assert caught.value.hint


def test_a_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    """Editors that put a mark before the text are forgiven."""
    assert load(tmp_path, "\ufefflanguage = 'en'").language == "en"


@pytest.mark.parametrize("name", ["missing.toml", "."])
def test_a_file_that_can_not_be_read_is_refused(tmp_path: Path, name: str) -> None:
    """A missing file and a folder are errors with the path in them."""
    with pytest.raises(ConfigError, match="can't read") as caught:
        config.load(tmp_path / name, environ={}, overrides={})
    assert "--write-config" in caught.value.hint


@given(
    st.dictionaries(
        st.sampled_from(list(keys())) | st.text(max_size=12),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text()),
        max_size=5,
    )
)
def test_any_values_make_settings_or_a_refusal(values: dict[str, object]) -> None:
    """Whatever is set, the outcome is a Config or a ConfigError with a hint."""
    try:
        assert isinstance(build(values), Config)
    except ConfigError as error:
        assert error.hint


def test_a_budget_that_leaves_no_conversation_is_refused() -> None:
    """Prompt, tools, reserve and the least conversation have to fit, and the numbers are named."""
    settings = Config(context=ContextConfig(context_limit=5000, reserved_tokens=3500))
    config.check_budget(settings, 900)
    with pytest.raises(ConfigError, match=r"impossible budget: .*5000.*901.*3500.*5001") as caught:
        config.check_budget(settings, 901)
    assert "5001" in caught.value.hint


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_written_file_loads_to_the_defaults(tmp_path: Path, language: Language) -> None:
    """A fresh file changes nothing, mentions every key, and only its owner can read it."""
    path = tmp_path / "new.toml"
    config.write_config(path, language)
    text = path.read_text(encoding="utf-8")
    assert config.load(path, environ={}, overrides={}) == Config(language=language)
    assert all(f"{name.rpartition('.')[2]} = " in text for name in keys())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    """Writing where a file is, or where there is no folder, is refused and changes nothing."""
    path = tmp_path / "mine.toml"
    path.write_text("language = 'en'", encoding="utf-8")
    with pytest.raises(ConfigError, match="exists") as caught:
        config.write_config(path, "zh")
    assert caught.value.hint
    assert path.read_text(encoding="utf-8") == "language = 'en'"
    with pytest.raises(ConfigError, match="can't write"):
        config.write_config(tmp_path / "no" / "folder.toml", "zh")


def test_what_could_not_be_written_whole_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk nothing is left that would load, or keep a second try from its place."""

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(ConfigError, match="No space left"):
        config.write_config(tmp_path / "c.toml", "en")
    monkeypatch.undo()
    config.write_config(tmp_path / "c.toml", "en")


def test_the_file_in_the_repository_is_the_written_one() -> None:
    """config.toml is what --write-config gives, so it can't fall behind the code."""
    assert (ROOT / "config.toml").read_text(encoding="utf-8") == config_text("zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_has_a_row_for_every_key(language: Language) -> None:
    """The table of the guides describes each key once."""
    rows = config.config_table(language).splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == list(keys())
    assert all(row.count("|") == 4 for row in rows)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_key_that_others_can_read_is_warned_of(tmp_path: Path, language: Language) -> None:
    """A file with a key in it should be its owner's alone; without a key it may be open."""
    path = tmp_path / "config.toml"
    path.write_text(f"language = '{language}'\n[llm]\napi_key = 'sk-0123456789'", encoding="utf-8")
    path.chmod(0o644)
    settings = config.load(path, environ={}, overrides={})
    (warning,) = config.warnings(settings, path)
    assert "0644" in warning
    assert "sk-0123456789" not in warning
    path.chmod(0o600)
    assert not config.warnings(settings, path)
    path.write_text("", encoding="utf-8")
    path.chmod(0o644)
    assert not config.warnings(settings, path)


@pytest.mark.parametrize(
    ("url", "clear"),
    [
        ("http://api.example.com/v1", True),
        ("http://8.8.8.8/v1", True),
        ("http://[2606:4700::1]/v1", True),
        ("https://api.example.com/v1", False),
        ("http://localhost:8000/v1", False),
        ("http://127.0.0.1:11434/v1", False),
        ("http://[::1]:1/v1", False),
        ("http://192.168.1.7/v1", False),
        ("http://ollama:11434/v1", False),
        ("http://box.local/v1", False),
        ("", False),
    ],
)
def test_plain_http_to_far_hosts_is_warned_of(url: str, clear: bool) -> None:
    """Keys should not travel in the clear, except on this machine and its network."""
    settings = Config(llm=LlmConfig(base_url=url))
    assert bool(config.warnings(settings, None)) == clear
