"""By which words a clause decides, forbids, denies, wants, or leaves a task. Pure rules."""

from . import marks_en, marks_zh

_SURE = ("decision", "todo", "negation", "preference")
_TOLD = ("choice", "task", "wish", "refusal", "denial", "placed")
_KIND = {"choice": "decision", "task": "todo", "wish": "preference", "refusal": "negation"}


def marked(clause: str, *, told: bool) -> str:
    """Return decision, todo, negation, preference, denial, or nothing.

    `told` is whether a user says it and states no value by it: then weaker words count as well,
    for users decide and deny in passing, and what an agent lacks or intends is soon over.
    """
    folded = " " + clause.casefold()
    for mark in (*_SURE, *_TOLD) if told else _SURE:
        if marks_zh.MARKS[mark].search(folded) or marks_en.MARKS[mark].search(folded):
            return _KIND.get(mark, mark)
    return ""
