"""Hosts, by name or address: whether one is this machine, or near it."""

from ipaddress import IPv4Address, IPv6Address, ip_address

_NEAR = (".localhost", ".local", ".internal", ".lan")
"""Ends of names that exist in private networks alone."""


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself."""
    address = _address(host)
    return address.is_loopback if address else host == "localhost" or host.endswith(".localhost")


def is_near(host: str) -> bool:
    """Whether a host is this machine or one of a private network."""
    address = _address(host)
    if address:
        return address.is_private
    return bool(host) and ("." not in host or host.endswith(_NEAR))


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
