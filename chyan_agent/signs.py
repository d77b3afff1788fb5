"""What a reply shows of an endpoint's true window though nothing was refused. Pure."""

from collections.abc import Iterable
from typing import Literal

from .model import Reply

Sign = Literal["over_limit", "window_full", "cut_silently"]
"""More was accepted than the limit; the answer had to end early; not all of a prompt was read."""
Counts = tuple[int, int]
"""Tokens of one request by our count and by the endpoint's."""

GREW, SAME, SMALLER = 1.5, 1.02, 0.75
"""A request that grew this much by our count, and by the endpoint's stayed between the other two:
no tokenizer does that."""
SHORT = 0.9
"""An answer ended early when it has less than this share of what it may have."""


def signs(
    reply: Reply, *, sent: int, limit: int, output: int, before: Iterable[Counts]
) -> tuple[Sign, ...]:
    """Return what a reply to `sent` tokens shows, `limit` being ours and `output` its largest.

    `before` are the counts of earlier requests to the same model.
    """
    read = reply.usage.prompt_tokens
    found: list[Sign] = []
    if read > limit:
        found.append("over_limit")
    if _ended_early(reply, output):
        found.append("window_full")
    if any(_stopped_growing(sent, read, *counts) for counts in before):
        found.append("cut_silently")
    return tuple(found)


def _ended_early(reply: Reply, output: int) -> bool:
    written, said = reply.usage.completion_tokens, reply.message.content.strip()
    if reply.finish != "length" or not reply.usage.prompt_tokens or (said and not written):
        return False
    return written < SHORT * output


def _stopped_growing(sent: int, read: int, sent_before: int, read_before: int) -> bool:
    grew = sent >= GREW * sent_before and read < sent
    return grew and SMALLER * read_before <= read <= SAME * read_before
