"""Labels of the rig's plot, and the names of its scenarios."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlotTexts:
    """Labels of the plot. Every character must be in the font that ships with the rig."""

    title: str
    system: str
    tools: str
    summary: str
    recent: str
    current: str
    compacting: str
    limit: str
    allowed: str
    compaction: str
    per_request: str
    raw: str
    window: str
    cumulative: str
    cached: str
    cached_mean: str
    turn: str
    linear: str
    dependency: str
    memory_recall: str
    dialogue: str
    question: str


ZH = PlotTexts(
    title="{limit} token 的窗口里跑 {turns} 轮：每次请求的构成",
    system="系统提示",
    tools="工具定义",
    summary="摘要",
    recent="近期原文",
    current="当前轮",
    compacting="压缩请求",
    limit="窗口上限",
    allowed="上限减去输出预留",
    compaction="发生压缩",
    per_request="每次请求的 token",
    raw="完整对话（全部保留时）",
    window="实际发送的窗口",
    cumulative="累计 token",
    cached="缓存命中",
    cached_mean="移动平均",
    turn="轮次",
    linear="独立问题",
    dependency="文件依赖链",
    memory_recall="记忆与召回",
    dialogue="真实对话",
    question="提问",
)
EN = PlotTexts(
    title="{turns} turns inside a window of {limit} tokens: what each request held",
    system="system prompt",
    tools="tool definitions",
    summary="summary",
    recent="recent turns",
    current="current turn",
    compacting="compaction request",
    limit="limit",
    allowed="limit − reserve for the answer",
    compaction="compacted here",
    per_request="tokens per request",
    raw="whole conversation, if all were kept",
    window="window that was sent",
    cumulative="tokens so far",
    cached="from cache",
    cached_mean="moving average",
    turn="turn",
    linear="linear",
    dependency="dependency",
    memory_recall="memory recall",
    dialogue="dialogue",
    question="questions",
)
