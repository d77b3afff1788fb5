"""Whether a sentence is a question, also where no mark says so. Pure and linear."""

import re

from ..late import Late

LONGEST = 400
"""Characters of a sentence that is searched for words that ask; a longer one is prose."""

_WH = "(?:什么|多少|哪[个些里儿天年月位家种]?|谁|几[点号个时]|怎么样?|怎样|如何|为何)"
_YES_NO = "(?:是否|有没有|是不是|能不能|要不要|会不会)"
_ASKS = Late(
    r"什么|多少|哪[个些里儿天年月位家种]|谁[是的在]|是谁|几[点号个时]|怎么|怎样|如何|为何|是否|有没有|是不是|能不能"
)
_ANY = Late(
    # 都 and 也 behind the word: whatever, whoever; not those of 首都 and 都市.
    f"{_WH}(?!是)[^，。；,;：:]{{0,9}}?(?:(?<![首成国京古])都(?![市城会督])|也)"
    f"|(?:无论|不论|不管(?!了)|别管|任凭|随便)[^，。；,;]{{0,12}}?(?:{_WH}|{_YES_NO})"
    f"|没(?:有)?(?:什么|多少|几[个点时]|哪[个些里天]|怎么)|不怎么|不(?:是|算|用|必|需要?)什么"
    "|、[^，。；、]{1,8}什么的"
    r"|(?<=[这那好前后十百上过近头])几个|(?<=[这那好])几[时点]|(?<=[有提讲说])几点(?=[^了钟，。]{2})|几个(?=\D{0,60}\d)"
    "|多少(?:有[点些]|还是|也)"
    "|有什么(?:事|问题|情况|需要|变化|异常|消息)[^吗？]{0,6}?[，,]?(?:就|请|打|找|尽管|随时|直接|联系|告诉)"
    # The same word twice: 谁先到谁付钱.
    r"|(?P<wh>什么|多少|谁|怎么|哪[个里天])[^，。；,;、]{1,8}[，,]?[就则]?[^，。；,;、]{0,4}?(?P=wh)"
    # A question is the subject of what is said of it.
    f"|(?:{_YES_NO}|(?<!为){_WH})[^，。；,;]{{1,16}}?"
    "(?:取决于|待定|再定|再说|[没未]定|不重要|不影响|没关系|无所谓|由[^，。；,;]{1,10}(?:决定|拍板|定))"
    f"|{_YES_NO}[^，。；,;]{{0,12}}?[要得]看(?![到见不懂过])"
)
"""Words that ask elsewhere, but here mean any, none, some, or what somebody else will decide."""

_BE = "is|are|was|were|does|did|can|could|would|should|has|had"
_PRONOUN = "i|you|we|they|he|she|it|there|anyone|anybody|someone|people"
_ASKS_EN = Late(
    r"\s*(?:"
    rf"(?:what|which|who|whom|whose|why|how)(?!ever)\b(?! (?:{_PRONOUN}|matters|follows)\b)"
    rf"|(?:when|where)(?:['’](?:s|re|d|ll)\b"
    rf"|\s+(?:{_BE}|do|will|have|may|to|else|exactly|about|from)\b|\s*$)"
    # The subject stands behind the verb; where none does, it was left out: Has to be signed.
    rf"|(?:{_BE})\s+(?!(?:not|be|been|being|to|in|on|at|of|from|for|by|with|also|still|now|only"
    r"|just|never|always|like|love|prefer|have|get|got|told|due|the following)\b|[\d$€£¥#])[^\W\d]"
    rf"|(?:do|have)\s+(?:{_PRONOUN}|any|your|our|these|those)\b"
    rf"|(?:will|may)\s+(?:{_PRONOUN}|the|this|that|these|those|my|our|your|his|her|its|their)\b"
    rf"|(?:{_BE}|do|will|have)n['’]?t\s+(?:{_PRONOUN}|the|this|that|these|those|my|our|your)\b"
    rf"|(?:can|won)['’]t\s+(?:{_PRONOUN}|the|this|that|my|our|your)\b"
    r")",
    re.IGNORECASE,
)
_ELLIPTIC = Late(
    "(?:^|[，。；,;：: ])[^，。；,;：: 0-9有是在要会能还很真挺正不没了着过都也才]{1,9}呢$"
)
"""With a verb before it 呢 is no question: 他还在开会呢."""
_CLOSING = ' "”」』)）~。.!！'


def asks(text: str) -> bool:
    """Tell whether a sentence is a question."""
    end = text.rstrip(_CLOSING)
    if end.endswith(("?", "？", "吗")) or _ELLIPTIC.search(end[-12:]):
        return True
    if len(text) > LONGEST:
        return False
    if _ASKS_EN.match(text) and not text.rstrip().endswith((".", "。")):
        return True
    return _ASKS.search(text) is not None and _ASKS.search(_ANY.sub(" ", text)) is not None
