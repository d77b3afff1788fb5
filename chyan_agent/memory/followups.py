"""Questions that lean on what was said just before: 那个呢, 他的上级, and hers? Pure rules.

Such a question is searched for together with the words it leaves out, which the last turns and
the evidence hold.
"""

import re
from collections.abc import Iterator, Sequence

from ..late import Late
from ..statements.numerals import number_of
from ..statements.questions import asks
from .weights import is_function_word

MESSAGES = 4
"""Messages of the last two turns that are looked at."""
LONGEST = 160
"""Characters of one message, or of one line of evidence, that stand in for what is left out."""
LISTED = 600
"""Characters of a message in which a list is looked for."""
LINES = 2
"""Lines of evidence that are added."""
QUESTION = 60
"""Characters up to which a question can be a follow-up; who writes more says what about."""

_POINTERS = Late(
    r"[他她它牠祂](?:们|們)?|(?<!\w)(?<!\w\s)[这那這](?![个個]?[月周年]|[个個]?星期)(?:个|個|些|家|里|裡|边|邊|次|种|種|位|条|條|样|樣|时|時|天|只|隻)?"
    r"|[其此该該](?![他它实實间間余餘])|前者|后者|後者|上述|上面|刚才|剛才|刚刚|剛剛|另(?:一|外)?(?:个|個|家|位)?"
    r"|第[一二两三四五六七八九十\d]{1,2}(?:个|個|条|條|项|項|种|種|家|款|位|点|點|步)|剩下|其余|其餘"
    r"|再(?:加|算|减|減|乘|除|来|來|说|說)|还有|還有|(?:呢|呐)[?？]?\s*$"
    r"|\b(?:he|she|it|they|him|them|his|hers?|its|theirs?|that|this|those|these|ones?|there|then"
    r"|former|latter|other|others|another|else|same|(?:what|how) about|and (?:the|what|how|if))\b",
    re.IGNORECASE,
)
_LIGHT = Late(
    r"为什么|為什麼|什么时候|什麼時候|什么|什麼|怎么样|怎麼樣|怎么|怎麼|哪些|哪里|哪裡|哪儿|哪兒|哪个|哪個"
    r"|多少|几个|幾個|原因|结果|結果|具体|具體|详细|詳細|继续|繼續|可以|应该|應該|一下|一个|一個|一共"
    r"|总共|總共|然后|然後|之前|之后|之後|以后|加上|算上|减去|減去|分别|分別|时间|時間|地方|人|家|条|天"
    r"|[第个個位些種种加减減算]"
)
_OURS = Late(r"我|咱|\b(?:i|we|my|our|me|us)\b", re.IGNORECASE)
_WORD = Late(r"[a-z0-9][a-z0-9_'./@:-]*", re.IGNORECASE)
_HAN = Late(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_VAGUE = frozenset(
    ("one", "ones", "first", "second", "third", "last", "other", "others", "about", "else", "then")
)
_NAMES = Late(r"[\u3400-\u9fff]{2,}|[A-Za-z0-9][A-Za-z0-9_./@:-]{2,}")

_CHOICE = Late(
    r"第(?P<n>[一二两三四五六七八九十\d]{1,2})(?:个|個|条|條|项|項|种|種|家|款|位|点|點|步)"
    r"|(?P<first>前者|\b(?:the former|(?:the )?first)\b)"
    r"|(?P<last>后者|後者|最后一|最後一|\bthe la(?:tter|st)\b)"
    r"|\bthe (?P<en>second|third|fourth|fifth)\b",
    re.IGNORECASE,
)
_ENGLISH_ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}
_BULLET = Late(r"(?m)^\s*(?:\d{1,2}[.)、:：]|[-*•])\s*(.+)$")
_SERIES = Late(r"[^\s、,，。;；:：!！?？]+(?:、[^\s、,，。;；:：!！?？]+)+")
_LAST = Late(r"(?<=[^\s、])(?:以及|和|与|與|及|or|and)(?=[^\s、])")


