"""The later chapters of the dependency scenario: a text, a search, and back to the beginning."""

from ..checks import FileHas, ToolUsed, both, has
from . import Cast
from .linear import number
from .shelf import Shelf
from .words import SENTENCES, WORDS


def write(shelf: Shelf, cast: Cast, total: int, port: int) -> None:
    """Write the last 16 turns; `total` and `port` are results of the first ones."""
    _plan(shelf)
    _search(shelf, cast)
    _far(shelf, total, port)


def _plan(shelf: Shelf) -> None:
    """Write a text, add to it, look at it, make another from it."""
    author, path, upper = shelf.author, shelf.path("plan.md"), shelf.path("plan_upper.md")
    words = author.rng.sample(WORDS, 6)
    text = "\n".join(f"step {n}: {' '.join(words[n : n + 2])}" for n in range(1, 4))
    author.say(
        f"创建文件 {path}，内容为：\n{text}",
        f"Create {path} with the content:\n{text}",
        shelf.wrote("plan.md", text),
        touches=(path,),
    )
    last = f"step 4: {words[0]}"
    longer = f"{text}\n{last}"
    author.say(
        f"在刚才那个文件末尾追加一行：{last}",
        f'Append "{last}" to the file from before',
        shelf.wrote("plan.md", longer),
        touches=(path,),
    )
    author.say(f"{path} 有多少行？", f"How many lines are in {path}?", has(4))
    author.say(f"读取 {path} 第 2 行", f"Read line 2 of {path}", has(longer.splitlines()[1]))
    author.say(
        f"把 {path} 的内容转成大写后写入 {upper}",
        f"Convert the content of {path} to uppercase and write it to {upper}",
        shelf.wrote("plan_upper.md", longer.upper()),
        touches=(upper,),
    )


def _search(shelf: Shelf, cast: Cast) -> None:
    """Find files again that no turn in sight names."""
    author, folder = shelf.author, shelf.folder
    author.say(
        f"找出 {folder} 目录下所有 .md 文件",
        f"Find all *.md files in {folder}",
        both(ToolUsed("search"), has("plan.md"), has("plan_upper.md")),
    )
    word, guide = author.rng.choice(SENTENCES), shelf.path("docs/guide.txt")
    text = f"{cast.projects[0][0]}手册\n维护人：{cast.people[0][0]}\n口号：{word}\n"
    author.add(f"在 {folder} 目录里查找 {word}", has("guide.txt"), files=((guide, text),))
    author.add(f"读取 {guide} 第 2 行", has(cast.people[0][0]))
    merged = shelf.path("merged.txt")
    both_texts = f"{shelf.holds['plan.md']}\n{shelf.holds['total.txt']}"
    author.say(
        f"合并 {shelf.path('plan.md')} 和 {shelf.path('total.txt')} 到 {merged}",
        f"Merge {shelf.path('plan.md')} and {shelf.path('total.txt')} into {merged}",
        shelf.wrote("merged.txt", both_texts),
        touches=(merged,),
    )
    author.say(f"读取 {merged} 的最后一行", f"Show the last line of {merged}", has("已核对"))


def _far(shelf: Shelf, total: int, port: int) -> None:
    """Come back to what was done up to 35 turns ago."""
    author, path = shelf.author, shelf.path
    mean, factor = int(shelf.holds["mean.txt"]), author.rng.randint(3, 9)
    author.say(
        f"把上一个平均值乘以 {factor}，写入 {path('scaled.txt')}",
        f"Multiply the previous average by {factor} and write it to {path('scaled.txt')}",
        both(has(mean * factor), shelf.wrote("scaled.txt", str(mean * factor))),
        touches=(path("scaled.txt"),),
    )
    author.say(
        f"把 {path('total.txt')} 里的数字减半，写入 {path('half.txt')}",
        f"Halve the number in {path('total.txt')} and write it to {path('half.txt')}",
        shelf.wrote("half.txt", number(total / 2)),
        touches=(path("half.txt"),),
    )
    author.say(
        f"{path('backup.ini')} 里 port 的值是多少？",
        f"What is the port in {path('backup.ini')}?",
        has(port),
    )
    errors = shelf.holds["errors.txt"]
    author.say(f"读取 {path('errors.txt')}", f"Read {path('errors.txt')}", has(errors))
    author.say(
        f"在 {path('scaled.txt')} 末尾追加一行：完成",
        f'Append "完成" to {path("scaled.txt")}',
        both(
            shelf.wrote("scaled.txt", f"{mean * factor}\n完成"),
            FileHas(path("total.txt"), str(total)),
        ),
        touches=(path("scaled.txt"),),
    )
    author.say(
        f"{path('merged.txt')} 有多少行？",
        f"How many lines are in {path('merged.txt')}?",
        has(len(shelf.holds["merged.txt"].splitlines())),
    )
