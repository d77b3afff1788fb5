"""How long to wait before a request is sent again. Pure but for the random numbers passed in."""

import math
import random
from collections.abc import Mapping
from datetime import UTC, datetime


def backoff(attempt: int, *, base: float, cap: float, rng: random.Random) -> float:
    """Seconds before retry number `attempt` (from 1): capped exponential with full jitter."""
    return rng.uniform(0, min(cap, base * 2 ** min(attempt - 1, 32)))


def asked_delay(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that the endpoint asks to wait, never negative; None if it says nothing usable."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "")
    seconds = _number(value)
    if seconds is not None:
        return seconds
    until = _date(value)
    if until is None:
        return None
    # The endpoint's own clock is the right one to compare with, where it shows it.
    since = _date(headers.get("date", "")) or now
    return max(0.0, (until - since).total_seconds())


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None


def _date(text: str) -> datetime | None:
    from email.utils import parsedate_to_datetime

    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
