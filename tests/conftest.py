"""What every test has: no key from the machine, no network beyond loopback, repeatable examples."""

import ipaddress
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "chyan",
    deadline=None,
    derandomize=True,
    print_blob=False,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("chyan")

SUMMARY = pytest.StashKey[list[str]]()
"""Lines that tests print at the end of a run: figures, not verdicts."""
_VARIABLES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


def _refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    if event != "socket.connect":
        return
    address = arguments[1]
    if isinstance(address, tuple) and not _is_loopback(str(address[0])):
        raise RuntimeError(f"a test tried to reach {address[0]}")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def pytest_configure(config: pytest.Config) -> None:
    """Refuse connections beyond loopback, for this process."""
    sys.addaudithook(_refuse_network)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts its `… &` like this
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.stash[SUMMARY] = []


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the figures."""
    for line in config.stash[SUMMARY]:
        terminalreporter.write_line(line)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the figures over, where tests run in processes of their own."""
    if (sent := getattr(session.config, "workeroutput", None)) is not None:
        sent["summary"] = session.config.stash[SUMMARY]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the figures of such a process; one that died has none."""
    node.config.stash[SUMMARY] += getattr(node, "workeroutput", {}).get("summary", [])


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Escape lone surrogates, which can't be sent between processes: tests are full of them."""
    return _sendable((yield))


@pytest.fixture
def tz() -> Iterator[Callable[[str], None]]:
    """Sets the time zone of this process; the one before comes back."""
    with pytest.MonkeyPatch.context() as patch:

        def set_zone(name: str) -> None:
            patch.setenv("TZ", name)
            time.tzset()

        yield set_zone
    time.tzset()


def _sendable(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case dict():
            return {key: _sendable(item) for key, item in value.items()}
        case list() | tuple():
            return type(value)(map(_sendable, value))
    return value


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no server that counts tokens be given up because the machine is busy."""
    monkeypatch.setattr("chyan_agent.tokens.server.PROBE_SECONDS", 60.0)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in _VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    yield
