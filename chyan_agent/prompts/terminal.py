"""Texts of the command line, in Chinese and English. `{names}` are filled by `str.format`."""

from collections.abc import Mapping
from dataclasses import dataclass

from . import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalTexts:
    """Everything that the command line says on its own account."""

    language: Language
    errors: Mapping[str, str]
    """Name of an error class to its title; classes without one take their parent's."""
    error: str
    hint: str
    crash: str
    offline: str
    offline_forced: str
    welcome: str
    written: str
    empty: str
    interrupted: str
    leave: str
    bye: str
    bye_unsaved: str
    looking: str
    lines: str
    lines_of: str
    hits: str
    failed: str
    compacted: str
    compacted_model: str
    retry: str
    meter: str
    meter_summary: str
    meter_turns: str
    meter_cache: str
    commands: Mapping[str, str]
    """Command with its parameter to what it does."""
    unknown_command: str
    did_you_mean: str
    bad_number: str
    no_number: str
    see_commands: str
    reset: str
    rewound: str
    nothing_to_compact: str
    no_turns: str
    earlier_turns: str
    dropped_turns: str
    unanswered: str
    no_summary: str
    summary_head: str
    zones: Mapping[str, str]
    total: str
    reserved: str
    dearer: str
    free: str
    arithmetic: str


ZH = TerminalTexts(
    language="zh",
    errors={
        "AgentError": "出错了",
        "ConfigError": "配置或参数有误",
        "VersionError": "文件来自更新的版本",
        "CorruptError": "文件已损坏",
        "StorageError": "未保存 (NOT SAVED)",
        "LockedError": "会话正被另一个进程使用",
        "MissingExtra": "缺少可选的依赖包",
        "ContextOverflow": "上下文放不下",
        "ModelUnavailable": "模型暂时没有应答",
        "ModelRefused": "模型服务拒绝了请求",
        "ModelOverflow": "请求超出了模型的窗口",
        "AuthError": "密钥无效或没有权限",
        "OutputLost": "无法写出结果",
        "Crash": "抱歉，程序出了意外",
    },
    error="✗ {title}：{message}",
    hint="  提示：{hint}",
    crash="详情已写入 {log}；已回答的轮次不受影响，重新启动即可继续",
    offline="未设置 API 密钥和服务地址：正在使用内置离线模型（按规则回答，不联网）",
    offline_forced="正在使用内置离线模型（按规则回答，不联网）",
    welcome="会话 {session} · 模型 {model} · 已有 {turns} 轮 · /help 查看命令",
    written="已写出 {path}",
    empty="问题是空的：请输入文字，或用 /help 查看命令",
    interrupted="已中断：本轮到此封存，可以继续提问",
    leave="按 Ctrl-D 或输入 /quit 退出",
    bye="已保存。再见",
    bye_unsaved="最后的回答未保存 (NOT SAVED)。再见",
    looking="只查看：会话 {session} · 已有 {turns} 轮 · 记忆 {notes} 条 · "
    "/history、/summary、/memory",
    lines="{count} 行",
    lines_of="{count}/{total} 行",
    hits="{count} 条",
    failed="失败：{reason}",
    compacted='压缩 第 {turns} 轮：{before} → {after} tokens，可用 recall("#t{first}") 取回',
    compacted_model="证据 {evidence} 条，事实 {facts} 条",
    retry="第 {attempt} 次重试，{delay} 秒后：{reason}",
    meter="上下文 {total}/{limit}",
    meter_summary="摘要 {tokens}",
    meter_turns="近期 {turns} 轮",
    meter_cache="缓存 {percent}%",
    commands={
        "/help": "这份说明",
        "/reset": "开始新的对话（记录和记忆保留）",
        "/history [N]": "最近 N 轮，默认 10",
        "/tokens": "下一次请求的 tokens 去向",
        "/summary": "目前的摘要：证据与事实",
        "/memory [词]": "全部记忆，或检索记忆与历史；另有 show、edit、forget、export、import",
        "/compact": "立即压缩较早的轮次",
        "/rewind N": "回到第 N 轮结束时",
        "/quit": "退出（也可用 /exit、/q、Ctrl-D）",
    },
    unknown_command="没有命令 {name}",
    did_you_mean="是不是 {name}？",
    bad_number="{usage}：N 是整数，{value!r} 不是",
    no_number="{usage}：缺少 N",
    see_commands="/help 列出全部命令，/history 列出最近的轮次",
    reset="已开始新的对话；之前的轮次仍可用 recall 取回",
    rewound="已回到第 {turn} 轮结束时",
    nothing_to_compact="没有可压缩的轮次",
    no_turns="还没有对话",
    dropped_turns='第 {turns} 轮已离开窗口，不在摘要中，可用 recall("#t{first}") 取回',
    earlier_turns='第 {turns} 轮已在摘要中，可用 recall("#t{first}") 取回',
    unanswered="（未回答）",
    no_summary="还没有摘要",
    summary_head="摘要覆盖到第 {through} 轮：证据 {evidence} 条，事实 {facts} 条",
    zones={
        "system": "系统提示",
        "tools": "工具定义",
        "summary": "摘要",
        "recent": "近期轮次",
        "current": "当前轮次",
    },
    total="合计",
    reserved="留给回答",
    dearer="服务端多计",
    free="还可用",
    arithmetic=(
        "{limit} − {reserved}（留给回答）− {fixed}（固定）= {spendable} 可用于对话；"
        "摘要至多 {summary_cap}"
    ),
)

