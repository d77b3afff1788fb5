"""The log: private, masked, one entry a line, and never in the way."""

import logging
import os
import resource
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from chyan_agent import log
from chyan_agent.config import LogConfig

KEY = "sk-0123456789abcdef"
logger = logging.getLogger("chyan_agent.test")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    levels = {name: logging.getLogger(name).level for name in (log.OURS, *log.VENDORS)}
    yield
    log.close()
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def start(tmp_path: Path, *, console: bool = False, **settings: object) -> Path:
    """Set the log up in a new folder; return the path of its file."""
    config = LogConfig(**settings)  # type: ignore[arg-type]
    log.setup(config, tmp_path / "data", secrets=[KEY, "", "x"], console=console)
    return tmp_path / "data" / log.NAME


def test_an_entry_is_one_private_line(tmp_path: Path) -> None:
    """Line ends and escapes in a message can't forge an entry; others can't read the file."""
    path = start(tmp_path)
    logger.info("读取 %s", "a.txt\r\n2026-01-01 ERROR forged\x1b[2K\u2028\ud800")
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") == 1
    assert "读取 a.txt\\r\\n2026-01-01 ERROR forged\\x1b[2K\\u2028\\ud800" in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "message",
    [
        f"key {KEY}",
        f"refused: '{KEY}'",
        "Authorization: Bearer abc.def-ghi",
        "{'authorization': 'bearer abc.def-ghi'}",
        "GET /v1?key=abc.def-ghi&x=1",
        '{"api_key": "abc.def-ghi"}',
        "api-key: abc.def-ghi",
    ],
)
def test_no_secret_is_logged(tmp_path: Path, message: str) -> None:
    """The key, authorization headers and key parameters are masked, in arguments as well."""
    path = start(tmp_path)
    logger.warning(message)
    logger.warning("got %s", message)
    text = path.read_text(encoding="utf-8")
    assert text.count("***") == 2
    assert KEY not in text
    assert "abc.def-ghi" not in text


def test_a_traceback_is_masked(tmp_path: Path) -> None:
    """The text of an exception is logged without the key."""
    path = start(tmp_path)
    try:
        raise ValueError(f"bad {KEY}")
    except ValueError:
        logger.exception("failed")
    text = path.read_text(encoding="utf-8")
    assert "ValueError: bad ***" in text
    assert KEY not in text
    assert text.count("\n") == 1


def test_levels_are_obeyed_and_vendors_kept_quiet(tmp_path: Path) -> None:
    """Our level is the configured one; vendors log warnings at most."""
    path = start(tmp_path, level="DEBUG")
    logger.debug("ours")
    logging.getLogger("openai._base_client").debug("body with everything")
    logging.getLogger("httpx2").info("url")
    logging.getLogger("openai").warning("theirs")
    text = path.read_text(encoding="utf-8")
    assert "ours" in text
    assert "theirs" in text
    assert "body" not in text
    assert "url" not in text


def test_a_full_log_is_rotated(tmp_path: Path) -> None:
    """Old entries move aside, as private as before, and no more files are kept than asked."""
    path = start(tmp_path, max_bytes=10_000, backups=1)
    for number in range(400):
        logger.info("entry %d %s", number, "x" * 60)
    files = sorted(path.parent.iterdir())
    assert [file.name for file in files] == ["agent.log", "agent.log.1"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_a_second_setup_replaces_the_first(tmp_path: Path) -> None:
    """Setting up again moves the log, and no entry is written twice."""
    first = start(tmp_path / "a")
    second = start(tmp_path / "b")
    logger.info("once")
    assert not first.exists()
    assert second.read_text(encoding="utf-8").count("once") == 1


def test_a_log_that_can_not_be_written_is_silent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no file can be made the program goes on, and the terminal stays clean."""
    (tmp_path / "data").write_text("a file in the way", encoding="utf-8")
    start(tmp_path)
    logger.error("lost")
    assert capsys.readouterr() == ("", "")


def test_a_disk_that_is_full_ends_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An entry that found no room is still waiting when the log is closed: it is dropped."""
    path = start(tmp_path)
    logger.info("first")
    before, limits = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before), limits[1]))
    try:
        logger.error("second")
        log.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert capsys.readouterr() == ("", "")


def test_the_console_shows_masked_warnings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On request warnings go to stderr too, and nothing below them."""
    start(tmp_path, console=True)
    logger.info("quiet")
    logger.warning("loud %s", KEY)
    shown = capsys.readouterr().err
    assert "loud ***" in shown
    assert "quiet" not in shown


@pytest.mark.timeout(120)
@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_nothing_is_logged_into_what_is_no_file_of_ours(tmp_path: Path, kind: str) -> None:
    """A pipe makes nobody wait, and a link leads nowhere."""
    (tmp_path / "data").mkdir()
    victim, place = tmp_path / "victim", tmp_path / "data" / log.NAME
    victim.write_bytes(b"")
    os.mkfifo(place) if kind == "pipe" else place.symlink_to(victim)
    start(tmp_path)
    logger.error("nobody hears it")
    assert victim.read_bytes() == b""


def test_an_open_log_is_made_private_again(tmp_path: Path) -> None:
    """What a restored backup left to everybody is taken back."""
    (tmp_path / "data").mkdir()
    place = tmp_path / "data" / log.NAME
    place.touch(0o644)
    start(tmp_path)
    logger.error("said")
    assert place.stat().st_mode & 0o777 == 0o600
