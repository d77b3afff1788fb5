"""Texts of `--help` and of wrong arguments, in Chinese and English."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpTexts:
    """Everything about command line arguments."""

    about: str
    usage: str
    groups: tuple[str, str, str]
    """Headings of the help: what to ask, settings, the rest."""
    options: Mapping[str, str]
    """Option to help line."""
    see_help: str
    bad_session: str
    session_names: str
    bad_number: str
    alone: str
    with_doctor: str
    not_together: str
    with_local: str
    not_with_local: str
    value: str
    no_value: str
    unknown: str
    two_questions: str
    quote: str


ZH = HelpTexts(
    about="小窗口模型的智能体：对话随时落盘，随时可续。不带问题即进入对话。",
    usage="用法：",
    groups=("提问", "设置（优先于环境变量和 config.toml）", "其他"),
    options={
        "question": "只问这个问题（- 读标准输入）；memory … 管理记忆",
        "--session": "会话名（字母、数字、_、-，至多 64 个），默认 main",
        "--resume-from-turn": "回到第 N 轮结束时再继续；记录不会删除",
        "--config": "配置文件，默认当前目录的 config.toml",
        "--data-dir": "会话记录所在目录",
        "--workspace": "工具只能读写这个目录",
        "--base-url": "OpenAI 兼容服务的地址，如 http://127.0.0.1:11434/v1",
        "--model": "模型名",
        "--strategy": "上下文策略：layered、summary、sliding、full …",
        "--language": "zh 或 en",
        "--limit": "上下文上限（tokens）",
        "--local": "用 llama.cpp 运行这个 GGUF 模型文件（需要 local 依赖）",
        "--chat-template": "--local 的对话模板：Jinja 文件，或自带的 fenced",
        "--offline": "使用内置离线模型，不需要密钥和网络",
        "--json": "把事件逐行输出为 JSON",
        "--rebuild-context": "由 conversation.jsonl 重建 meta.json 后退出",
        "--strict": "记录有任何损坏就以退出码 4 结束，不作改动",
        "--accept-edited": "接受手工改过的 conversation.jsonl，原文件保留",
        "--read-only": "只查看（/history 等），不加锁、不写任何文件",
        "--doctor": "检查配置、接口、模型和窗口后退出；也可只写 doctor",
        "--canary": "检查时探测请求的大小（tokens），0 为不发",
        "--write-config": "写出带注释的配置文件后退出",
        "--version": "显示版本",
        "--help": "显示这份帮助",
    },
    see_help="--help 列出全部参数",
    bad_session="会话名 {value!r} 不可用",
    session_names="用 1 到 64 个英文字母、数字、_ 或 -；--help 列出全部参数",
    bad_number="{option} {value!r}：应是不小于 {least} 的整数",
    alone="{option} 不能与问题一起使用",
    with_doctor="{option} 只能与 --doctor 一起使用",
    not_together="{option} 不能与 {other} 一起使用",
    with_local="--chat-template 只能与 --local 一起使用",
    not_with_local="--local 不能与 {option} 一起使用",
    value="{option} 后面缺少它的值",
    no_value="{option} 后面不能有值",
    unknown="没有参数 {option}",
    two_questions="一次只能问一个问题，多出了：{words}",
    quote="问题里有空格时要加引号；--help 列出全部参数",
)

EN = HelpTexts(
    about="An agent for models with a small window: every turn is on disk,\n"
    "every session resumes. Without a question it opens a chat.",
    usage="usage: ",
    groups=("asking", "settings (they win over the environment and config.toml)", "more"),
    options={
        "question": "ask this (-: read stdin); memory ... manages the notes",
        "--session": "session name ([A-Za-z0-9_-], 64 at most), default main",
        "--resume-from-turn": "go on from the end of turn N; nothing is erased",
        "--config": "configuration file, default ./config.toml",
        "--data-dir": "directory of the sessions",
        "--workspace": "the only directory that tools may touch",
        "--base-url": "OpenAI-compatible URL, e.g. http://127.0.0.1:11434/v1",
        "--model": "name of the model",
        "--strategy": "context strategy: layered, summary, sliding, full ...",
        "--language": "zh or en",
        "--limit": "context limit in tokens",
        "--local": "run this GGUF model file with llama.cpp (extra: local)",
        "--chat-template": "for --local: a Jinja file, or ours: fenced",
        "--offline": "use the built-in offline model: no key, no network",
        "--json": "print events as JSON lines",
        "--rebuild-context": "rebuild meta.json from conversation.jsonl and exit",
        "--strict": "end with code 4 on any damage, changing nothing",
        "--accept-edited": "take conversation.jsonl as edited; keep the original",
        "--read-only": "look only (/history ...): no lock, nothing written",
        "--doctor": "check settings, endpoint, model and window; or: doctor",
        "--canary": "tokens of the doctor's long request; 0 sends none",
        "--write-config": "write a commented configuration file and exit",
        "--version": "show the version",
        "--help": "show this help",
    },
    see_help="--help lists all arguments",
    bad_session="{value!r} can't be a session name",
    session_names="use 1 to 64 of A-Z a-z 0-9 _ -; --help lists all arguments",
    bad_number="{option} {value!r}: not a whole number from {least} up",
    alone="{option} takes no question",
    with_doctor="{option} goes with --doctor only",
    not_together="{option} and {other} exclude each other",
    with_local="--chat-template goes with --local only",
    not_with_local="--local and {option} exclude each other",
    value="{option} needs a value",
    no_value="{option} takes no value",
    unknown="there is no option {option}",
    two_questions="one question at a time; there is more: {words}",
    quote="put a question with spaces in quotes; --help lists all arguments",
)
