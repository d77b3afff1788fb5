"""Conversions between units of one quantity."""

import re
from fractions import Fraction

from ...prompts.offline import OfflineTexts
from .arithmetic import show
from .terms import stated
from .values import Value

_TABLES: tuple[dict[str, str], ...] = (
    {
        "公里|千米|kilomet(?:er|re)s?|km": "1000",
        "厘米|centimet(?:er|re)s?|cm": "0.01",
        "毫米|millimet(?:er|re)s?|mm": "0.001",
        "英里|miles?|mi": "1609.344",
        "英尺|feet|foot|ft": "0.3048",
        "英寸|inch(?:es)?": "0.0254",
        "码|yards?|yd": "0.9144",
        "米|met(?:er|re)s?|m": "1",
    },
    {
        "公斤|千克|kilograms?|kilos?|kg": "1000",
        "毫克|milligrams?|mg": "0.001",
        "吨|tonnes?|tons?": "1000000",
        "磅|pounds?|lbs?": "453.59237",
        "盎司|ounces?|oz": "28.349523125",
        "斤": "500",
        "克|grams?|g": "1",
    },
    {
        "毫秒|milliseconds?|ms": "0.001",
        "分钟|minutes?|mins?": "60",
        "小时|钟头|hours?|hrs?|h": "3600",
        "周|星期|weeks?": "604800",
        "天|日|days?": "86400",
        "秒钟|秒|seconds?|secs?|s": "1",
    },
    {
        "gb|gigabytes?": str(1024**3),
        "mb|megabytes?": str(1024**2),
        "tb|terabytes?": str(1024**4),
        "kb|kilobytes?": "1024",
        "字节|bytes?": "1",
    },
    {
        "毫升|millilit(?:er|re)s?|ml": "0.001",
        "升|lit(?:er|re)s?|l": "1",
    },
)
_HEAT = {"c": "摄氏度|°c|℃|celsius|c", "f": "华氏度|°f|℉|fahrenheit|f"}
_NUMBER = r"(-?\d+(?:\.\d+)?)\s*(?:个)?\s*"
_EDGE = r"(?![A-Za-z])"


def converted(text: str, texts: OfflineTexts) -> Value | None:
    """Answer a conversion such as `5 公里等于多少米` or `convert 100 F to C`."""
    if degrees := _temperature(text):
        return stated("result", show(degrees), texts)
    for table in _TABLES:
        names = "|".join(table)
        start = re.search(rf"{_NUMBER}({names}){_EDGE}", text, re.IGNORECASE)
        if not start:
            continue
        wanted = _target(text[: start.start()], text[start.end() :], names)
        if wanted and wanted.lower() != start[2].lower():
            value = Fraction(start[1]) * _factor(table, start[2]) / _factor(table, wanted)
            return stated("result", f"{show(value)} {wanted}", texts)
    return None


def _target(before: str, after: str, names: str) -> str:
    unit = rf"(?<![A-Za-z])({names}){_EDGE}"
    zh = re.search(rf"(?:多少|几|成|为|到|等于)\s*(?:个)?\s*{unit}", after, re.IGNORECASE)
    en = re.search(rf"\b(?:to|in|into|as)\s+{unit}", after, re.IGNORECASE)
    many = re.search(rf"\bhow many\s+{unit}", before, re.IGNORECASE)
    found = zh or en or many
    return found[1] if found else ""


def _factor(table: dict[str, str], unit: str) -> Fraction:
    return Fraction(next(f for p, f in table.items() if re.fullmatch(p, unit, re.IGNORECASE)))


def _temperature(text: str) -> Fraction | None:
    for source, target in (("c", "f"), ("f", "c")):
        start = re.search(
            rf"{_NUMBER}(?:degrees?\s*)?(?:{_HEAT[source]}){_EDGE}", text, re.IGNORECASE
        )
        if start and re.search(
            rf"(?:多少|几|成|为|to|in|into)\s*(?:degrees?\s*)?(?:{_HEAT[target]}){_EDGE}",
            text[start.end() :],
            re.IGNORECASE,
        ):
            degrees = Fraction(start[1])
            return degrees * 9 / 5 + 32 if source == "c" else (degrees - 32) * 5 / 9
    return None
