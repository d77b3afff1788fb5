"""Independent questions: nothing has to be remembered from one to the next."""

import math
import statistics
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from string import ascii_letters

from ..checks import AnswerLacks, AnswerLists, Check, both, has
from . import Author, Cast
from .words import SENTENCES, WORDS

Question = tuple[str, str, Check]
"""The Chinese text, the English text and the check."""
WEEKDAYS = (
    ("星期一", "周一", "Monday"),
    ("星期二", "周二", "Tuesday"),
    ("星期三", "周三", "Wednesday"),
    ("星期四", "周四", "Thursday"),
    ("星期五", "周五", "Friday"),
    ("星期六", "周六", "Saturday"),
    ("星期日", "周日", "星期天", "Sunday"),
)


def write(author: Author, _: Cast) -> None:
    """Write 30 questions: every kind once before any comes twice."""
    kinds: list[Callable[[Random], Question]] = []
    while len(kinds) < SIZE:
        again = list(KINDS)
        author.rng.shuffle(again)
        kinds += again
    for kind in kinds[:SIZE]:
        author.say(*kind(author.rng))


def number(value: Decimal | float) -> str:
    """Write a number as plainly as possible, with at most six decimals."""
    text = f"{Decimal(value):.6f}"
    return text.rstrip("0").rstrip(".")


def _product(rng: Random) -> Question:
    a, b, c = rng.randint(12, 98), rng.randint(12, 98), rng.randint(2, 99)
    return f"计算 {a}*{b}+{c}", f"what is {a}*{b}+{c}?", has(a * b + c)


def _bracket(rng: Random) -> Question:
    a, b, c, d = (rng.randint(3, 60) for _ in range(4))
    return f"请计算 ({a}+{b})*{c}-{d}", f"calculate ({a}+{b})*{c}-{d}", has((a + b) * c - d)


def _percent(rng: Random) -> Question:
    share, whole = rng.randrange(5, 96, 5), rng.randrange(120, 2000, 20)
    result = number(Decimal(share * whole) / 100)
    return f"{whole} 的 {share}% 是多少？", f"{share}% of {whole}", has(result)


def _divisor(rng: Random) -> Question:
    factor, a, b = rng.randint(3, 19), rng.randint(2, 14), rng.randint(2, 14)
    if rng.getrandbits(1):
        return _pair("最大公约数", "gcd", factor * a, factor * b, math.gcd)
    return _pair("最小公倍数", "lcm", factor * a, b, math.lcm)


def _pair(zh: str, en: str, a: int, b: int, rule: Callable[[int, int], int]) -> Question:
    return f"{a} 和 {b} 的{zh}", f"{en} of {a} and {b}", has(rule(a, b))


def _prime(rng: Random) -> Question:
    value = rng.randrange(101, 500, 2)
    prime = all(value % d for d in range(3, math.isqrt(value) + 1, 2))
    yes = both(has("质数", "素数", "prime"), AnswerLacks("不是"), AnswerLacks("not"))
    no = has("不是", "不为", "not", "composite", "合数")
    return f"{value} 是质数吗？", f"is {value} a prime?", yes if prime else no


def _factorial(rng: Random) -> Question:
    value = rng.randint(5, 10)
    return f"{value} 的阶乘是多少？", f"factorial of {value}", has(math.factorial(value))


def _hexadecimal(rng: Random) -> Question:
    value = rng.randint(300, 5000)
    return (
        f"{value} 的十六进制是什么？",
        f"{value} in hexadecimal",
        has(f"{value:x}", f"0x{value:x}"),
    )


def _root(rng: Random) -> Question:
    value = rng.randint(11, 40)
    return f"{value * value} 的平方根是多少？", f"sqrt of {value * value}", has(value)


def _numbers(rng: Random) -> list[int]:
    return rng.sample(range(2, 200), rng.randint(5, 7))


