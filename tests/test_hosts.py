"""Hosts: which are this machine, and which are near it."""

import pytest

from chyan_agent.hosts import is_loopback, is_near

LOOPBACK = ("localhost", "a.localhost", "127.0.0.1", "127.1.2.3", "::1")
NEAR = ("gpu-box", "nas.local", "box.lan", "llm.internal", "192.168.1.7", "10.0.0.2", "fd00::1")
FAR = (
    "api.example.com",
    "127.0.0.1.example.com",
    "localhost.example.com",
    "8.8.8.8",
    "2606:4700::1",
)


@pytest.mark.parametrize("host", [*LOOPBACK, *NEAR, *FAR, ""])
def test_where_a_host_is(host: str) -> None:
    """This machine is near itself; a name without a dot is of the own network; no name is none."""
    assert is_loopback(host) == (host in LOOPBACK)
    assert is_near(host) == (host in LOOPBACK + NEAR)
