"""What the answers of the endpoint show beside their words. Pure."""

from collections.abc import Mapping

from ..config import Config
from ..errors import ModelOverflow, ModelWants
from ..jsontext import parsed
from ..messages import ToolCall
from ..prompts import canary as canary_say
from ..prompts import doctor as say
from ..texttools import find_calls
from . import Check
from .house import failed, words
from .trial import Trial

FINISHES = frozenset({"stop", "length", "tool_calls", "function_call", "content_filter"})
MUCH_MORE = 1.05
"""Where a server counts more than this share of our count, requests may not fit at first."""


def refused(name: str, trial: Trial, size: int, limit: int) -> Check | None:
    """Return the failure that ended a request, if one did."""
    error = trial.error
    if error is None:
        return None
    if not isinstance(error, ModelOverflow):
        return failed(name, error)
    if error.limit is None:
        return Check(name, "fail", canary_say.REFUSED.of(sent=f"{size:,}"), canary_say.REFUSED_HINT)
    figure = canary_say.REFUSED_AT.of(sent=f"{size:,}", limit=f"{error.limit:,}")
    return Check(name, "fail", figure, say.SMALLER_HINT.of(window=f"{error.limit:,}"))


def usage(trial: Trial, ours: int, tokenizer: str) -> Check:
    """Return how the server's count of a prompt compares with ours."""
    counted = trial.reply.usage.prompt_tokens if trial.reply else 0
    if not counted:
        return Check("usage", "warn", say.NO_USAGE, say.NO_USAGE_HINT)
    more = f"{100 * (counted / ours - 1):+.1f} %"
    figure = say.USAGE.of(counted=f"{counted:,}", tokenizer=tokenizer, ours=f"{ours:,}", more=more)
    if counted > MUCH_MORE * ours:
        return Check("usage", "warn", figure, say.USAGE_HINT)
    return Check("usage", "ok", figure)


def streaming(trial: Trial) -> Check:
    """Return how an answer arrived and ended."""
    reply = trial.reply
    finish = reply.finish if reply else ""
    if reply is None or not (trial.pieces or reply.message.tool_calls):
        tokens = reply.usage.completion_tokens if reply else 0
        figure = say.NO_TEXT.of(tokens=tokens or "?", finish=finish or "-")
        return Check("streaming", "warn", figure, say.NO_TEXT_HINT)
    first, seconds = f"{trial.first:.2f}", f"{trial.seconds:.2f}"
    if trial.pieces == 1:
        return Check("streaming", "warn", say.ONE_PIECE.of(first=first), say.ONE_PIECE_HINT)
    figure = say.STREAMS.of(first=first, pieces=trial.pieces, seconds=seconds, finish=finish)
    if not trial.pieces:
        figure = say.CALL_CAME.of(seconds=seconds, finish=finish)
    if finish not in FINISHES:
        return Check("streaming", "warn", figure, say.ODD_FINISH_HINT)
    return Check("streaming", "ok", figure)


def speed(trial: Trial, size: int, config: Config) -> Check:
    """Return whether a full request can be read in the time that the agent waits."""
    context, timeout = config.context, config.llm.read_timeout
    most = context.context_limit - context.reserved_tokens
    read = trial.reply.usage.prompt_tokens if trial.reply else 0
    rate = (read or size) / max(trial.first, 1e-3)
    full = most / rate
    figure = say.SPEED.of(rate=f"{rate:,.0f}", most=f"{most:,}", seconds=f"{full:,.1f}")
    if full <= timeout:
        return Check("speed", "ok", figure)
    hint = say.SLOW_HINT.of(timeout=f"{timeout:g}", least=f"{1.5 * full:.0f}")
    return Check("speed", "fail" if trial.first > timeout else "warn", figure, hint)


def tool_calls(trial: Trial, word: str) -> Check:
    """Return in which form the model called the tool that it was asked to call."""
    error = trial.error
    if isinstance(error, ModelWants) and error.want == "text_calls":
        return Check("tools", "warn", say.NO_TOOLS.of(reason=words(error)), say.AS_TEXT_HINT)
    if error is not None:
        return failed("tools", error)
    message = trial.reply.message if trial.reply else None
    if message is None or not message.tool_calls:
        told = message.content if message else ""
        if find_calls(told, {canary_say.TOOL_NAME}):
            return Check("tools", "warn", say.AS_TEXT, say.AS_TEXT_HINT)
        return Check("tools", "warn", say.IGNORED, say.IGNORED_HINT)
    call = message.tool_calls[0]
    shown = f"{call.name} {call.arguments[:60]}"
    if not _usable(call, word):
        return Check("tools", "warn", say.BROKEN_CALL.of(call=shown), say.IGNORED_HINT)
    return Check("tools", "ok", say.NATIVE.of(call=shown))


def _usable(call: ToolCall, word: str) -> bool:
    arguments = parsed(call.arguments)
    content = arguments.get("content") if isinstance(arguments, Mapping) else None
    return call.name == canary_say.TOOL_NAME and isinstance(content, str) and word in content
