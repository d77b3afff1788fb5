"""What to do about a message: the first task that recognises it takes it."""

import re

from .arithmetic import show
from .dates import calendar
from .filetasks import file_value
from .jobs import Job, job
from .numbers import divisibility, expression, given_numbers, listed
from .operations import is_number, operated, operations
from .pages import Steps, failure
from .paths import loose_paths, paths
from .questions import answered, fact_value, told_turn
from .refs import FILE, IT, RESULT, TWO, named_file, results
from .searches import searched
from .strings import operated as on_text
from .terms import compute, name, stated, statistic
from .text import asks, polite, trimmed
from .units import converted
from .values import Plan, Stuck, Value, ask
from .view import View

_REMEMBER = re.compile(
    r"^(?:请|麻烦)?(?:你)?(?:务必|帮我)?(?:记住|记一下|记下来?|牢记|备忘)(?:一点|这点|一下"
    r"|一件事)?\s*[:：,，]?\s*(?P<zh>.+)$|"
    r"^(?:please\s+)?(?:remember|note down|note|keep in mind|make a note"
    r"|don't forget)(?:\s+(?:that|this))?\s*[:,]?\s+(?P<en>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_TALK = (
    (
        "hello",
        r"(?:你好|您好|嗨|哈喽|早上好|下午好|晚上好|hello|hi|hey|good (?:morning|afternoon"
        r"|evening))(?:\s*(?:呀|啊|there))?",
    ),
    (
        "thanks",
        r"(?:非常|多)?(?:谢谢|感谢|多谢|辛苦)(?:你|您|了|啦)*|thanks?(?: you)?(?: very much"
        r"| a lot| so much)?",
    ),
    ("bye", r"再见|拜拜|回头见|bye|goodbye|see you(?: later)?"),
    ("who", r"你是谁|你叫什么(?:名字)?|你是什么模型|who are you|what are you|what is your name"),
    ("well", r"你好吗|最近怎么样|最近好吗|how are you(?: doing)?(?: today)?"),
)
_CANT = re.compile(
    r"^(?:写(?:一|首|篇|个)|翻译|画|作诗|编(?:一个)?故事|write (?:a|an|me)\b|translate\b|draw\b"
    r"|compose\b|tell me a (?:joke|story))",
    re.IGNORECASE,
)
_EXPLAIN = re.compile(
    r"^(?:告诉我|说说|介绍|解释|回忆|tell me|explain|describe|remind me|recall|do you remember)",
    re.IGNORECASE,
)


def plan(view: View) -> Plan:
    """Answer the question of a view, in as many steps as it takes."""
    text = polite(view.question)
    if said := _small_talk(view, text):
        return said
    try:
        for task in (_remembered, told_turn, _done):
            said = yield from task(view, text)
            if said:
                return str(said)
        if _CANT.match(text):
            return view.texts.limited
        if asks(text) or _EXPLAIN.match(text):
            return str((yield from answered(view, text)))
    except Stuck as reason:
        return str(reason)
    return view.texts.noted


def _small_talk(view: View, text: str) -> str:
    plain = trimmed(view.question or text)
    for kind, pattern in _TALK:
        if re.fullmatch(pattern, plain, re.IGNORECASE):
            return str(getattr(view.texts, kind))
    return ""


def _remembered(view: View, text: str) -> Steps:
    found = _REMEMBER.match(text)
    if not found or text.endswith(("?", "？", "吗")):
        return None
    fact = trimmed(found["zh"] or found["en"])
    return (yield from _note_down(view, fact)) or view.texts.remembered.format(fact=fact)


def _note_down(view: View, fact: str, note: str = "") -> Steps:
    if "remember" not in view.tools:
        return ""
    result = yield from ask("remember", {"content": fact}, note)
    if result.error:
        raise Stuck(failure(view.texts, "remember", result))
    return ""


def _done(view: View, text: str) -> Steps:
    """Find a value out and put it where the text wants it; None where it is no such task."""
    task = job(text)
    if task.literal is not None:
        value: Value | None = Value(task.literal, "")
    else:
        value = yield from _value(view, task)
    if value is None:
        return None
    said = value.sentence
    if task.target:
        said = yield from _put(view, task, value)
    if task.remember:
        fact = f"{value.sentence}（{trimmed(task.rest)}）"
        yield from _note_down(view, fact, value.sentence)
        said += view.texts.and_remembered
    return said if said.endswith((".", "。", "\n", "）", "!", "！")) else said + view.texts.stop


