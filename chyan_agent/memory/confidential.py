"""What must not be noted: keys, tokens and passwords in the forms in which people give them.

A secret is known by its form, or by a word for it that a value stands to: after it (`the password
is …`, 密码是…, `DB_PASS=…`) or before it (`… is my password`, 用…作为密码).
"""

import re
import unicodedata

from ..late import Late
from ..statements.scripts import simplified
from .keyforms import Kind, known_form, random_blob
from .personal import personal

__all__ = ["Kind", "secret"]

_STRONG_ZH = (
    "密码|口令|密钥|密匙|秘钥|私钥|金钥|验证码|助记词|访问码|授权码|通行码|解锁码|PIN ?码"
    "|令牌|权杖|凭证|凭据|安全码|动态码|短信码"
)
_STRONG_EN = (
    r"pass ?words?|pass ?phrase|passcodes?|passwd|pwd|pin(?: code)?"
    r"|secret(?: access)? keys?|(?:api|app|access|auth|secret|private|signing|encryption|license"
    r"|account|service|client|session|user|bot|webhook)[ _-]?(?:keys?|tokens?|secrets?)|token"
    r"|(?:door|gate|entry|alarm|access|security|unlock|keypad|garage|verification|login|one[- ]time"
    r"|backup|recovery) codes?|cvv|cvc|otp"
    r"|(?:safe|lock|locker|padlock) combination|(?:seed|recovery) phrase"
)
_WEAK_EN = r"secrets?|credentials?|auth|pass|pw|psw"
"""Words that mostly mean something else: what follows must look like a secret too."""
_JOINED_EN = "password|passwd|passphrase|secret|apikey"
"""Words that end a name without any joint: appsecret, dbpassword."""

