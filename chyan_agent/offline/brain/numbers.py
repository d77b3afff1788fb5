"""Questions about numbers that stand in the message: expressions, statistics, divisibility."""

import math
import re
from collections.abc import Callable
from fractions import Fraction

from ...prompts.offline import OfflineTexts
from .arithmetic import NotArithmetic, calculate, show, symbols
from .terms import compute, shown, stated, statistic
from .text import NUMBER, QUOTED
from .values import Value

EXPRESSION = re.compile(r"[-+]?[\d(](?:[\d\s.+\-*/%^()]*[\d)])?")
OPERATOR = re.compile(r"[-+*/%^]")
PERCENT_OF = re.compile(r"(\d+(?:\.\d+)?)\s*%\s*of\s*(-?\d+(?:\.\d+)?)", re.IGNORECASE)
OF_PERCENT = re.compile(
    r"(-?\d+(?:\.\d+)?)\s*的\s*(?:百分之\s*(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)\s*%)"
)
THEN = re.compile(r"[,，]?\s*(?:再|然后|接着|之后|(?:and\s+)?then)\s*(?=[-+*/%])", re.IGNORECASE)
DATE = re.compile(r"\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b")
_A, _B = r"(-?\d+(?:\.\d+)?)", r"(-?\d+(?:\.\d+)?)"
SPOKEN = (
    (re.compile(rf"\badd\s+{_A}\s+(?:and|to)\s+{_B}", re.IGNORECASE), r"\2+\1"),
    (re.compile(rf"\bsubtract\s+{_A}\s+from\s+{_B}", re.IGNORECASE), r"\2-\1"),
    (re.compile(rf"\bmultiply\s+{_A}\s+(?:by|and)\s+{_B}", re.IGNORECASE), r"\1*\2"),
    (re.compile(rf"\bdivide\s+{_A}\s+by\s+{_B}", re.IGNORECASE), r"\1/\2"),
    (re.compile(rf"{_A}\s*(?:和|与)\s*{_B}\s*的差"), r"\1-\2"),
    (re.compile(rf"{_A}\s*(?:和|与)\s*{_B}\s*的(?:积|乘积)"), r"\1*\2"),
    (re.compile(rf"{_A}\s*(?:和|与)\s*{_B}\s*的商"), r"\1/\2"),
)
LIST_OPS = {
    "sort": r"排序|从小到大|从大到小|升序|降序|\bsort(?:ed)?\b|\bascending\b|\bdescending\b",
    "unique": r"去重|去掉重复|不重复|\bunique\b|\bdedup\w*|\bremove duplicates\b",
    "reverse": r"倒序|反转|颠倒|逆序|\breverse[d]?\b",
    "count": r"有几个数|多少个数|数的个数|\bhow many numbers\b",
}
DOWN = re.compile(r"从大到小|降序|倒序|\bdescending\b", re.IGNORECASE)
LARGER = re.compile(r"哪个.{0,4}大|谁大|larger|bigger|greater", re.IGNORECASE)
SMALLER = re.compile(r"哪个.{0,4}小|谁小|smaller|less", re.IGNORECASE)
MAX_PRIME = 10**12
MAX_FACTORIAL = 200


def given_numbers(text: str) -> list[Fraction]:
    """Return the numbers that stand in a text, in order."""
    return [Fraction(match.group().replace(",", "")) for match in NUMBER.finditer(text)]


def expression(text: str, texts: OfflineTexts) -> Value | None:
    """Answer the longest arithmetic expression of a text."""
    text = DATE.sub(" ", QUOTED.sub(" ", text))
    for pattern, order in SPOKEN:
        text = pattern.sub(order, text)
    first, *later = THEN.split(symbols(_percentages(text)))
    found = sorted(EXPRESSION.findall(first), key=len, reverse=True)
    spoken = "".join(m.group() for part in later if (m := re.match(r"[-+*/%]+\s*[\d.]+", part)))
    for candidate in found[:3]:
        if not OPERATOR.search(candidate.strip("+- ") + spoken):
            continue
        try:
            return stated("result", show(calculate(_in_order(candidate, later))), texts)
        except NotArithmetic as problem:
            if reason := texts.undefined.get(str(problem)):
                return Value(reason, reason)
    return None