def _value(view: View, task: Job) -> Steps:
    rest = task.rest
    files = paths(rest)
    if FILE.search(rest) and not files:
        files = [(yield from _resolved(view, rest))]
    files = files or loose_paths(rest)
    if files and (task.target or _acts(rest)):
        found = (yield from searched(view, rest)) if _seeks(rest) else None
        return found or (yield from file_value(view, rest, files))
    if RESULT.search(rest) or TWO.search(rest) or (operations(rest) and _only_it(rest)):
        return (yield from _from_results(view, rest))
    for solve in (calendar, converted, on_text, divisibility, expression, listed):
        if value := solve(rest, view.texts):
            return value
    found = yield from searched(view, rest)
    if found is None and task.target:
        found = yield from fact_value(view, rest)
    return found


_ACTS = re.compile(
    r"读|打开|查看|显示|看看|看一下|统计|计算|求|多少|几|什么|哪|谁|最|总|平均|中位|合并|复制"
    r"|拷贝|替换|排序|去重|转成|翻倍|减半|加|减|乘|除|找|查|搜"
    r"|内容|有没有|列|行"
    r"|\b(?:read|open|show|print|display|cat|count|how|what|which|who|sum|total|average|mean"
    r"|max\w*|min\w*|median|copy|merge|combine|"
    r"replace|sort|convert|uppercase|lowercase|double|halve|add|subtract|multiply|divide|find"
    r"|search|grep|look|lines?|contents?|get|give)\b",
    re.IGNORECASE,
)
_SEEKS = re.compile(r"查找|搜索|\b(?:search|grep|find|look for)\b", re.IGNORECASE)


def _acts(text: str) -> bool:
    plain = text
    for path in paths(text):
        plain = plain.replace(path, " ")
    return bool(_ACTS.search(plain))


def _seeks(text: str) -> bool:
    return bool(_SEEKS.search(text))


def _only_it(text: str) -> bool:
    return bool(IT.search(text)) and len(given_numbers(text)) < 2


def _resolved(view: View, text: str) -> Steps:
    path = yield from named_file(view, text)
    if not path:
        raise Stuck(view.texts.no_file)
    return path


def _from_results(view: View, text: str) -> Steps:
    values = yield from results(view, text)
    if not values or (TWO.search(text) and len(values) < 2):
        raise Stuck(view.texts.no_result)
    if TWO.search(text):
        return _combined(view, text, values)
    steps = operations(text)
    if not steps:
        return Value(
            values[0], view.texts.is_.format(name=name("result", view.texts), value=values[0])
        )
    value = operated(values[0], steps) if is_number(values[0]) else None
    if value is None:
        raise Stuck(view.texts.no_result)
    return stated("result", value, view.texts)


def _combined(view: View, text: str, values: list[str]) -> Value:
    numbers = [number for value in values for number in given_numbers(value)[:1]]
    if len(numbers) < 2:
        raise Stuck(view.texts.no_result)
    shown = {"差": "-", "difference": "-", "积": "*", "product": "*", "乘": "*", "商": "/"}
    symbol = next((s for word, s in shown.items() if word in text.lower()), "")
    if symbol:
        found = expression(f"{numbers[1]}{symbol}{numbers[0]}", view.texts)
        assert found is not None
        return found
    kind = statistic(text) or "sum"
    return stated(kind, show(compute(kind, numbers)), view.texts)


def _put(view: View, task: Job, value: Value) -> Steps:
    """Write a value to its file and say so."""
    path = task.target
    if not paths(path):
        path = yield from _resolved(view, path)
    mode = {"mode": "append"} if task.append else {}
    arguments = {"path": path, "content": value.text + "\n", **mode}
    result = yield from ask("write", arguments, value.sentence)
    if result.error:
        raise Stuck(failure(view.texts, "write", result))
    texts = view.texts
    if value.sentence and "\n" not in value.sentence:
        return value.sentence + (texts.and_appended if task.append else texts.and_wrote).format(
            path=path
        )
    return (texts.appended if task.append else texts.wrote).format(path=path)