_V = r"[!-~]{3,200}"
_OLD = r"(?:[从由][^，。、；,;\n]{1,40}?|from [!-~]{1,60} )"
_WHOSE = r"(?: ?\([^()\n]{1,20}\)| (?:for|of|on|at|to) (?:[\w'@.-]{1,30} ){0,3}?[\w'@.-]{1,30})"
"""Which one it is: (new), for the router."""
_ALSO = (
    "已经|已|现在|目前|暂时|暂|还|原来|原先|以前|之前|一直|其实"
    "|应该|大概|可能|都|就|才|又|我|我们|给|被|重新|统一|的值"
)
_MADE = (
    r"(?:改|换|设|更新|更改|更换|变|变更|修改|调整|替换|重置|重设|设置|设定|配置|定)(?:成|为|到)?"
)
_TAKEN = "用|填|写|叫[做作]?|记[为成]|输入|输|选|取"
_IS_ZH = rf"(?:(?:{_ALSO}) ?){{0,3}}{_OLD}?(?:是|为|{_MADE}|{_TAKEN})(?:了|的是|的|是)?"
_IS_ZH += "(?:全|都|大写|小写|数字|字母|的|是){0,3}:?"
_AUX = (
    "is|was|became|are|were|has|have|been|got|will|should|must|be|now|still|just|currently|already"
)
_CHANGED = "changed|updated|reset|set|switched|rotated|renewed|moved|equals"
_IS_EN = (
    rf"(?:(?:{_AUX}) ){{1,4}}(?:(?:{_CHANGED}) )?{_OLD}?(?:to )?|(?:{_CHANGED}) {_OLD}?to "
    rf"|{_OLD}?to |equals "
)
_WORD = (
    rf"(?:(?P<zh>{_STRONG_ZH})"
    rf"|(?:^|[^A-Za-z]|(?-i:(?<=[a-z])(?=[A-Z])))(?:(?P<en>{_STRONG_EN})|(?P<weak>{_WEAK_EN}))"
    rf"|(?P<joined>{_JOINED_EN}))"
)
_NAMED = Late(
    rf"{_WORD}(?:内容|明文|原文)?['\"]?{_WHOSE}??"
    rf"(?P<joint> ?(?:[:=→]|[=-]>) ?\n? ?| ?{_IS_ZH} ?| (?:{_IS_EN}):? ?|'s (?:now )?| (?=[!-~]*\d)"
    rf"|(?(zh)(?=[A-Za-z0-9*#][!-~]*\d|\d)|(?!)))"
    rf"['\"“「『`]?(?:(?P<value>{_V})|(?P<han>[\u4e00-\u9fff]{{1,12}}[!-~]*\d[!-~]*))(?P<rest>.?)",
    re.IGNORECASE,
)
_QUOTED = Late(
    rf"(?:{_STRONG_ZH})(?: ?[:=] ?| ?{_IS_ZH} ?)"
    r"(?:“[^”\n]{2,40}”|「[^」\n]{2,40}」|『[^』\n]{2,40}』)"
)
_END = r"(?= ?(?:$|[\n.,;!?)。、]|了|吧|啊|哦|就行|for\b|to\b|on\b|now\b|and\b|there\b))"
_OWNER_EN = r"(?:my|our|the|his|her|their|your|its|an?|[A-Za-z]{1,20}'s) (?:[A-Za-z'-]{1,20} ){0,2}"
_GIVEN_FIRST = Late(
    rf"(?<![!-~])(?P<value>{_V}+)(?:(?:[，,]? ?这?(?:就|才|仍|还)?(?:是|为|当作?|当成|作为?|充当"
    rf"|设为|设成|设置为) ?(?:[\u4e00-\u9fff]{{0,8}}|[A-Za-z-]{{1,12}} ?)"
    rf"(?:密码|口令|密钥|验证码|PIN ?码))"
    rf"| (?:is|was|as|for|will be|works as|serves as) (?:{_OWNER_EN})?(?:{_STRONG_EN})){_END}",
    re.IGNORECASE,
)
_PLACEHOLDER = Late(
    r"[*x.•#_<>{}\[\]$-]+|<.*|\$\{?[A-Za-z_].*|\{\{?.*|%[A-Za-z_]+%.*|your[-_ ]?.*"
    r"|(?:my|an?|the)?[-_]?(?:example|placeholder|sample|dummy|changeme|redacted|hidden|masked)[-_a-z]*"
    r"|none|null|nil|true|false|n/?a|env(?:iron)?[.\[(:].*|os\..*|process\..*|https?://.*|vault:.*"
    r"|file:.*|~?/.*",
    re.IGNORECASE,
)
_EN_PROSE = Late(
    r"(?:a|an|the|my|our|your|his|her|their|its|this|that|what|why|how|where|who|in|on|at|by|of|for|from|with|not|no|never|still|only|very|too|also|now|kept|held"
    r"|written|optional|wrong|correct|invalid|valid|missing|empty|unknown|unset|set|reset|case"
    r"|longer|shorter|stronger|weak|strong|secret|private|public|sent|known|available|given|and|or|see|ask"
    r"|expires?|lasts?|lives?|goes|must|should|can|may|will|has|have|needs?|[a-z]{2,}ed)[.,;!]?",
    re.IGNORECASE,
)
_ABOUT = Late(  # how something is kept, not what it is
    r"(?:b|s|ye)crypt\w*|argon2\w*|pbkdf2\w*|md[45]|sha[-_]?\d+|[rhe]s\d{3}|aes[-_\d]*\w*"
    r"|rsa[-_\d]*|ed25519|x\.?509|oauth[-_ ]?\d?(?:\.\d)?|saml\d?(?:\.\d)?|tls\S*|base\d\d|utf-?\d+"
    r"|totp\d?|2fa|1password|keepass\w*|pkcs\S*|varchar\S*|char\S*|iso\d+|v?\d+(?:\.\d+)+"
    r"|[\w+.]+-(?:[a-z]+ed|based|only|less|free|like|safe|sensitive|driven|bit|char|digit|day)",
    re.IGNORECASE,
)
_COUNT = Late(r"[\d,._]+[kKmM]?(?:\+|/s)?")
_COUNTED = Late(
    r"[\d,.~-]*\+? ?(?:[位个字天次年月日秒分小周元种条人号轮级组行章步]"
    r"|(?:char|digit|letter|bit|byte|symbol|time|day|week|month|year|hour|min|sec|attempt|user|people|test|word)[a-z]*\b"
    r"|(?:ms|[smhdvaw]|mm|[kmg]b)\b)",
    re.IGNORECASE,
)
_NAME = Late(r"[A-Z]{1,6}\d{4,}|[A-Za-z]+(?:[-_.][A-Za-z0-9]+)+|[\d:.,_-]+")
"""What a word that seldom means a secret is followed by: a name, a number, a time."""
_DATE = Late(r"\d{4}[-/.]\d{1,2}(?:\D|$)")
_NEAR = Late(
    rf"{_STRONG_ZH}|(?<![A-Za-z])(?:{_STRONG_EN}|{_WEAK_EN}|keys?)(?![A-Za-z])", re.IGNORECASE
)
_CHANGES = Late(r"\b(?:set|chang|reset|updat|switch|rotat|mak)[a-z]* [^.;!?]*$", re.IGNORECASE)
"""What stands before `the password to` where a new one follows, not what it is for."""
_MARKS = "\"'”」』`.,;!)"


