"""The settings as values. Each key's default, range and description live here and nowhere else."""

from dataclasses import dataclass, field
from typing import Any, Literal

from ..prompts import Language

StrategyName = Literal["layered", "summary", "sliding", "full"]
Truncate = Literal["auto", "head", "tail"]
Segmenter = Literal["jieba", "builtin"]
Engine = Literal["fields", "plain", "classic"]
ToolCalls = Literal["auto", "text"]
ClosingLine = Literal["auto", "on", "off"]
Level = Literal["DEBUG", "INFO", "WARNING", "ERROR"]


@dataclass(frozen=True, slots=True)
class Doc:
    """What is known of a key besides its type and default."""

    zh: str
    en: str
    low: float | None = None
    high: float | None = None
    secret: bool = False
    """Never shown: not in a repr, an error or a log."""


def _key(
    default: object,
    zh: str,
    en: str,
    *,
    low: float | None = None,
    high: float | None = None,
    secret: bool = False,
) -> Any:
    doc = Doc(zh, en, low, high, secret)
    return field(default=default, repr=not secret, metadata={"doc": doc})


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmConfig:
    """The endpoint and how patient to be with it. Times are seconds."""

    base_url: str = _key(
        "",
        "OpenAI 兼容接口的地址，如 http://127.0.0.1:11434/v1；留空用 OpenAI（或 OPENAI_BASE_URL）",
        "URL of an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1;"
        " empty means OpenAI (or OPENAI_BASE_URL)",
    )
    api_key: str = _key(
        "",
        "密钥；建议改用环境变量 OPENAI_API_KEY，它优先于此处",
        "API key; better kept in OPENAI_API_KEY, which takes precedence",
        secret=True,
    )
    model: str = _key("gpt-4o-mini", "模型名", "model name")
    tool_calls: ToolCalls = _key(
        "auto",
        "工具调用的形式：auto 用接口，服务端不支持时改用文本；text 总是用文本",
        "how tools are called: auto (over the interface; as text once an endpoint refuses that),"
        " text (always as text)",
    )
    connect_timeout: float = _key(
        10.0, "连接超时（秒）", "seconds to wait for a connection", low=0.1, high=600
    )
    read_timeout: float = _key(
        120.0, "两段数据之间最长等待（秒）", "seconds to wait for more data", low=0.1, high=3600
    )
    max_retries: int = _key(
        4, "暂时性故障最多重试几次", "retries after a passing fault", low=0, high=20
    )
    backoff_base: float = _key(
        1.0,
        "首次重试前的等待（秒），之后逐次翻倍",
        "seconds before the first retry; doubled each time",
        low=0,
        high=60,
    )
    backoff_cap: float = _key(
        30.0, "重试等待的上限（秒）", "most seconds before a retry", low=0, high=600
    )
    temperature: float | None = _key(
        None,
        "采样温度；不写则由服务端决定",
        "sampling temperature; left out, the endpoint decides",
        low=0,
        high=2,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextConfig:
    """The window and how it is divided. Sizes are tokens."""

    context_limit: int = _key(
        10_000, "模型窗口的大小（token）", "size of the model's window in tokens", low=1, high=10**8
    )
    reserved_tokens: int = _key(
        3_500, "为回答预留的 token", "tokens held back for the answer", low=1, high=10**8
    )
    max_recent_turns: int = _key(
        2, "压缩后保留原文的最近轮数", "turns kept verbatim through a compaction", low=0, high=1000
    )
    summary_ratio: float = _key(
        0.3,
        "摘要最多占历史预算的比例",
        "the summary's largest share of the history budget",
        low=0.05,
        high=0.9,
    )
    strategy: StrategyName = _key(
        "layered",
        "上下文策略：layered 摘要加原文要点，summary 只有摘要，sliding 只留最近，full 全部保留",
        "how history is kept: layered (evidence and summary), summary (summary only),"
        " sliding (latest turns only), full (everything)",
    )
    tokenizer: str = _key(
        "auto",
        "怎样计数：server 由服务端计数，auto 仅在它就在本机或内网且支持时如此，否则用 o200k_base；"
        "或指定词表：o200k_base、cl100k_base、bytes，或 .tiktoken、tokenizer.json 文件的路径",
        "how to count: server asks the endpoint; auto does so where it is near and offers that,"
        " else o200k_base; or a vocabulary: o200k_base, cl100k_base, bytes, or the path of a"
        " .tiktoken or tokenizer.json file",
    )
    max_steps: int = _key(
        16, "一轮最多调用模型几次", "most model calls in one turn", low=1, high=1000
    )
    max_seconds: float = _key(
        3600.0,
        "一轮最长多少秒，一个回答也不超过它；到时停止",
        "seconds after which a turn, and any one answer, is stopped",
        low=0.1,
        high=10**7,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsConfig:
    """What the tools may touch and give back."""

    workspace: str = _key(
        "workspace", "工具只能读写这个目录", "the only folder that tools can read and write"
    )
    read_max_lines: int = _key(
        500, "read 一次最多返回的行数", "most lines of one read", low=1, high=10**6
    )
    truncate: Truncate = _key(
        "auto",
        "超长时保留哪部分：auto 前 70% 加后 30%，head 开头，tail 结尾",
        "what is kept of too long a text: auto (first 70 %, last 30 %), head, tail",
    )
    max_result_tokens: int = _key(
        1_500, "一个工具结果最多多少 token", "most tokens of one tool result", low=50, high=10**6
    )
    max_result_bytes: int = _key(
        65_536, "一个工具结果最多读多少字节", "most bytes of one tool result", low=1024, high=10**7
    )
    grep_max_matches: int = _key(
        50, "grep 最多返回的匹配数", "most matches of one grep", low=1, high=10**5
    )
    search_max_files: int = _key(
        100, "search 最多返回的文件数", "most files of one search", low=1, high=10**5
    )
    closing_line: ClosingLine = _key(
        "auto",
        "工具结果后是否提醒模型作答：auto 在模型重复调用或把调用写成文本时，on 总是，off 从不",
        "whether results remind the model to answer: auto (once it repeats a call or writes calls"
        " as text), on (always), off",
    )
    regex_timeout: float = _key(
        1.0, "正则匹配的时限（秒）", "seconds a regular expression may take", low=0.01, high=60
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConfig:
    """Long-term memory and recall."""

    engine: Engine = _key(
        "fields",
        "检索引擎：fields 兼看词、日期和邻近轮次；plain 只看词；classic 即 rank_bm25",
        "search engine: fields sees words, dates and nearby turns; plain words alone; classic is"
        " rank_bm25",
    )
    segmenter: Segmenter = _key(
        "jieba",
        "中文分词：jieba，或不需任何依赖的 builtin",
        "how Chinese is split for search: jieba, or builtin, which needs no package",
    )
    top_k: int = _key(5, "recall 默认返回几条", "hits of one recall by default", low=1, high=100)
    recall_tokens: int = _key(
        500,
        "一次 recall 的内容最多多少 token",
        "most tokens of recalled text",
        low=0,
        high=10**6,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LogConfig:
    """The log file, data_dir/agent.log."""

    level: Level = _key(
        "INFO",
        "日志级别：DEBUG、INFO、WARNING、ERROR",
        "least level logged: DEBUG, INFO, WARNING, ERROR",
    )
    max_bytes: int = _key(
        10_000_000,
        "单个日志文件的大小（字节），写满则轮换",
        "bytes at which the log file is rotated",
        low=10_000,
        high=10**10,
    )
    backups: int = _key(3, "保留几个旧日志", "rotated log files kept", low=1, high=100)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that can be set. An empty `system_prompt` means the built-in one."""

    language: Language = _key(
        "zh",
        "界面与提示词的语言：zh 或 en",
        "language of the terminal and the prompts: zh or en",
    )
    system_prompt: str = _key(
        "", "系统提示词；留空用内置的", "system prompt; empty means the built-in one"
    )
    data_dir: str = _key(
        "data",
        "对话记录、记忆和日志所在的目录",
        "folder of the transcripts, the notes and the log",
    )
    llm: LlmConfig = LlmConfig()
    context: ContextConfig = ContextConfig()
    tools: ToolsConfig = ToolsConfig()
    memory: MemoryConfig = MemoryConfig()
    log: LogConfig = LogConfig()
