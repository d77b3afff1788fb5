"""What any language rule needs: content words, sentences, questions, quotes."""

import re
from collections.abc import Iterator

from ...prompts import Language

HAN = re.compile(r"[\u3400-\u9fff]")
WORD = re.compile(r"[A-Za-z0-9_]+(?:[.\-/:+#@][A-Za-z0-9_]+)*[+#]*|[\u3400-\u9fff]+")
NUMBER = re.compile(
    r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|\.\d)|(?<=[\u3400-\u9fff])\d+(?:\.\d+)?"
)
QUOTED = re.compile(
    r"“([^”]*)”|\"([^\"]*)\"|「([^」]*)」|『([^』]*)』|`([^`]+)`|'([^']*)'(?!\w)|‘([^’]*)’"
)
SENTENCE = re.compile(r"[。！？!?；;\n]+|\.(?=\s|$)")
CLAUSE = re.compile(r"[，,、]\s*|\bbut\b|但是|不过")
LEAD = re.compile(
    r"^\s*(?:[-*•]\s+)?(?:(?:请|麻烦|帮我|你)?(?:务必)?(?:记住|记一下|记下来?|牢记|备忘)(?:一点"
    r"|这点|一下)?"
    r"|更新(?:一下)?|更正(?:一下)?|纠正(?:一下)?|注意|对了|另外|顺便说(?:一下|一句)?|补充(?:一下"
    r"|一点)?|提醒(?:一下)?|通知"
    r"|(?:please\s+)?(?:remember|note|keep in mind)(?:\s+that|\s+this)?|update|correction|fyi"
    r"|by the way"
    r"|also|btw|reminder|actually)\s*[:：,，]?\s*",
    re.IGNORECASE,
)
ASKING_ZH = re.compile(
    r"什么|多少|哪|谁|几[个点号天年月]|怎么|如何|是否|吗\s*$|呢\s*$|是不是|有没有|告诉我|还记得"
)
ASKING_EN = re.compile(
    r"^\W*(?:and |so |but |ok,? |please |can you |could you |do you )*(?:what|which|who|whom"
    r"|whose|when|where|"
    r"how|why|is|are|was|were|do|does|did|can|could|should|has|have|tell me|remind me"
    r"|remember what)\b",
    re.IGNORECASE,
)
POLITE = re.compile(
    r"^\s*(?:请问一下|请问|请你|请|麻烦你?|帮我|帮忙|能不能|可以|你能|please|could you|can you"
    r"|would you|kindly|"
    r"now|then|ok|好的?|那么(?!多)|接着|然后|现在|接下来|下一步)\s*[,，:：]?\s*",
    re.IGNORECASE,
)
STOP_ZH = re.compile(
    r"请问|帮我|告诉我|还记得|记得|我们|咱们|你们|现在|目前|当前|最新|最终|到底|究竟|一下"
    r"|什么时候|什么|多少|哪一?[个些里儿天位款种]"
    r"|哪|谁|几[号点个]|怎么|如何|是否|是不是|有没有|分别|之前|以前|原来|原先|最初|最早|一开始"
    r"|刚才|应该|可以|已经|后来|之后|"
    r"名字|名称|叫做|使用|[请的是了吗呢吧啊呀在为叫用有我你他她它这那个和与把将对就都也又还几]"
)
STOP_EN = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "am",
        "do",
        "does",
        "did",
        "what",
        "which",
        "who",
        "whom",
        "whose",
        "when",
        "where",
        "how",
        "why",
        "many",
        "much",
        "i",
        "you",
        "we",
        "they",
        "it",
        "its",
        "my",
        "your",
        "our",
        "their",
        "his",
        "her",
        "me",
        "us",
        "to",
        "in",
        "on",
        "at",
        "for",
        "with",
        "and",
        "or",
        "as",
        "by",
        "from",
        "now",
        "current",
        "currently",
        "please",
        "tell",
        "remember",
        "recall",
        "remind",
        "there",
        "this",
        "that",
        "these",
        "those",
        "s",
        "t",
        "re",
        "will",
        "would",
        "can",
        "could",
        "should",
        "have",
        "has",
        "had",
        "use",
        "used",
        "using",
        "called",
        "named",
        "again",
        "still",
        "before",
        "previously",
        "originally",
        "originall",
        "earlier",
        "first",
        "if",
        "any",
        "about",
        "so",
        "then",
        "ok",
        "respectively",
        "both",
        "one",
    ]
)
WEAK = frozenset({"name", "value", "值"})


def language(text: str) -> Language:
    """Return the language to answer in: Chinese where any Han character stands."""
    return "zh" if HAN.search(text) else "en"


def words(text: str) -> tuple[str, ...]:
    """Return the content words of a text: Latin words lowered, Han runs without function words."""
    found: list[str] = []
    for match in WORD.finditer(text):
        run = match.group()
        if HAN.match(run):
            found += STOP_ZH.sub(" ", run).split()
        elif (word := stem(run.lower())) not in STOP_EN or _label(run, match.start()):
            found.append(word)
    strong = [word for word in found if word not in WEAK]
    return tuple(dict.fromkeys(strong or found))


def _label(run: str, start: int) -> bool:
    """Whether a single letter names something (server A) and is no article or pronoun."""
    return len(run) == 1 and run.isupper() and run != "I" and start > 0


def stem(word: str) -> str:
    """Fold plural and spelling variants of a Latin word."""
    word = re.sub(r"(?<=\w\w)our(?=s?$|ite|ed|ing|able)", "or", word)
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def keys(text: str) -> frozenset[str]:
    """Return what overlap is measured in: Latin words and pairs of Han characters."""
    found: set[str] = set()
    for word in words(text):
        if HAN.match(word) and len(word) > 1:
            found.update(word[at : at + 2] for at in range(len(word) - 1))
        else:
            found.add(word)
    return frozenset(found)


def sentences(text: str) -> Iterator[str]:
    """Cut a text into sentences, without those that are empty."""
    return (part.strip() for part in SENTENCE.split(text) if part.strip())


def asks(text: str) -> bool:
    """Whether a text is a question."""
    stripped = text.strip()
    if stripped.endswith(("?", "？")):
        return True
    return bool(ASKING_ZH.search(stripped) if HAN.search(stripped) else ASKING_EN.match(stripped))


def quoted(text: str) -> list[str]:
    """Return what stands in quotation marks or backticks, in order."""
    return [next((g for g in m.groups() if g is not None), "") for m in QUOTED.finditer(text)]


def polite(text: str) -> str:
    """Strip the polite and connecting words before a task."""
    while (shorter := POLITE.sub("", text)) != text and shorter:
        text = shorter
    return text.strip()


def trimmed(text: str) -> str:
    """Strip space and closing punctuation."""
    return text.strip().strip("。.!！?？,，;；:：、 \t\n")
