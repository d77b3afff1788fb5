"""What is planted into long conversations: things that were said or stood in files, once.

Every value occurs once in a whole conversation, so that nothing is found by luck.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from evidence_templates import FILES, GREP, SAID, Said

KINDS = ("identifier", "number", "path", "version", "date")
CARRIERS = ("said", "file", "grep")

_SURNAMES, _GIVEN = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何",
    "明芳伟静磊娜强洋敏涛婷浩欣然宁哲琳旭帆悦",
)
_FIRST = """
Ada Bruno Carla Diego Elena Felix Greta Hugo Irene Jonas Karin Leo Mona Nils Olga Pablo Rosa Sven
"""
_LAST = """
Alvarez Brandt Costa Dahl Eriksen Fischer Grant Haas Ivanov Jensen Kovac Lund Moreau Novak Okafor
"""
_HEAD, _TAIL = "青云星海山河雪松金石", "鸾杉澜舟岚屿鹤原帆桥"
_ADJECTIVES = ("amber", "birch", "cobalt", "dusty", "ember", "frost", "golden", "hollow", "ivory")
_NOUNS = ("gateway", "ledger", "beacon", "harbor", "relay", "mirror", "compass", "orchard")


@dataclass(frozen=True, slots=True)
class Plant:
    """One thing to be asked for at the end."""

    kind: str
    carrier: str
    language: str
    held_out: bool
    text: str
    """The sentence, or the line of a file or log."""
    value: str
    question: str
    file: str = ""


def plants(rng: random.Random, count: int) -> list[Plant]:
    """Return plants of all kinds, carriers and templates in turn, no name or value twice."""
    names = {"zh": _names_zh(rng), "en": _names_en(rng)}
    values = {kind: _unique(_VALUES[kind], rng) for kind in KINDS}
    found = []
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        carrier = CARRIERS[number // len(KINDS) % 4 % len(CARRIERS)]
        found.append(_plant(rng, kind, carrier, names, next(values[kind])))
    return found


def _plant(
    rng: random.Random, kind: str, carrier: str, names: dict[str, Iterator[str]], value: str
) -> Plant:
    language = rng.choice(("zh", "en"))
    templates: Sequence[Said] = SAID[kind, language]
    if carrier != "said":
        templates = (FILES if carrier == "file" else GREP)[kind]
    place = rng.randrange(len(templates))
    sentence, question = templates[place]
    if carrier != "said":
        language = "en" if question.isascii() else "zh"
    name = "" if carrier == "file" else next(names[language])
    file = (
        f"{_slug(rng)}/{_slug(rng)}.{rng.choice(('conf', 'md', 'ini'))}"
        if carrier == "file"
        else ""
    )
    return Plant(
        kind=kind,
        carrier=carrier,
        language=language,
        held_out=place >= len(templates) // 2,
        text=sentence.format(e=name, v=value),
        value=value,
        question=question.format(e=name, f=file),
        file=file,
    )


def _slug(rng: random.Random) -> str:
    return f"{rng.choice(_ADJECTIVES)}_{rng.choice(_NOUNS)}{rng.randrange(10, 99)}"


def _names_zh(rng: random.Random) -> Iterator[str]:
    people = [a + b + c for a in _SURNAMES for b in _GIVEN for c in _GIVEN if b != c]
    projects = [f"{a}{b}项目" for a in _HEAD for b in _TAIL]
    names = rng.sample(people, len(people))
    yield from rng.sample([*names[: 2 * len(projects)], *projects], 3 * len(projects))
    yield from names[2 * len(projects) :]


def _names_en(rng: random.Random) -> Iterator[str]:
    people = [f"{a} {b}" for a in _FIRST.split() for b in _LAST.split()]
    services = [f"{a}-{b}" for a in _ADJECTIVES for b in _NOUNS]
    yield from rng.sample([*people, *services], len(people) + len(services))


def _unique(draw: Callable[[random.Random], str], rng: random.Random) -> Iterator[str]:
    seen: set[str] = set()
    while True:
        value = draw(rng)
        if not any(value in old or old in value for old in seen):
            seen.add(value)
            yield value


def _identifier(rng: random.Random) -> str:
    letters = "".join(rng.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=rng.randint(2, 3)))
    form = rng.randrange(4)
    if form == 0:
        return f"{letters}-{rng.randrange(10_000, 99_999)}"
    if form == 1:
        return f"{letters}{rng.randrange(10**6, 10**7)}"
    if form == 2:
        return f"#{rng.randrange(10**5, 10**6)}"
    return f"{letters}-{rng.randrange(2024, 2027)}-{rng.randrange(1000, 9999)}"


def _number(rng: random.Random) -> str:
    form = rng.randrange(3)
    if form == 0:
        return f"{rng.randrange(10_000, 999_999):,}"
    return str(rng.randrange(1013, 9987)) if form == 1 else f"{rng.uniform(20, 900):.2f}"


def _path(rng: random.Random) -> str:
    root = rng.choice(("/srv", "/var/lib", "/data", "~/work", "./build", "D:\\jobs", "s3://store"))
    sign = "\\" if "\\" in root else "/"
    return sign.join(
        (root, _slug(rng), f"part{rng.randrange(100, 999)}.{rng.choice(('py', 'tar', 'json'))}")
    )


def _version(rng: random.Random) -> str:
    number = f"{rng.randrange(1, 30)}.{rng.randrange(0, 60)}.{rng.randrange(1, 400)}"
    return rng.choice((f"v{number}", number, f"{number}-rc{rng.randrange(1, 9)}"))


def _date(rng: random.Random) -> str:
    day = date(2026, 1, 1) + timedelta(days=rng.randrange(2000))
    return rng.choice(
        (
            day.isoformat(),
            f"{day.year}年{day.month}月{day.day}日",
            f"{day:%B} {day.day}, {day.year}",
        )
    )


_VALUES = {
    "identifier": _identifier,
    "number": _number,
    "path": _path,
    "version": _version,
    "date": _date,
}
