"""Results as a model reads them: compact JSON that never takes more than its room."""

from collections.abc import Mapping

from ..budget import CountTokens, compact_json
from ..frames import defused
from ..messages import clean
from ..prompts.tools import ToolTexts
from ..shorten import fits, measure, shorten
from . import Context, Limits

Value = Mapping[str, object]

ERROR_TOKENS = 120
"""The most that an error and its hint take together."""
LEAST_CONTENT = 8
"""With less room than this there is no point in showing a part."""


def as_json(value: object) -> str:
    """Return a result as a model reads it: what it quotes can't pass for marks of a template."""
    return defused(compact_json(value))


def cap(context: Context, limits: Limits) -> int:
    """Return the most tokens that a result of this call may take."""
    return min(context.room, limits.max_result_tokens)


def cost_in_json(count: CountTokens, tokens: int, limits: Limits) -> CountTokens:
    """Return what a text costs as a JSON string, where `tokens` is also a cap in bytes."""

    def cost(text: str) -> int:
        written = as_json(text)
        size = len(written.encode("utf-8", "surrogatepass"))
        return max(count(written), -(-size * max(tokens, 1) // limits.max_result_bytes))

    return cost


def fit_list(value: Value, key: str, room: int, count: CountTokens) -> list[object]:
    """Return as many items of the list under `key` as there is room for, from the front."""
    items = value[key]
    if not isinstance(items, list):
        raise TypeError(f"{key} is not a list")
    low, high = 0, len(items)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(as_json({**value, key: items[:middle]}), room, count):
            low = middle
        else:
            high = middle - 1
    return items[:low]


def fitted(value: Value, room: int, count: CountTokens, texts: ToolTexts) -> tuple[str, bool]:
    """Return a result as JSON within `room`, and whether anything was left out for that.

    The last resort: tools keep to their room themselves, field by field.
    """
    text = clean(as_json(value))
    if fits(text, room, count):
        return text, False
    shorter: dict[str, object] = {**value, "truncated": True}
    for _ in range(len(value) + 1):
        key = max(shorter, key=lambda name: len(compact_json(shorter[name])))
        shorter[key] = _shortened(shorter, key, room, count, texts)
        text = clean(as_json(shorter))
        if fits(text, room, count):
            return text, True
    text = compact_json({"error": texts.no_room})
    return (text if fits(text, room, count) else "{}"), True


def failure(error: str, hint: str, count: CountTokens, texts: ToolTexts) -> dict[str, object]:
    """Return the result of a tool that failed, in at most `ERROR_TOKENS` tokens."""
    half = ERROR_TOKENS // 2 - LEAST_CONTENT
    value: dict[str, object] = {"error": shorten(error, half, count, texts.cut)}
    if hint:
        value["hint"] = shorten(hint, half, count, texts.cut)
    return value


def _shortened(value: Value, key: str, room: int, count: CountTokens, texts: ToolTexts) -> object:
    old = value[key]
    if isinstance(old, list):
        return fit_list(value, key, room, count)
    if not isinstance(old, str):
        return None
    left = room - measure(compact_json({**value, key: ""}), count) - 2

    def cost(text: str) -> int:
        return count(as_json(text))

    return shorten(old, left, cost, texts.cut) if left > LEAST_CONTENT else ""
