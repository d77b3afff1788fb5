"""What the offline model says."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OfflineTexts:
    """One language's sentences; fields in braces are filled with `str.format`."""

    stop: str
    """Ends a sentence."""
    hello: str
    thanks: str
    bye: str
    who: str
    well: str
    noted: str
    remembered: str
    unknown: str
    yes: str
    no: str
    fact: str
    before: str
    quote: str
    turn_said: str
    limited: str
    gone: str
    is_: str
    """Name and value."""
    wrote: str
    appended: str
    and_wrote: str
    and_appended: str
    and_remembered: str
    calls: Mapping[str, str]
    """Name of a tool to what a call of it does, as a noun."""
    undefined: Mapping[str, str]
    """Why arithmetic gives no number, by the reason of `NotArithmetic`."""
    failed: str
    no_tool: str
    no_file: str
    no_result: str
    not_found: str
    no_numbers: str
    line: str
    content: str
    empty: str
    total_lines: str
    files: str
    no_files: str
    matches: str
    no_matches: str
    extreme: str
    prime: str
    not_prime: str
    even: str
    odd: str
    leap: str
    not_leap: str
    weekdays: tuple[str, ...]
    and_: str


ZH = OfflineTexts(
    stop="。",
    hello="你好！有什么可以帮你的？",
    thanks="不客气。",
    bye="再见！",
    who="我是 chyan-agent 的离线规则模型，只按规则回答。",
    well="我很好，谢谢。有什么可以帮你的？",
    noted="好的，知道了。",
    remembered="好的，已记住：{fact}",
    unknown="我不知道：没有找到关于“{subject}”的记录。",
    yes="是的，",
    no="不是，",
    fact="{subject}是 {value}",
    before="之前的是 {value}",
    quote="{text}",
    turn_said="第 {turn} 轮：{text}",
    limited="我是离线规则模型，做不了这件事；可以问我计算、文件和你说过的事。",
    gone="较早的工具结果已不在上下文里，这件事没有做完。",
    is_="{name}是 {value}",
    wrote="已写入 {path}",
    appended="已追加到 {path}",
    and_wrote="，已写入 {path}",
    and_appended="，已追加到 {path}",
    and_remembered="，已记住",
    calls={
        "read": "读取",
        "write": "写入",
        "search": "搜索文件",
        "grep": "查找",
        "remember": "保存记忆",
    },
    undefined={"division by zero": "算不出来：除数是零", "too large": "算不出来：数太大了"},
    failed="{what}失败（{error}）",
    no_tool="这次请求里没有工具 {name}",
    no_file="我不知道你指的是哪个文件。",
    no_result="我不知道你指的是哪个结果。",
    not_found="{path} 里没有找到“{name}”。",
    no_numbers="{path} 里没有可以计算的数字。",
    line="第 {number} 行是：{text}",
    content="{path} 的内容：\n{text}",
    empty="{path} 是空的。",
    total_lines="（共 {total} 行）",
    files="找到 {count} 个文件：{names}",
    no_files="没有找到匹配的文件。",
    matches="找到 {count} 处：\n{lines}",
    no_matches="没有找到“{pattern}”。",
    extreme="{name}是 {value}（{label}）",
    prime="{value} 是质数",
    not_prime="{value} 不是质数",
    even="{value} 是偶数",
    odd="{value} 是奇数",
    leap="{value} 是闰年",
    not_leap="{value} 不是闰年",
    weekdays=("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
    and_="，",
)

EN = OfflineTexts(
    stop=".",
    hello="Hello! What can I do for you?",
    thanks="You're welcome.",
    bye="Goodbye!",
    who="I am the offline model of chyan-agent; I answer by rule only.",
    well="I'm fine, thank you. What can I do for you?",
    noted="All right, noted.",
    remembered="All right, I will remember: {fact}",
    unknown="I don't know: I found nothing about “{subject}”.",
    yes="Yes, ",
    no="No, ",
    fact="{subject}: {value}",
    before="Before, it was {value}",
    quote="{text}",
    turn_said="Turn {turn}: {text}",
    limited="I am an offline model that works by rule and can't do this; ask me to calculate, "
    "about files, or about what you told me.",
    gone="Earlier tool results are no longer in the context; this is not finished.",
    is_="The {name} is {value}",
    wrote="Written to {path}",
    appended="Appended to {path}",
    and_wrote=", written to {path}",
    and_appended=", appended to {path}",
    and_remembered=", remembered",
    calls={
        "read": "Reading",
        "write": "Writing",
        "search": "Looking for files",
        "grep": "Searching",
        "remember": "Saving the note",
    },
    undefined={
        "division by zero": "This is undefined: it divides by zero",
        "too large": "This is too large to calculate",
    },
    failed="{what} failed ({error})",
    no_tool="the request offers no tool {name}",
    no_file="I don't know which file you mean.",
    no_result="I don't know which result you mean.",
    not_found="“{name}” was not found in {path}.",
    no_numbers="There are no numbers to work with in {path}.",
    line="Line {number} is: {text}",
    content="Content of {path}:\n{text}",
    empty="{path} is empty.",
    total_lines="({total} lines in all)",
    files="Found {count} files: {names}",
    no_files="No matching file was found.",
    matches="Found {count} matches:\n{lines}",
    no_matches="“{pattern}” was not found.",
    extreme="The {name} is {value} ({label})",
    prime="{value} is prime",
    not_prime="{value} is not prime",
    even="{value} is even",
    odd="{value} is odd",
    leap="{value} is a leap year",
    not_leap="{value} is not a leap year",
    weekdays=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    and_=", ",
)
