"""Names and words that the scenarios draw from."""

from random import Random

from . import Cast

COLOURS = (
    ("青", "qing"), ("白", "bai"), ("赤", "chi"), ("玄", "xuan"), ("银", "yin"), ("金", "jin"),
    ("碧", "bi"), ("紫", "zi"), ("苍", "cang"), ("墨", "mo"), ("霜", "shuang"), ("云", "yun"),
)  # fmt: skip
THINGS = (
    ("鹭", "lu"), ("松", "song"), ("鲸", "jing"), ("鹤", "he"), ("岭", "ling"), ("湾", "wan"),
    ("帆", "fan"), ("石", "shi"), ("桥", "qiao"), ("竹", "zhu"), ("泉", "quan"), ("雁", "yan"),
    ("梅", "mei"), ("塔", "ta"), ("港", "gang"), ("星", "xing"),
)  # fmt: skip
SURNAMES = (
    ("林", "Lin"), ("陈", "Chen"), ("周", "Zhou"), ("吴", "Wu"), ("郑", "Zheng"), ("何", "He"),
    ("许", "Xu"), ("韩", "Han"), ("曹", "Cao"), ("邓", "Deng"), ("彭", "Peng"), ("苏", "Su"),
)  # fmt: skip
GIVEN = (
    ("晓彤", "Xiaotong"), ("建国", "Jianguo"), ("思远", "Siyuan"), ("雅婷", "Yating"),
    ("志强", "Zhiqiang"), ("文静", "Wenjing"), ("浩然", "Haoran"), ("佳怡", "Jiayi"),
    ("子墨", "Zimo"), ("秀英", "Xiuying"), ("天宇", "Tianyu"), ("梦琪", "Mengqi"),
    ("立新", "Lixin"), ("若兰", "Ruolan"), ("俊杰", "Junjie"), ("海燕", "Haiyan"),
)  # fmt: skip

PROJECTS_A_ROUND = 2
PEOPLE_A_ROUND = 3

WORDS = (
    "anchor", "basket", "candle", "dragon", "engine", "forest", "garden", "harbor", "island",
    "jungle", "kettle", "ladder", "magnet", "needle", "orange", "pepper", "quartz", "ribbon",
    "saddle", "temple", "umbrella", "valley", "window", "yellow", "zipper",
)  # fmt: skip
SENTENCES = (
    "春眠不觉晓处处闻啼鸟", "海内存知己天涯若比邻", "欲穷千里目更上一层楼", "千里之行始于足下",
    "学而时习之不亦说乎", "山重水复疑无路", "柳暗花明又一村", "温故而知新",
)  # fmt: skip


def cast(seed: int, number: int) -> Cast:
    """Return the names of round `number` (from 1); rounds take theirs from one shuffled list."""
    return Cast(
        projects=_share(f"{seed}/projects", COLOURS, THINGS, number, PROJECTS_A_ROUND),
        people=tuple(
            (zh, en.title() if en.isalpha() else en)
            for zh, en in _share(f"{seed}/people", SURNAMES, GIVEN, number, PEOPLE_A_ROUND, " ")
        ),
    )


def _share(  # noqa: PLR0913 - two word lists and a slice of their product
    key: str,
    left: tuple[tuple[str, str], ...],
    right: tuple[tuple[str, str], ...],
    number: int,
    size: int,
    joint: str = "",
) -> tuple[tuple[str, str], ...]:
    pool = [(a + b, x + joint + y) for a, x in left for b, y in right]
    Random(key).shuffle(pool)
    first = (number - 1) * size
    return tuple(_nth(pool, place) for place in range(first, first + size))


def _nth(pool: list[tuple[str, str]], place: int) -> tuple[str, str]:
    cycle, place = divmod(place, len(pool))
    zh, en = pool[place]
    return (f"{zh}{cycle + 1}", f"{en}{cycle + 1}") if cycle else (zh, en)
