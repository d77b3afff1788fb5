"""Statements: what a clause says about what."""

import re
from dataclasses import dataclass

from .text import CLAUSE, HAN, LEAD, asks, keys, sentences, trimmed

_FROM = r"(?:\s*从\s*.{1,40}?)?"
_ADVERB = r"(?:已经|已|现在|目前|正式|最终|暂时|临时|又|再次|都|就|决定|统一|全部)*"
_UPDATE = (
    "改成|改为|改用|改到|改在|改叫|换成|换为|换到|换用|变成|变为|变更为|更新为|更新成|更新到"
    "|调整为|调整到|调整成|升级到|升级为"
    "|降到|升到|推迟到|延期到|延后到|提前到|定在|定为|定于|设为|设成|设置为|搬到|移到|迁移到"
    "|迁到|更名为|改名为"
)
_COPULA = (
    r"叫做|叫作|名叫|用的是|选的是|等于|选用|使用|采用|位于|住在|(?<![因认作成视以])为(?![什了])"
    r"|(?<![但还于只总可要凡就不像])是(?!否|不是)"
    r"|叫"
)
_RULES: tuple[tuple[bool, re.Pattern[str]], ...] = (
    (
        True,
        re.compile(
            rf"^(?:我们?|咱们)?{_ADVERB}(?:把"
            rf"|将)?(?P<s>.*?){_ADVERB}{_FROM}{_ADVERB}(?:{_UPDATE})\s*(?P<o>.+)$"
        ),
    ),
    (
        True,
        re.compile(
            r"^(?P<s>.+?)\s+(?:has|have|was|is|were|are|will be)?\s*(?:been\s+)?(?:now\s+)?"
            r"(?:changed|changes|moved|moves|switched|switches|updated|renamed|migrated"
            r"|postponed|upgraded)"
            r"(?:\s+from\s+.+?)?\s+to\s+(?P<o>.+)$",
            re.IGNORECASE,
        ),
    ),
    (
        True,
        re.compile(
            r"^(?:we|i|they)(?:'ve| have)?\s+(?:now\s+)?(?:changed|moved|switched|updated"
            r"|renamed|migrated|set)\s+"
            r"(?P<s>.+?)(?:\s+from\s+.+?)?\s+to\s+(?P<o>.+)$",
            re.IGNORECASE,
        ),
    ),
    (True, re.compile(r"^(?P<s>.+?)\s+(?:is|are)\s+now\s+(?P<o>.+)$", re.IGNORECASE)),
    (
        True,
        re.compile(
            r"^(?P<s>.+?)\s+(?:now|currently)\s+(?:is|are|uses?)\s+(?P<o>.+)$", re.IGNORECASE
        ),
    ),
    (
        False,
        re.compile(
            rf"^(?P<s>.*?[\u3400-\u9fffA-Za-z0-9）)”\"]){_ADVERB}\s*(?:{_COPULA})\s*(?P<o>.+)$"
        ),
    ),
    (
        False,
        re.compile(
            r"^(?P<s>.+?)\s+(?:is called|is named|are called|is set to|is|are|was|were|equals"
            r"|will be|means)\s+"
            r"(?P<o>.+)$",
            re.IGNORECASE,
        ),
    ),
    (False, re.compile(r"^(?P<s>[^:：=]{1,60}?)\s*(?:[:：=]|->|→)\s*(?P<o>.+)$")),
)
_TAIL = re.compile(
    r"\s*(?:了|啦|哦|吧|\binstead of\b.*|\brather than\b.*|而不是.*|[,，]?\s*不再.*|[(（](?:原"
    r"|之前|was |formerly|previously).*?[)）])\s*$",
    re.IGNORECASE,
)
_CITE = re.compile(r"\s*@t(\d+)\s*$")


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause: its subject and value where a copula divides it, else all of it as value."""

    text: str
    subject: str
    value: str
    update: bool
    """Whether it says that something has changed."""
    about: frozenset[str]
    """Content keys of the subject."""

    def share(self, wanted: frozenset[str], whole: str) -> float:
        """Return the share of `wanted` keys in the statement; `whole` is its sentence."""
        words = keys(self.text)
        hit = sum(1 for key in wanted if key in words or (HAN.match(key) and key in whole))
        return hit / len(wanted) if wanted else 0.0


def statements(text: str) -> tuple[Statement, ...]:
    """Return the statements of a text, questions left out."""
    found: list[Statement] = []
    for sentence in sentences(_CITE.sub("", text)):
        plain = _led(sentence)
        if not plain or asks(plain):
            continue
        clauses = [c.strip() for c in CLAUSE.split(plain) if c and c.strip()]
        divided = [clause for clause in clauses if _divide(clause)]
        # One copula only: what follows a comma still belongs to the value.
        parts = clauses if len(divided) > 1 else [plain]
        found += [_statement(part) for part in parts]
    return tuple(found)


def _led(sentence: str) -> str:
    while (shorter := LEAD.sub("", sentence, count=1)) != sentence and shorter:
        sentence = shorter
    return sentence.strip()


def _statement(clause: str) -> Statement:
    divided = _divide(clause)
    if not divided:
        return Statement(clause, "", trimmed(clause), False, frozenset())
    update, subject, value = divided
    return Statement(clause, subject, value, update, keys(subject))


def _divide(clause: str) -> tuple[bool, str, str] | None:
    clause = _led(clause)
    for update, rule in _RULES:
        if found := rule.match(clause):
            value = trimmed(_TAIL.sub("", trimmed(found["o"])))
            subject = re.sub(r"^(?:把|将|关于|其中)\s*", "", trimmed(found["s"]))
            if value and subject:
                return update, subject, _unquoted(value)
    return None


def _unquoted(value: str) -> str:
    found = re.fullmatch(r"[“\"'「`『](.*)[”\"'」`』]", value)
    return found[1] if found and found[1] else value