EN = TerminalTexts(
    language="en",
    errors={
        "AgentError": "failed",
        "ConfigError": "wrong setting or argument",
        "VersionError": "file of a newer version",
        "CorruptError": "damaged file",
        "StorageError": "NOT SAVED",
        "LockedError": "session in use",
        "MissingExtra": "optional package missing",
        "ContextOverflow": "does not fit into the context",
        "ModelUnavailable": "no answer from the model for now",
        "ModelRefused": "the model's endpoint refused the request",
        "ModelOverflow": "larger than the model's window",
        "AuthError": "key wrong or without the right to this",
        "OutputLost": "can't write the output",
        "Crash": "sorry, this is a bug",
    },
    error="✗ {title}: {message}",
    hint="  hint: {hint}",
    crash="details are in {log}; answered turns are safe, start again to go on",
    offline="no API key and no endpoint are set: using the built-in offline model "
    "(answers by rule, no network)",
    offline_forced="using the built-in offline model (answers by rule, no network)",
    welcome="session {session} · model {model} · {turns} turns so far · /help lists the commands",
    written="wrote {path}",
    empty="the question is empty: type some text, or /help for the commands",
    interrupted="interrupted: the turn is sealed, you can ask on",
    leave="press Ctrl-D or type /quit to leave",
    bye="Saved. Bye",
    bye_unsaved="The last answer is NOT SAVED. Bye",
    looking="looking only: session {session} · {turns} turns · {notes} notes · "
    "/history, /summary, /memory",
    lines="lines: {count}",
    lines_of="lines: {count} of {total}",
    hits="found: {count}",
    failed="failed: {reason}",
    compacted="compacted turns {turns}: {before} → {after} tokens, "
    'recall("#t{first}") brings it back',
    compacted_model="{evidence} pieces of evidence, {facts} facts",
    retry="retry {attempt} in {delay} s: {reason}",
    meter="context {total}/{limit}",
    meter_summary="summary {tokens}",
    meter_turns="recent turns {turns}",
    meter_cache="cached {percent}%",
    commands={
        "/help": "this list",
        "/reset": "start a new conversation (record and memory stay)",
        "/history [N]": "the last N turns, 10 by default",
        "/tokens": "where the tokens of the next request go",
        "/summary": "the summary so far: evidence and facts",
        "/memory [words]": "all notes, or a search; also show, edit, forget, export, import",
        "/compact": "compact older turns now",
        "/rewind N": "go back to the end of turn N",
        "/quit": "leave (also /exit, /q, Ctrl-D)",
    },
    unknown_command="there is no command {name}",
    did_you_mean="did you mean {name}?",
    bad_number="{usage}: N is a whole number, and {value!r} is not",
    no_number="{usage}: N is missing",
    see_commands="/help lists the commands, /history the last turns",
    reset="a new conversation begins; recall still reaches the turns before",
    rewound="back at the end of turn {turn}",
    nothing_to_compact="nothing to compact",
    no_turns="no turns yet",
    dropped_turns='turns {turns} left the window without a summary; recall("#t{first}") brings '
    "them back",
    earlier_turns='turns {turns} are in the summary; recall("#t{first}") brings them back',
    unanswered="(unanswered)",
    no_summary="no summary yet",
    summary_head="the summary stands for all up to turn {through}: "
    "{evidence} pieces of evidence, {facts} facts",
    zones={
        "system": "system prompt",
        "tools": "tools",
        "summary": "summary",
        "recent": "recent turns",
        "current": "current turn",
    },
    total="total",
    reserved="kept for answer",
    dearer="endpoint counts more",
    free="free",
    arithmetic=(
        "{limit} - {reserved} (answer) - {fixed} (fixed) = {spendable} for the conversation; "
        "summary at most {summary_cap}"
    ),
)