def _in_order(candidate: str, later: list[str]) -> str:
    """Put what was said before 'then' in parentheses: speech knows no precedence."""
    for part in later:
        step = re.match(r"[-+*/%]+\s*[\d.]+", part)
        candidate = f"({candidate}){step.group()}" if step else candidate
    return candidate


def _percentages(text: str) -> str:
    text = PERCENT_OF.sub(r"(\2*\1/100)", text)
    return OF_PERCENT.sub(lambda m: f"({m[1]}*{m[2] or m[3]}/100)", text)


def listed(text: str, texts: OfflineTexts) -> Value | None:
    """Answer a statistic or an operation on several given numbers."""
    numbers = given_numbers(text)
    if len(numbers) < 2:
        return None
    for operation, pattern in LIST_OPS.items():
        if re.search(pattern, text, re.IGNORECASE):
            return _operated(operation, numbers, bool(DOWN.search(text)), texts)
    kind = statistic(text)
    if not kind:
        kind = "max" if LARGER.search(text) else "min" if SMALLER.search(text) else ""
    return stated(kind, show(compute(kind, numbers)), texts) if kind else None


def _operated(operation: str, numbers: list[Fraction], down: bool, texts: OfflineTexts) -> Value:
    match operation:
        case "count":
            return stated("count", str(len(numbers)), texts)
        case "unique":
            return stated("result", shown(list(dict.fromkeys(numbers))), texts)
        case "reverse":
            return stated("result", shown(numbers[::-1]), texts)
        case _:
            return stated("result", shown(sorted(numbers, reverse=down)), texts)


def divisibility(text: str, texts: OfflineTexts) -> Value | None:
    """Answer about primes, divisors, multiples, factorials, roots, parity and bases."""
    whole = [int(number) for number in given_numbers(text) if number.denominator == 1]
    for pattern, needed, solve in RULES:
        if len(whole) >= needed and re.search(pattern, text, re.IGNORECASE):
            return solve(whole, texts)
    return None


Solve = Callable[[list[int], OfflineTexts], Value]


def _prime(whole: list[int], texts: OfflineTexts) -> Value:
    number = min(whole[0], MAX_PRIME)
    prime = number > 1 and all(number % d for d in range(2, math.isqrt(number) + 1))
    sentence = (texts.prime if prime else texts.not_prime).format(value=whole[0])
    return Value(sentence, sentence)


def _parity(whole: list[int], texts: OfflineTexts) -> Value:
    sentence = (texts.odd if whole[0] % 2 else texts.even).format(value=whole[0])
    return Value(sentence, sentence)


def _root(whole: list[int], texts: OfflineTexts) -> Value:
    number = abs(whole[0])
    root = math.isqrt(number)
    exact = str(root) if root * root == number else show(Fraction(math.sqrt(number)))
    return stated("result", exact, texts)


def _saying(solve: Callable[[list[int]], object]) -> Solve:
    return lambda whole, texts: stated("result", str(solve(whole)), texts)


RULES: tuple[tuple[str, int, Solve], ...] = (
    (r"质数|素数|\bprime\b", 1, _prime),
    (r"奇数|偶数|\b(?:odd|even)\b", 1, _parity),
    (
        r"最大公约数|最大公因数|\bgcd\b|greatest common divisor",
        2,
        _saying(lambda whole: math.gcd(*whole)),
    ),
    (r"最小公倍数|\blcm\b|least common multiple", 2, _saying(lambda whole: math.lcm(*whole))),
    (
        r"阶乘|\bfactorial\b",
        1,
        _saying(lambda whole: math.factorial(min(abs(whole[0]), MAX_FACTORIAL))),
    ),
    (r"平方根|开方|\bsqrt\b|square root", 1, _root),
    (r"十六进制|\bhex(?:adecimal)?\b", 1, _saying(lambda whole: f"{whole[0]:X}")),
    (r"二进制|\bbinary\b", 1, _saying(lambda whole: f"{whole[0]:b}")),
    (r"八进制|\boctal\b", 1, _saying(lambda whole: f"{whole[0]:o}")),
    (r"的平方|\bsquare of\b|\bsquared\b", 1, _saying(lambda whole: whole[0] ** 2)),
    (r"的立方|\bcube of\b|\bcubed\b", 1, _saying(lambda whole: whole[0] ** 3)),
)