def _average(rng: Random) -> Question:
    values = _numbers(rng)
    values.append(len(values) + 1 - sum(values) % (len(values) + 1))
    given = ", ".join(map(str, values))
    result = has(sum(values) // len(values))
    return f"求 {given} 的平均值", f"average of {given}", result


def _median(rng: Random) -> Question:
    values = _numbers(rng)
    given = ", ".join(map(str, values))
    result = number(Decimal(statistics.median(values)))
    return f"求 {given} 的中位数", f"median of {given}", has(result)


def _total(rng: Random) -> Question:
    values = _numbers(rng)
    given = ", ".join(map(str, values))
    return f"求 {given} 的和", f"sum of {given}", has(sum(values))


def _largest(rng: Random) -> Question:
    values = _numbers(rng)
    given = "、".join(map(str, values))
    return f"最大的数：{given}", f"max of {', '.join(map(str, values))}", has(max(values))


def _sorted(rng: Random) -> Question:
    values = _numbers(rng)
    given = ", ".join(map(str, values))
    result = AnswerLists(tuple(map(str, sorted(values))))
    return f"把 {given} 从小到大排序", f"sort {given}", result


def _unique(rng: Random) -> Question:
    values = rng.sample(range(2, 60), 4)
    doubled = values + rng.sample(values, 2)
    given = ", ".join(map(str, doubled))
    return f"把 {given} 去重", f"unique of {given}", AnswerLists(tuple(map(str, values)))


def _upper(rng: Random) -> Question:
    words = " ".join(rng.sample(WORDS, 2))
    return f'把 "{words}" 转成大写', f'uppercase "{words}"', has(words.upper(), exact=True)


def _reversed(rng: Random) -> Question:
    word = "".join(rng.sample(WORDS, 2))
    return f'把 "{word}" 反转', f'reverse "{word}"', has(word[::-1])


def _occurrences(rng: Random) -> Question:
    text = "".join(rng.sample(WORDS, 3))
    letter = rng.choice(sorted({c for c in text if c in ascii_letters}))
    return (
        f'"{text}" 里 "{letter}" 出现几次？',
        f'how many times does "{letter}" occur in "{text}"?',
        has(text.count(letter)),
    )


def _characters(rng: Random) -> Question:
    zh, en = rng.choice(SENTENCES), "".join(rng.sample(WORDS, 2))
    if rng.getrandbits(1):
        return f'"{zh}" 有几个字？', f'"{zh}" 有几个字？', has(len(zh))
    return f'"{en}" 的长度是多少？', f'length of "{en}"', has(len(en))


def _replaced(rng: Random) -> Question:
    text = rng.choice(WORDS)
    old, new = rng.choice(text), rng.choice("xyz")
    zh = f'把 "{text}" 里的 "{old}" 替换为 "{new}"'
    return zh, f'replace "{old}" with "{new}" in "{text}"', has(text.replace(old, new))


def _ordered_words(rng: Random) -> Question:
    words = rng.sample(WORDS, 5)
    result = AnswerLists(tuple(sorted(words)))
    return (
        f'把 "{" ".join(words)}" 按字母排序',
        f"sort the words {', '.join(words)}",
        result,
    )


UNITS = (
    ("公里", "米", "km", "m", 1000),
    ("千克", "克", "kg", "g", 1000),
    ("小时", "分钟", "hours", "minutes", 60),
    ("天", "小时", "days", "hours", 24),
    ("升", "毫升", "liters", "ml", 1000),
    ("GB", "MB", "GB", "MB", 1024),
)


def _units(rng: Random) -> Question:
    zh_from, zh_to, en_from, en_to, factor = rng.choice(UNITS)
    amount = rng.randint(2, 48)
    return (
        f"{amount} {zh_from}等于多少{zh_to}？",
        f"convert {amount} {en_from} to {en_to}",
        has(amount * factor),
    )


def _day(rng: Random) -> date:
    return date(2020, 1, 1) + timedelta(days=rng.randrange(2500))


def _later(rng: Random) -> Question:
    day, days = _day(rng), rng.randint(3, 90)
    result = has((day + timedelta(days=days)).isoformat())
    return f"{day} 之后 {days} 天是几号？", f"{days} days after {day}", result


def _between(rng: Random) -> Question:
    day, days = _day(rng), rng.randint(20, 700)
    end = day + timedelta(days=days)
    return f"{day} 到 {end} 有多少天？", f"how many days from {day} to {end}?", has(days)


def _weekday(rng: Random) -> Question:
    day = _day(rng)
    names = WEEKDAYS[day.weekday()]
    return f"{day} 是星期几？", f"what day of the week is {day}?", has(*names)


SIZE = 30
KINDS = (
    _product, _bracket, _percent, _divisor, _prime, _factorial, _hexadecimal, _root, _average,
    _median, _total, _largest, _sorted, _unique, _upper, _reversed, _occurrences, _characters,
    _replaced, _ordered_words, _units, _later, _between, _weekday,
)  # fmt: skip