def secret(text: str) -> Kind | None:
    """Return the kind of the first secret in a text, or None. The text itself is never shown."""
    if kind := known_form(text):
        return kind
    plain = re.sub(r"[^\S\n]+", " ", simplified(unicodedata.normalize("NFKC", text)))
    if kind := personal(plain):
        return kind
    for named in _NAMED.finditer(plain):
        if _given(named):
            word = named["zh"] or named["en"] or named["weak"] or named["joined"]
            return _kind(word.lower())
    if _QUOTED.search(plain):
        return "password"
    if any(_made_up(found["value"], "") for found in _GIVEN_FIRST.finditer(plain)):
        return "password"
    return "key" if _NEAR.search(plain) and random_blob(plain) else None


def _kind(name: str) -> Kind:
    if re.search("key|钥|助记词|phrase|private|license", name) and "pass" not in name:
        return "key"
    return "token" if re.search("token|令牌|权杖|凭[证据]|credential|auth", name) else "password"


def _given(named: re.Match[str]) -> bool:
    """Whether what follows the word is the thing itself, not a remark about it."""
    joint, after = named["joint"].strip(), named.string[named.end("value") :][:12]
    if named["han"]:
        return _in_chinese(named, joint)
    value = named["value"].rstrip(_MARKS)
    if _says_about(value, after) or _is_count(named, value):
        return False
    if named["weak"] and not _assigned(named["weak"], joint):
        return _made_up(value, after) and not _NAME.fullmatch(value)
    if named["weak"] and value.isdigit() or not joint and _DATE.match(value):
        return False
    if named["zh"] and not re.search("[是为成到:=→>]", joint):
        return _made_up(value, after)
    return not _plain(value) or _alone(named, value, joint)


def _assigned(word: str, joint: str) -> bool:
    return joint == "=" or joint == ":" and word.lower().startswith("secret")


def _plain(value: str) -> bool:
    return value.isalpha() and (value.islower() or value.istitle())


def _alone(named: re.Match[str], value: str, joint: str) -> bool:
    """Whether a mere word stands as a value: written to a mark, or with nothing after it."""
    written = joint in (":", "=", "→", "=>", "->")
    ends = not named["rest"].strip() or not named["rest"].isascii()
    if joint == "to" and not _CHANGES.search(named.string[: named.start() + 1][-60:]):
        return False
    return (ends or written) and (named["zh"] is not None or not _EN_PROSE.fullmatch(value))


def _in_chinese(named: re.Match[str], joint: str) -> bool:
    """Whether Chinese with a number at its end is the value: 密码是芝麻开门123, not 由第3组管."""
    stop = named["rest"] in ("", *" \n，。；、！,;!)）”」』")
    strong = named["zh"] is not None and not re.match("令牌|权杖|凭", named["zh"])
    prose = re.search("[在由从按见第存放于经与和跟每约至]|需要|必须|至少", named["han"])
    return strong and bool(joint) and stop and not prose


def _says_about(value: str, after: str) -> bool:
    """Whether a value is none: too short, left open, the name of a way to keep it, a count."""
    about = _PLACEHOLDER.fullmatch(value) or _ABOUT.fullmatch(value)
    return len(value) < 3 or about is not None or _counts(value, after)


def _counts(value: str, after: str) -> bool:
    """Whether a number is counted in something: 12 characters, 60 秒."""
    number = re.match(r"[\d,.~+-]+(?=[A-Za-z]*$)", value)
    return number is not None and bool(_COUNTED.match(value[number.end() - 1 :] + after))


def _is_count(named: re.Match[str], value: str) -> bool:
    """Whether a number counts tokens."""
    word = named["en"] or named["zh"] or ""
    return ("token" in word.lower() or word == "令牌") and _COUNT.fullmatch(value) is not None


def _made_up(value: str, after: str) -> bool:
    """Whether a value looks invented: letters with digits or signs, or a number of four or more."""
    bare = value.rstrip(_MARKS)
    if _says_about(bare, after) or "://" in bare or not any(map(str.isdigit, bare)):
        return False
    return any(map(str.isalpha, bare)) or len(bare) > 3
