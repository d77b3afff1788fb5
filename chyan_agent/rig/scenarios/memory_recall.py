"""Remember, distract, ask later: facts noted on request, facts only said in passing, updates."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from ..checks import Answered, AnswerLacks, Check, Noted, ToolUnused, ToolUsed, both, has
from . import Author, Cast, files, linear, words

Draw = Callable[[Random], str]


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that projects have: its name and how to ask for it, in both languages."""

    zh: str
    zh_ask: str
    en: str
    draw: Draw


def _pick(*values: str) -> Draw:
    return lambda rng: rng.choice(values)


def _place(rng: Random) -> str:
    return f"{rng.choice('ABCDEF')}{rng.randint(2, 9)}{rng.randint(10, 48)}"


PROJECT = (
    Attribute("服务端口", "是多少", "server port", lambda r: str(r.randint(2000, 9900))),
    Attribute("主数据库", "是什么", "main database", _pick("PostgreSQL", "MySQL", "Oracle", "TiDB",
                                                       "MongoDB", "MariaDB")),
    Attribute("上线日期", "是哪天", "launch date",
              lambda r: f"2026-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}"),
    Attribute("评审会议室", "是哪间", "review room", _place),
    Attribute("预算", "是多少", "budget", lambda r: str(r.randrange(12000, 99000, 500))),
    Attribute("版本号", "是多少", "release version",
              lambda r: f"v{r.randint(1, 9)}.{r.randint(0, 20)}.{r.randint(0, 99)}"),
    Attribute("合同编号", "是什么", "contract number", lambda r: f"HT-{r.randint(10000, 99999)}"),
    Attribute("部署城市", "是哪里", "deployment city", _pick("Hangzhou", "Chengdu", "Xiamen",
                                                      "Wuhan", "Suzhou", "Dalian")),
)  # fmt: skip
PERSON = (
    Attribute("分机号", "是多少", "extension", lambda r: str(r.randint(2000, 8999))),
    Attribute("工位", "在哪里", "desk", lambda r: f"{r.randint(2, 20)}F-{r.randint(10, 99)}"),
    Attribute("工号", "是多少", "badge number", lambda r: f"N{r.randint(100000, 999999)}"),
    Attribute("车牌号", "是什么", "licence plate",
              lambda r: f"{r.choice('ABCDEF')}{r.randint(10000, 99999)}"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """Something true, in the language in which it is told and asked for; the last value holds."""

    subject: str
    ask: str
    values: tuple[str, ...]
    english: bool

    @property
    def told(self) -> str:
        """The fact as it is told first."""
        return self.said(0)

    def said(self, version: int) -> str:
        """Return the sentence without its end."""
        return f"{self.subject}{' is ' if self.english else '是 '}{self.values[version]}"

    @property
    def question(self) -> str:
        """The question for it."""
        return f"What is {self.subject}?" if self.english else f"{self.subject}{self.ask}？"

    def changed(self, version: int) -> str:
        """Return the sentence that brings it up to date."""
        value = self.values[version]
        return (
            f"Update: {self.subject} is now {value}"
            if self.english
            else f"更新一下：{self.subject}改为 {value}"
        )

    def asked(self, version: int) -> Check:
        """Return the check of an answer while `version` holds."""
        stale = (AnswerLacks(v) for v in self.values[:version])
        return both(has(self.values[version]), *stale)


FACTS = 8
VERSIONS = 3


def facts(rng: Random, cast: Cast, english: float) -> tuple[Fact, ...]:
    """Draw the facts of a round: no subject twice, no value twice."""
    owners = [(o, a) for o in cast.projects for a in PROJECT]
    owners += [(o, a) for o in cast.people for a in PERSON]
    drawn: list[Fact] = []
    seen: set[str] = set()
    for owner, attribute in rng.sample(owners, FACTS):
        values: list[str] = []
        while len(values) < VERSIONS:
            value = attribute.draw(rng)
            if value not in values and (value not in seen or value.isalpha()):
                values.append(value)
        seen.update(values)
        drawn.append(_fact(owner, attribute, tuple(values), rng.random() < english))
    return tuple(drawn)


def _fact(
    owner: tuple[str, str], attribute: Attribute, values: tuple[str, ...], english: bool
) -> Fact:
    zh, latin = owner
    project = attribute in PROJECT
    if english:
        name = f"the {latin.title()} project's" if project else f"{latin}'s"
        return Fact(f"{name} {attribute.en}", "", values, english)
    name = f"{zh}项目" if project else zh
    return Fact(f"{name}的{attribute.zh}", attribute.zh_ask, values, english)


def write_for(seed: int, number: int, author: Author, cast: Cast) -> None:
    """Write 30 turns; from the second round on, the last two ask for facts of earlier rounds."""
    known = facts_of(seed, number, author.english)
    _first(author, known)
    _second(author, known, cast)
    _third(author, known, cast)
    if number > 1:
        earlier = author.rng.randrange(1, number)
        _ask(author, facts_of(seed, number - 1, author.english)[2], 0)
        _ask(author, facts_of(seed, earlier, author.english)[4], 0)
    else:
        _ask(author, known[7], 0)
        _ask_first(author, known[0])


def facts_of(seed: int, number: int, english: float) -> tuple[Fact, ...]:
    """Return the facts of a round, the same at every call."""
    return facts(Random(f"{seed}/{number}/facts"), words.cast(seed, number), english)


def _first(author: Author, known: tuple[Fact, ...]) -> None:
    """Ten turns: notes on request, facts in passing, one question, one update."""
    _remember(author, known[0])
    _remember(author, known[1])
    _mention(author, known[2])
    _remember(author, known[3])
    _mention(author, known[4])
    _distract(author)
    _ask(author, known[0], 0)
    _distract(author)
    _update(author, known[3], 1)
    _mention(author, known[5])  # the tenth turn, see `_third`


def _second(author: Author, known: tuple[Fact, ...], cast: Cast) -> None:
    """Ten turns: a long text between the notes and the questions."""
    _ask(author, known[1], 0)
    _reading(author, cast, "memo.txt")
    _ask(author, known[3], 1)
    _remember(author, known[6])
    _update(author, known[0], 1)
    _reading(author, cast, "duties.txt")
    _mention(author, known[7])
    _distract(author)
    _ask(author, known[6], 0)
    _update(author, known[3], 2)


def _third(author: Author, known: tuple[Fact, ...], cast: Cast) -> None:
    """Eight turns: everything is asked for, the facts in passing more than 20 turns later."""
    _reading(author, cast, "minutes.txt")
    _ask(author, known[0], 1)
    _reading(author, cast, "visitors.txt")
    _ask(author, known[2], 0)
    _reading(author, cast, "stock.txt")
    _ask(author, known[4], 0)
    _ask(author, known[3], 2)
    _ask_turn(author, author.before + 10, known[5])


def _remember(author: Author, fact: Fact) -> None:
    text = f"Please remember that {fact.told}" if fact.english else f"请记住：{fact.told}"
    author.add(text, both(ToolUsed("remember"), Noted((fact.values[0],))))


def _mention(author: Author, fact: Fact) -> None:
    text = f"By the way, {fact.told}." if fact.english else f"顺便说一下，{fact.told}。"
    author.add(text, both(Answered(), ToolUnused("remember")))


def _update(author: Author, fact: Fact, version: int) -> None:
    author.add(fact.changed(version), Answered())


def _ask(author: Author, fact: Fact, version: int) -> None:
    author.add(fact.question, fact.asked(version))


def _ask_first(author: Author, fact: Fact) -> None:
    zh, en = f"{fact.subject}最初{fact.ask}？", f"What was {fact.subject} originally?"
    author.add(en if fact.english else zh, has(fact.values[0]))


def _ask_turn(author: Author, number: int, fact: Fact) -> None:
    zh, en = f"第 {number} 轮我说了什么？", f"What did I say in turn {number}?"
    author.add(en if fact.english else zh, has(fact.values[0]))


def _distract(author: Author) -> None:
    author.say(*author.rng.choice(linear.KINDS)(author.rng))


def _reading(author: Author, cast: Cast, name: str) -> None:
    """Let a long text push everything else towards the end of the window."""
    path = f"{cast.projects[1][1]}/{name}"
    author.say(
        f"读取 {path}",
        f"Read {path}",
        ToolUsed("read"),
        files=((path, files.memo(author.rng)),),
    )
