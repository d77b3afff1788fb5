"""Secrets told by what they are: cards, identity numbers, cookies, a login, a hint with its value.

Numbers are told by their check digits where they have them, else by the word before them.
"""

import re

from ..late import Late
from .keyforms import Kind

_GROUPED = (
    r"(?<![0-9A-Za-z.-])[2-6][0-9]{3}(?P<gap>[ -]?)[0-9]{4}(?P=gap)[0-9]{4}"
    r"(?:(?P=gap)[0-9]{1,7}){1,2}"
)
_CARD = Late(rf"{_GROUPED}(?![0-9A-Za-z]|[ -][0-9])|(?<![0-9.])3[47][0-9]{{13}}(?![0-9])")
_CARD_WORD = Late(
    r"(?<!会员)(?<!加油)(?<!购物)(?:银行|信用|储蓄|借记|[工建农中招交邮]行)[卡账帐]|(?<!会员)(?<!加油)(?<!购物)卡号"
    r"|\b(?:bank|credit|debit)[ -]?card|\bcard (?:number|no)|\b(?:visa|mastercard|amex)\b",
    re.IGNORECASE,
)
_ALL_CARD_DIGITS = range(13, 20)
_NEAR_CARD = 24
"""Characters before a number in which the word for it stands."""
_CITIZEN = Late(r"(?<![0-9A-Za-z])[1-9][0-9]{5}(?:18|19|20)[0-9]{9}[0-9Xx](?![0-9A-Za-z])")
_CITIZEN_WORD = Late("身份证|身分证|证件号|公民身份")
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_SOCIAL = Late(
    r"\b(?:ssn|social security(?: number| no\.?)?|national insurance(?: number)?)\b[^\n\d]{0,20}"
    r"(?:\d{3}[- ]?\d{2}[- ]?\d{4}(?!\d)|[a-z]{2} ?\d\d ?\d\d ?\d\d ?[a-d]\b)",
    re.IGNORECASE,
)
_PASSPORT = Late(
    r"(?:\bpassport|护照)[^\n\d]{0,12}?(?<![A-Za-z0-9])[A-Z]{1,2}\d{6,9}(?![\dA-Za-z])",
    re.IGNORECASE,
)
_COOKIE = Late(
    r"\bcookie['\"]?\s?[:=]\s?['\"]?[\w.-]{1,40}=(?=[^\s;]{0,80}\d)[^\s;'\"]{8,}"
    r"|\b(?:[jp]?(?:hp)?sess(?:ion)?[_-]?id|connect\.sid|csrf[_-]?token)=(?=[^\s;]{0,80}\d)[^\s;'\"]{12,}",
    re.IGNORECASE,
)
_LOGIN_AT = Late(
    r"(?<![\w.-])(?:root|admin(?:istrator)?|ubuntu|deploy|postgres|oracle|sa|guest)"
    r":(?=[^\s:@/]{0,60}\d)[^\s:@/]{4,60}@[\w-]+\.[\w.-]+"
)
_LOGIN_WORD = Late(
    r"密码|口令|账号|帐号|登录|登陆|\b(?:password|log ?in|account|credentials)\b", re.IGNORECASE
)
_MAIL_AND = Late(r"@[\w-]+\.[\w.]+ ?[/:,] ?(?=[^\s/]{0,30}\d)(?=[^\s/]{0,30}[A-Za-z])[^\s/]{6,40}$")
_PAIR = Late(
    r"(?<![^\s:：,，(（])[\w.@-]{2,40} ?[/:] ?(?P<value>[^\s/:]{6,60})(?![^\s,.;，。；)）])"
)
_SIGN = re.compile(r"[!$^*@~]")
_HINT = (
    "生日|名字|姓名|拼音|工号|学号|门牌|[后前尾末].?位|倒过来|倒着|反过来|加上?|左|右|[两三四五六七八]个"
    "|[大小]写|首字母|谐音"
)
_HINTED = Late(
    rf"(?:密码|口令)[^，。；,;\n]{{0,8}}?(?:{_HINT})[^，。；,;\n]{{0,10}}?[ :是为]"
    r"(?:[A-Za-z]{2,20}\d{2,10}|\d{4,10})(?![\dA-Za-z]|[ ]?[位个字天元年月次])"
)
_SPACED = Late(
    r"(?:密码|口令|PIN|pin|password|passcode)(?: (?:is|code) | ?[是为:]? ?)(?:\d[ -]){3,11}\d(?!\d)"
)
_PHRASE = Late(
    r"(?:pass ?phrase|(?:seed|recovery) phrase|mnemonic|助记词) ?(?:is|are|was|=|:|是|为) ?:? ?"
    r"(?P<words>(?:[a-z]{3,10} ){3,23}[a-z]{3,10})(?![\w'])",
    re.IGNORECASE,
)
_PROSE = re.compile(
    r"\b(?:the|with|and|for|not|was|has|have|had|will|should|must|can|from|into|under|over|until|when"
    r"|that|this|your|our|their|his|her|its|kept|hidden|written|known|only|never|always|longer"
    r"|[a-z]+ed)\b"
)


def personal(plain: str) -> Kind | None:
    """Return the kind of the first of these secrets in a text that was folded to NFKC."""
    if any(_is_card(found) for found in _CARD.finditer(plain)):
        return "card"
    if any(_is_citizen(found) for found in _CITIZEN.finditer(plain)) or any(
        told.search(plain) for told in (_SOCIAL, _PASSPORT)
    ):
        return "identity"
    if _COOKIE.search(plain):
        return "token"
    return "password" if _is_password(plain) else None


def _is_card(found: re.Match[str]) -> bool:
    """Whether a number is one of a card: by its word, or in groups of four and by its check."""
    digits = re.sub("[ -]", "", found[0])
    if len(digits) not in _ALL_CARD_DIGITS:
        return False
    before = found.string[max(0, found.start() - _NEAR_CARD) : found.start()]
    return _CARD_WORD.search(before) is not None or bool(found["gap"]) and _luhn(digits)


def _luhn(digits: str) -> bool:
    doubled = (sum(divmod(2 * int(one), 10)) for one in digits[-2::-2])
    return (sum(map(int, digits[-1::-2])) + sum(doubled)) % 10 == 0


def _is_citizen(found: re.Match[str]) -> bool:
    before = found.string[max(0, found.start() - _NEAR_CARD) : found.start()]
    if _CITIZEN_WORD.search(before):
        return True
    number = found[0].upper()
    born = 0 < int(number[10:12]) < 13 and 0 < int(number[12:14]) < 32
    total = sum(int(one) * weight for one, weight in zip(number[:17], _WEIGHTS, strict=True))
    return born and "10X98765432"[total % 11] == number[17]


def _is_password(plain: str) -> bool:
    if _LOGIN_AT.search(plain) or _HINTED.search(plain) or _SPACED.search(plain):
        return True
    phrases = (found["words"].lower() for found in _PHRASE.finditer(plain))
    if any(not _PROSE.search(words) for words in phrases):
        return True
    if not _LOGIN_WORD.search(plain):
        return False
    return _MAIL_AND.search(plain) is not None or any(
        _mixed(found["value"]) for found in _PAIR.finditer(plain)
    )


def _mixed(value: str) -> bool:
    """Whether a word has letters, digits and signs in it: hardly a name."""
    kinds = (str.isalpha, str.isdigit)
    return _SIGN.search(value) is not None and all(any(map(kind, value)) for kind in kinds)
