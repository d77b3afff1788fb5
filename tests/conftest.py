"""What every test has: no key from the machine, no network beyond loopback, repeatable examples."""

import ipaddress
import sys
from collections.abc import Iterator

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
    config.stash[SUMMARY] = []


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the figures."""
    for line in config.stash[SUMMARY]:
        terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in _VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    yield
