"""The doctor's findings on a screen, and the exit code that they come to."""

from collections.abc import Iterable, Iterator

from ..doctor import Check, Remark, Verdict, Words
from ..prompts import Language
from ..prompts import doctor as say
from ..prompts.said import Said
from .show import Screen
from .terminal import pad, width

SIGNS: dict[Verdict, str] = {"ok": "✓", "warn": "!", "fail": "✗", "skip": "·"}
STYLES: dict[Verdict, str] = {"ok": "", "warn": "yellow", "fail": "red", "skip": "dim"}


def show(found: Iterable[Check | Remark], screen: Screen, language: Language) -> int:
    """Show findings as they come, then what they come to; return the exit code.

    It is that of the first failure, 0 without any: warnings don't count.
    """
    checks = list(_shown(found, screen, language))
    failures = [check for check in checks if check.verdict == "fail"]
    warnings = sum(check.verdict == "warn" for check in checks)
    code = failures[0].exit_code if failures else 0
    fields = {
        "event": "checked",
        "ok": not failures,
        "failed": [check.name for check in failures],
        "warnings": warnings,
        "exit_code": code,
    }
    if failures:
        text, style = say.FAILED.of(failures=len(failures)), "red"
    else:
        text, style = (say.WARNED.of(warnings=warnings) if warnings else say.ALL_FINE), "bold"
    screen.row(fields, text.text(language), style)
    return code


def _shown(found: Iterable[Check | Remark], screen: Screen, language: Language) -> Iterator[Check]:
    columns = max(width(name.text(language)) for name in say.NAMES.values())
    for item in found:
        if isinstance(item, Remark):
            screen.notice("doctor", _in(language, item.text))
            continue
        figure, hint = _in(language, item.figure), _in(language, item.hint)
        name = pad(say.NAMES[item.name].text(language), columns)
        text = f"{SIGNS[item.verdict]} {name}  {figure}"
        if hint:
            text += f"\n{' ' * (columns + 4)}{say.HINT.of(hint=hint).text(language)}"
        fields = {
            "event": "check",
            "name": item.name,
            "verdict": item.verdict,
            "figure": figure,
            "hint": hint,
        }
        screen.row(fields, text, STYLES[item.verdict])
        yield item


def _in(language: Language, words: Words) -> str:
    return words.text(language) if isinstance(words, Said) else words
