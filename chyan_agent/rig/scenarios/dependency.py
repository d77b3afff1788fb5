"""Chains over real files: read, compute, write, refer back, build on earlier results.

Each chapter is a chain of its own; later chapters come back to files of earlier ones, long after
the turns that wrote them have left the window.
"""

from ..checks import AnswerLacks, FileAbsent, Noted, ToolUsed, both, has
from . import Author, Cast, files, later
from .linear import number
from .shelf import Shelf
from .words import WORDS


def write(author: Author, cast: Cast) -> None:
    """Write 40 turns in one folder."""
    shelf = Shelf(author, cast.projects[0][1])
    total = _sales(shelf)
    port = _settings(shelf)
    _log(shelf)
    _sums(shelf, total)
    later.write(shelf, cast, total, port)


def _sales(shelf: Shelf) -> int:
    """Compute over a table, write the results, go on with them."""
    author, table, total_file = shelf.author, shelf.path("sales.csv"), shelf.path("total.txt")
    rows = files.sales(author.rng)
    total = sum(r.amount for r in rows)
    author.say(
        f"统计 {table} 里 数量 列的总和，把结果写入 {total_file}",
        f"Sum the 数量 column of {table} and save the result to {total_file}",
        both(has(total), shelf.wrote("total.txt", str(total))),
        touches=(total_file,),
        files=((table, files.sales_csv(rows)),),
    )
    author.say("读取刚才写的文件", "Read the file you wrote", has(total))
    twice = shelf.path("double.txt")
    author.say(
        f"把上一个结果翻倍后写入 {twice}",
        f"Double the previous result and write it to {twice}",
        both(has(total * 2), shelf.wrote("double.txt", str(total * 2))),
        touches=(twice,),
    )
    dearest = max(rows, key=lambda r: r.price)
    author.add(f"{table} 里 单价 列的最大值是多少？", has(number(dearest.price)))
    most = max(rows, key=lambda r: r.amount)
    author.add(f"{table} 里 数量 最大的是哪个产品？", has(most.good))
    region = author.rng.choice(sorted({r.region for r in rows}))
    regional = sum(r.amount for r in rows if r.region == region)
    author.add(f"{table} 里 {region} 的 数量 总和是多少？", has(regional))
    author.say(
        f"在 {total_file} 末尾追加一行：已核对",
        f'Append "已核对" to {total_file}',
        shelf.wrote("total.txt", f"{total}\n已核对"),
        touches=(total_file,),
    )
    return total


def _settings(shelf: Shelf) -> int:
    """Write a file, change it, and read the new value instead of the old one."""
    author, path, copy = shelf.author, shelf.path("settings.ini"), shelf.path("backup.ini")
    old, new, timeout = author.rng.sample(range(3000, 9800), 3)
    text = f"port = {old}\ntimeout = {timeout}\nregion = {author.rng.choice(WORDS)}"
    author.say(
        f"把下面内容写入 {path}：\n{text}",
        f"Create {path} with the content:\n{text}",
        both(ToolUsed("write"), shelf.wrote("settings.ini", text)),
        touches=(path,),
    )
    author.say(f"{path} 里 timeout 的值是多少？", f"What is the timeout in {path}?", has(timeout))
    changed = text.replace(f"port = {old}", f"port = {new}")
    author.say(
        f'把 {path} 里的 "port = {old}" 替换为 "port = {new}"',
        f'Replace "port = {old}" with "port = {new}" in {path}',
        shelf.wrote("settings.ini", changed),
        touches=(path,),
    )
    author.say(
        f"{path} 里 port 的值是多少？",
        f"What is the port in {path}?",
        both(has(new), AnswerLacks(str(old))),
    )
    author.say(
        f"把 {path} 复制到 {copy}",
        f"Copy {path} to {copy}",
        shelf.wrote("backup.ini", changed),
        touches=(copy,),
    )
    return new


def _log(shelf: Shelf) -> None:
    """Work with a log that is far longer than a tool result may be."""
    author, path, folder = shelf.author, shelf.path("logs/app.log"), shelf.path("logs")
    log, errors = files.log(author.rng), shelf.path("errors.txt")
    author.say(
        f"统计 {path} 中包含 ERROR 的行数，把结果写入 {errors}",
        f"How many lines contain ERROR in {path}? Save the result to {errors}",
        both(has(log.errors), shelf.wrote("errors.txt", str(log.errors))),
        touches=(errors,),
        files=((path, log.text),),
    )
    author.say(
        f"在 {folder} 目录里查找 {log.code}",
        f'Search for "{log.code}" in {folder}',
        both(ToolUsed("grep"), has(log.code_component)),
    )
    author.say(
        f"读取 {path} 第 {log.probe} 行", f"Read line {log.probe} of {path}", has(log.probe_mark)
    )
    author.say(
        f"{path} 的最后一行是什么？",
        f"Show the last line of {path}",
        has(log.lines[-1].split(": ", 1)[1]),
    )
    author.say("刚才那个文件有多少行？", "How many lines does that file have?", has(len(log.lines)))
    missing = shelf.path(f"{author.rng.choice(WORDS)}.txt")
    author.say(
        f"读取 {missing}",
        f"Read {missing}",
        both(
            FileAbsent(missing),
            has("失败", "不存在", "没有", "找不到", "failed", "no file", "not found", "no such"),
        ),
    )


def _sums(shelf: Shelf, total: int) -> None:
    """Bring the results of earlier chapters together."""
    author, path = shelf.author, shelf.path
    twice, errors = total * 2, int(shelf.holds["errors.txt"])
    author.say(
        f"把 {path('double.txt')} 和 {path('errors.txt')} 里的数字相加，写入 {path('sum.txt')}",
        f"Add the numbers in {path('double.txt')} and {path('errors.txt')}, "
        f"write the result to {path('sum.txt')}",
        both(has(twice + errors), shelf.wrote("sum.txt", str(twice + errors))),
        touches=(path("sum.txt"),),
    )
    more = author.rng.randint(11, 60)
    result = twice + errors + more
    author.say(
        f"把上一个结果加 {more} 后写入 {path('plus.txt')}",
        f"Add {more} to the previous result and write it to {path('plus.txt')}",
        both(has(result), shelf.wrote("plus.txt", str(result))),
        touches=(path("plus.txt"),),
    )
    author.say("刚才的结果是多少？", "What was the previous result?", has(result))
    rows = files.metrics(author.rng)
    mean = sum(latency for latency, _ in rows) // len(rows)
    table = path("metrics.csv")
    author.say(
        f"求 {table} 里 latency 列的平均值，写入 {path('mean.txt')}",
        f"Average of latency in {table}, save the result to {path('mean.txt')}",
        both(has(mean), shelf.wrote("mean.txt", str(mean))),
        touches=(path("mean.txt"),),
        files=((table, files.metrics_csv(rows)),),
    )
    author.say(f"{table} 有多少条记录？", f"How many records are there in {table}?", has(len(rows)))
    largest = max(size for _, size in rows)
    author.say(
        f"{table} 里 size 列的最大值是多少？并记住结果",
        f"What is the max of size in {table}? Remember the result",
        both(has(largest), Noted((str(largest),))),
    )
