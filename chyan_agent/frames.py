r"""Marks that say who speaks, kept out of what others wrote. Pure.

A chat template tells roles, calls and results apart by marks such as `<|im_start|>`, and many
servers obey them wherever they stand. In text that is data they are written as JSON escapes:
the first character of a mark as `\u003c` or `\u005b`, which any reader of JSON reads as before.
"""

import re

_MARK = re.compile(
    r"""
    [<[] (?=
      (?<=<) [|｜] [^|｜<>\s]{1,40} [|｜] >                   # <|im_start|>
    | (?<=<) /? (?: tool_(?:calls?|response|result|output)s? | think | function=
        | (?:start|end)_of_turn | s> | [be]os> )
    | (?<=<) <? /? <? /? SYS >>
    | (?<=\[) /? (?: INST | SYSTEM_PROMPT | AVAILABLE_TOOLS | TOOL_(?:CALLS|RESULTS|CONTENT) ) \]
    )
    """,
    re.I | re.X,
)
_ESCAPES = {"<": "\\u003c", "[": "\\u005b"}
_SPEAKER = re.compile(
    r"^(?=[ \t]*(?:(?:system|user|assistant|tool)[ \t]*[:：]|call[ \t]+[\w-]+[:：]|@t\d+[ \t]*$))",
    re.I | re.M,
)


def defused(text: str) -> str:
    """Return data without marks that a chat template would obey; JSON stays the same JSON."""
    if "<" not in text and "[" not in text:
        return text
    return _MARK.sub(lambda mark: _ESCAPES[mark[0]], text)


def quoted(text: str) -> str:
    """Return what was said with `| ` before each line that looks as if somebody else began."""
    return _SPEAKER.sub("| ", text)
