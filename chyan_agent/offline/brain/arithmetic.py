"""Exact arithmetic by a small parser: no eval, no floats, no unbounded powers."""

import re
import unicodedata
from fractions import Fraction

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?|\.\d+)|(\*\*|//|[-+*/%()^]))")
LARGEST_POWER = 4096
"""Bits that a power may grow to."""
WORDS = (
    (r"[×✕]|乘以|乘上|乘|\btimes\b|\bmultiplied by\b", "*"),
    (r"[÷]|除以|\bdivided by\b|\bover\b", "/"),
    (r"加上|加|\bplus\b", "+"),
    (r"减去|减|\bminus\b", "-"),
    (r"的平方|\bsquared\b", "**2"),
    (r"的立方|\bcubed\b", "**3"),
    (r"的\s*(\d+)\s*次方", r"**\1"),
    (r"\bto the power of\b", "**"),
    (r"\bmodulo\b|\bmod\b|取余|取模|模", "%"),
    (r"[−–]", "-"),
    (r"(?<=\d),(?=\d{3}(?!\d))", ""),
)


class NotArithmetic(ValueError):
    """The text is no expression, or its value is undefined or too large."""


def calculate(text: str) -> Fraction:
    """Return the exact value of an expression. Raises NotArithmetic."""
    tokens = _tokens(text)
    parser = _Parser(tokens)
    value = parser.sum()
    if parser.at < len(tokens):
        raise NotArithmetic(text)
    return value


def symbols(text: str) -> str:
    """Write operators that stand as words or typographic signs as plain symbols."""
    text = unicodedata.normalize("NFKC", text)
    for pattern, symbol in WORDS:
        text = re.sub(pattern, symbol, text, flags=re.IGNORECASE)
    return text


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    text = text.strip()
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise NotArithmetic(text)
        tokens.append(found[1] or found[2].replace("^", "**"))
        at = found.end()
    return tokens


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0

    def _take(self, *wanted: str) -> str:
        if self.at < len(self.tokens) and self.tokens[self.at] in wanted:
            self.at += 1
            return self.tokens[self.at - 1]
        return ""

    def sum(self) -> Fraction:
        """Read terms joined by + and -."""
        value = self._product()
        while operator := self._take("+", "-"):
            right = self._product()
            value = value + right if operator == "+" else value - right
        return value

    def _product(self) -> Fraction:
        value = self._signed()
        while operator := self._take("*", "/", "//", "%"):
            value = _apply(operator, value, self._signed())
        return value

    def _signed(self) -> Fraction:
        sign = 1
        while operator := self._take("+", "-"):
            sign = -sign if operator == "-" else sign
        return sign * self._power()

    def _power(self) -> Fraction:
        base = self._atom()
        if not self._take("**"):
            return base
        self.depth += 1
        if self.depth > LARGEST_DEPTH:
            raise NotArithmetic("too deep")
        return power(base, self._signed())

    def _atom(self) -> Fraction:
        if self._take("("):
            self.depth += 1
            if self.depth > LARGEST_DEPTH:
                raise NotArithmetic("too deep")
            value = self.sum()
            if not self._take(")"):
                raise NotArithmetic("unbalanced")
            return value
        if self.at == len(self.tokens) or self.tokens[self.at][0] not in "0123456789.":
            raise NotArithmetic("a number is missing")
        self.at += 1
        return Fraction(self.tokens[self.at - 1])


LARGEST_DEPTH = 100


def _apply(operator: str, left: Fraction, right: Fraction) -> Fraction:
    if operator == "*":
        return left * right
    if not right:
        raise NotArithmetic("division by zero")
    if operator == "/":
        return left / right
    return Fraction(left // right) if operator == "//" else left % right


def power(base: Fraction, exponent: Fraction) -> Fraction:
    """Return an exact power with a bounded result. Raises NotArithmetic."""
    if exponent.denominator != 1 or (not base and exponent < 0):
        raise NotArithmetic("no exact power")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(exponent) * bits > LARGEST_POWER:
        raise NotArithmetic("too large")
    return Fraction(base ** int(exponent))


def show(value: Fraction) -> str:
    """Write a number: whole, or with at most six decimals."""
    if value.denominator == 1:
        return str(value.numerator)
    scaled = round(value * 10**6)
    whole, part = divmod(abs(scaled), 10**6)
    decimals = f"{part:06d}".rstrip("0")
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole}.{decimals}" if decimals else f"{sign}{whole}"