def expanded(question: str, turns: Sequence[str], evidence: Sequence[str] = ()) -> tuple[str, ...]:
    """Return what stands in for the words that a follow-up leaves out; nothing for other questions.

    `turns` are the messages of the last turns, `evidence` lines kept of earlier ones, both oldest
    first. Never raises.
    """
    said = [text.strip()[:LISTED] for text in turns[-MESSAGES:] if text.strip()]
    if not leans(question):
        return ()
    chosen = _chosen(question, said[-1]) if said else ()
    before = said[:-1] if chosen else said
    stands_in = [*chosen, *(text[:LONGEST] for text in _leant_on(before))]
    return (*stands_in, *_kept(question, stands_in, evidence))


def _leant_on(said: Sequence[str]) -> Iterator[str]:
    """Yield messages, the last first, up to a question that is itself no follow-up."""
    for number, text in enumerate(reversed(said), start=1):
        yield text
        if number > 1 and not leans(text):
            return


def leans(question: str) -> bool:
    """Tell whether a question needs what was said before it to be understood.

    A number and nothing else is looked for itself.
    """
    text = question.strip()
    if not text or len(text) > QUESTION or text.isdecimal():
        return False
    size = content(text)
    if size == 0:
        return True
    return size <= (3 if _POINTERS.search(text) else 1 if asks(text) else 0)


def content(question: str) -> float:
    """Return how many words of its own a question has; a Chinese character is half a word."""
    rest = _LIGHT.sub(" ", _POINTERS.sub(" ", question))
    han = sum(not is_function_word(character) for character in _HAN.findall(rest))
    words = [word.casefold().strip(".'") for word in _WORD.findall(rest)]
    named = [word for word in words if not (is_function_word(word) or word in _VAGUE)]
    ours = 1 if _OURS.search(rest) else 0
    return ours + han / 2 + sum(map(_size, named))


def _size(word: str) -> int:
    """An identifier says all that there is to say; a bare number nothing."""
    if word.isdigit() and len(word) < 5:
        return 0
    return 4 if any(character.isdigit() for character in word) else 1


def _chosen(question: str, answer: str) -> tuple[str, ...]:
    """Return the item of a list that a question points at by its place."""
    match = _CHOICE.search(question)
    items = [item.strip() for item in _BULLET.findall(answer)] or _series(answer)
    if not match or len(items) < 2:
        return ()
    place = len(items) if match["last"] else 1
    if match["n"]:
        place = number_of(match["n"]) or 0
    elif match["en"]:
        place = _ENGLISH_ORDINALS[match["en"].casefold()]
    return (items[place - 1][:LONGEST],) if 0 < place <= len(items) else ()


def _series(answer: str) -> list[str]:
    """Return the items of 甲、乙和丙; of two joined by 和 too."""
    longest = max(_SERIES.findall(answer), key=len, default="")
    parts = longest.split("、") if longest else [answer.strip(" 。.!！")[:LONGEST]]
    return [*parts[:-1], *(part for part in _LAST.split(parts[-1]) if part)]


def _kept(question: str, stands_in: Sequence[str], evidence: Sequence[str]) -> Iterator[str]:
    """Yield the lines of evidence that share the most names with the question and its context."""
    lines = [line[:LONGEST] for line in evidence]
    names = {one for one in _pieces(" ".join((question, *stands_in))) if not is_function_word(one)}
    scored = [(len(names.intersection(_pieces(line))), n) for n, line in enumerate(lines)]
    for shared, number in sorted(scored, reverse=True)[:LINES]:
        if shared > 1:
            yield lines[number]


def _pieces(text: str) -> Iterator[str]:
    """Yield the pairs of Chinese characters, and the longer words of other scripts."""
    for run in _NAMES.findall(text):
        if run.isascii():
            yield run.casefold()
        else:
            yield from (run[at : at + 2] for at in range(len(run) - 1))
