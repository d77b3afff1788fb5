"""Whether a value says what something is, or only how it is: my boss is Kate, and very strict."""

from functools import lru_cache

from ..late import Late

_STATUS = Late(
    "(?:状态|阶段|优先级|级别|等级|进度|心情|天气|类型|性质|情况|尺寸|大小|颜色|口味|制式)$"
    r"|\b(?:status|state|stage|phase|priority|level|mood|weather|type|kind|size|mode)$"
)
"""Of these it is asked how they are."""
_HOW_ZH = Late(
    "[很挺太更真好][^\\d]|非常|特别|比较|有[点些]|十分|相当|越来越|[不没还]|[在从来]|来自|属于|[个位名]"
    "|一[个位名家种所间款台部只支](?!\\d)|.{1,12}的$"
    "|[\u4e00-\u9fff]{1,4}(?:人|制|型|出身|附近|旁边|对面)$"
)
_HOW = Late(
    r"(?:very|too|so|quite|really|rather|pretty|extremely|fairly|a bit|a little|always|often"
    r"|usually|never|still|not|also|getting|being|more|less|as|like|such)\b|an? "
    r"|(?:on|in|at|from|out|off|away|under|near|next to|behind|over|up|down|about|for|with"
    r"|without|between|due to|because)\b"
    r"(?! (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|fall|winter|\d))"
    r"|(?:[a-z]{3,}(?:ed|ing|ful|ous|ive|less|able|ible|ish|ial|ent|ant)|strict|tight|slow|nice|kind"
    r"|good|bad|great|high|low|late|early|busy|free|full|empty|new|old|big|small|large|long|short|tall"
    r"|fast|quick|cheap|hard|easy|soft|ready|open|broken|fine|ok|okay|sick|ill|well|wrong|right"
    r"|correct|secret|true|false|same|clear|clean|dirty|dead|gone|here|there|away|back|funny|friendly"
    r"|lovely|young|rude|smart|noisy|quiet|strong|weak|fair|unfair|safe|dark|bright|heavy|light"
    r"|warm|hot|cold|dry|wet|rich|poor|sad|happy|angry|crazy|tiny|huge|steep|sharp|shared|unique)\b"
    r"(?=$|,| (?:on|in|at|for|until|till|to|from|by|with|because|and|but|than|this|today|now)\b)"
)
_LEADING = Late(r"(?:on|in|at) (?=\S)")
_DWELLING = Late(
    r"(?:in |on |at )?(?:an? |the (?:\S+ )?floor|my own)|[\d一二三四五六七八九十]{1,3}[楼层]$"
    "|.{0,6}(?:公寓|宿舍|别墅|平房|楼上|楼下)$"
)
"""In what one lives, not where."""


@lru_cache(1024)
def describes(value: str, subject: str) -> bool:
    """Tell whether a value says how a subject is, and leaves open which it is."""
    if _STATUS.search(subject):
        return False
    return (_HOW.match(value) if value.isascii() else _HOW_ZH.match(value)) is not None


def of_one_sort(one: str, other: str, subject: str) -> bool:
    """Tell whether two values answer one question on a subject: which it is, or both where."""
    if _LEADING.match(one) and _LEADING.match(other):
        return True
    return not describes(one, subject) and not describes(other, subject)


def same_dwelling(one: str, other: str) -> bool:
    """Tell whether two places answer one question: in what one lives, or where."""
    return (_DWELLING.match(one) is None) == (_DWELLING.match(other) is None)
