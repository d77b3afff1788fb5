"""What goes wrong with a conversation and its files. `X_HINT` is the way out of `X`."""

from .said import Said

# ── turns ──
EMPTY_QUESTION = Said("the question is empty", "问题是空的")
EMPTY_QUESTION_HINT = Said("type what you want to know", "请输入想问的内容")
BUSY = Said("this conversation is answering another question", "这段对话正在回答另一个问题")
BUSY_HINT = Said("wait for its answer, then ask again", "等它答完再问")
SAVED_NOW = Said(
    "the answer of turn {turn}, which could not be saved, is saved now",
    "第 {turn} 轮没能保存的回答现已保存",
)
NO_TURN = Said("can't go back to turn {turn}", "无法回到第 {turn} 轮")
NO_TURN_HINT = Said(
    "the last turn is {last}; 0 starts the conversation anew",
    "最后一轮是第 {last} 轮；0 表示从头开始",
)
TURN_LOST_HINT = Said(
    "its records are missing or damaged; choose another one of 0 to {last}",
    "这一轮的记录缺失或损坏；请在 0 到 {last} 中另选一轮",
)
NO_TURNS_HINT = Said("the conversation has no turns yet", "这段对话还没有任何一轮")
TOO_LARGE = Said(
    "turn {turn} needs {total:,} tokens, {allowed:,} are allowed: system prompt {system:,}, "
    "tools {tools:,}, summary {summary:,}, recent turns {recent:,}, current turn {current:,}",
    "第 {turn} 轮需要 {total:,} tokens，只允许 {allowed:,}：系统提示 {system:,}，"
    "工具定义 {tools:,}，摘要 {summary:,}，近期轮次 {recent:,}，当前轮次 {current:,}",
)
TOO_LARGE_HINT = Said(
    "shorten the system prompt, or raise context.context_limit",
    "缩短系统提示词，或调大 context.context_limit",
)
ODD_USAGE = Said(
    "the endpoint says that a prompt had {said:,} tokens where we count {counted:,}: too far apart "
    "to be a count of it, and not used",
    "服务端说提示词有 {said:,} tokens，本地数到 {counted:,}：相差太大，不采用",
)
NO_TOKENIZER = Said(
    "the endpoint does not count tokens for us (context.tokenizer = server): o200k_base is used",
    "服务端不提供分词计数（context.tokenizer = server）：改用 o200k_base",
)
TOKENIZER_LOST = Said(
    "the endpoint no longer counts tokens for us: o200k_base is used from now on",
    "服务端不再提供分词计数：此后改用 o200k_base",
)
LEARNT_TEXT_CALLS = Said(
    "the endpoint took no tool definitions earlier: tools are explained in the prompt "
    "(chyan-agent doctor forgets that, and so do seven days)",
    "服务端此前不接受工具定义：仍在提示词里说明工具（运行 chyan-agent doctor 或过七天会重新尝试）",
)
LEARNT_LIMIT = Said(
    "the endpoint said earlier that its window is {limit:,} tokens: the budget keeps to that "
    "(delete endpoints.json in the data directory to ask anew)",
    "服务端此前说过它的窗口是 {limit:,} tokens：预算按此计算"
    "（删除数据目录中的 endpoints.json 可重新询问）",
)
BAD_SESSION = Said("bad session name {name!r}", "会话名 {name!r} 不可用")
BAD_SESSION_HINT = Said(
    "use 1 to 64 letters, digits, hyphens or underscores",
    "用 1 到 64 个英文字母、数字、连字符或下划线",
)
REBUILT = Said(
    "meta.json rebuilt: {records:,} records, {turns:,} turns, {size:,} bytes",
    "已重建 meta.json：{records:,} 条记录，{turns:,} 轮，{size:,} 字节",
)

# ── storage ──
CANT = Said("can't {what} {path}: {reason}", "无法{what} {path}：{reason}")
CREATE = Said("create", "创建")
REPLACE = Said("replace", "替换")
OPEN = Said("open", "打开")
READ = Said("read", "读取")
APPEND = Said("append to", "追加写入")
SYNC = Said("sync", "同步到磁盘")
TRUNCATE = Said("truncate", "截短")
LOCK = Said("lock", "锁定")
CANT_HINT = Said(
    "check free space, permissions and that the disk is not read-only; --read-only still shows "
    "what is there",
    "检查剩余空间和权限，并确认磁盘不是只读的；已有的内容仍可用 --read-only 查看",
)
UNTRUSTED = Said(
    "{name} can't be trusted after a failed write", "写入失败过，{name} 的内容不再可靠"
)
CHANGED = Said(
    "{name} was changed or removed by another program: nothing is written to it any more",
    "{name} 被其他程序改动或删除了：不再写入",
)
CHANGED_HINT = Said(
    "let no other program change it, then start again: what is there is read anew",
    "不要让其他程序改动它，然后重新启动：会重新读取现有内容",
)
UNTRUSTED_HINT = Said(
    "free space or repair the disk, then start again", "腾出空间或修复磁盘，然后重新启动"
)
READ_ONLY = Said("{name} is open for reading only", "{name} 只供读取")
READ_ONLY_HINT = Said("start without --read-only", "不带 --read-only 重新启动")
NOT_A_FILE = Said("{path} is not a regular file", "{path} 不是普通文件")
LOCKED = Said("{path} is held by another process ({holder})", "{path} 已被占用（{holder}）")
LOCKED_HINT = Said(
    "end that process, choose another --session or --data-dir, or just look with --read-only",
    "结束那个进程，换一个 --session 或 --data-dir，或用 --read-only 只查看",
)
LOCK_REPLACED = Said("{path} was removed while it was being locked", "{path} 在加锁时被删除了")
LOCK_REPLACED_HINT = Said(
    "leave the file where it is, and start again", "不要动这个文件，然后重新启动"
)
UNKNOWN_HOLDER = Said("unknown", "不知是哪个进程")

# ── transcript and notes ──
TOO_LONG = Said(
    "a record of {size:,} bytes can't be kept, {most:,} are allowed",
    "无法保存 {size:,} 字节的记录，至多 {most:,} 字节",
)
TOO_LONG_HINT = Said("say it in parts, or put it into a file", "分几次说，或写进文件")
NOT_A_TRANSCRIPT = Said("{path} is not a transcript of this program", "{path} 不是本程序的对话记录")
EDITED = Said(
    "no line of {path} has a valid checksum: was it edited?",
    "{path} 没有一行的校验和是对的：是不是被编辑过？",
)
EDITED_HINT = Said(
    "put the original back, or take the edits over with --rebuild-context --accept-edited; nothing "
    "was changed",
    "换回原来的文件，或用 --rebuild-context --accept-edited 接受改动；什么都没有改动",
)
ACCEPTED = Said(
    "{name}: record {seq} (turn {turn}, byte {start}) was edited by hand and is accepted",
    "{name}：第 {seq} 条记录（第 {turn} 轮，第 {start} 字节）被手工改过，已接受",
)
MORE_ACCEPTED = Said(
    "{count:,} more edited records are accepted", "另有 {count:,} 条改过的记录已接受"
)
EDITED_KEPT = Said("the file as it was is kept: {path}", "改动前的文件保留在 {path}")
NOTHING_EDITED = Said("{name}: no edited record was found", "{name}：没有发现手工改过的记录")
STRICT = Said("damaged places ({count:,}): {places}", "有 {count:,} 处损坏：{places}")
STRICT_HINT = Said(
    "nothing was changed; without --strict the rest is used, and what is set aside is kept",
    "什么都没有改动；不带 --strict 则使用其余内容，移走的部分会保留",
)
NO_SUCH_SESSION = Said("there is no conversation in {path}", "{path} 中没有对话")
NO_SUCH_SESSION_HINT = Said(
    "check --data-dir and --session; nothing was made",
    "检查 --data-dir 和 --session；没有新建任何东西",
)
LOOK_ONLY = Said(
    "with --read-only nothing is asked and nothing changes",
    "--read-only 时不能提问，也不作任何改动",
)
LOOK_ONLY_HINT = Said(
    "use /history, /summary, /memory; or start without --read-only",
    "可用 /history、/summary、/memory；或不带 --read-only 重新启动",
)
NOT_NOTES = Said("{path} is not a notes log of this program", "{path} 不是本程序的记忆文件")
NOT_OURS_HINT = Said(
    "move it away, or choose another --data-dir; nothing was changed",
    "把它移走，或换一个 --data-dir；什么都没有改动",
)
NEWER_RECORD = Said(
    "the record at byte {start} is of format version {version}; ours is {ours}",
    "第 {start} 字节处的记录是格式版本 {version}，本程序是 {ours}",
)
NEWER_NOTE = Said(
    "a note is of format version {version}; ours is {ours}",
    "有一条记忆是格式版本 {version}，本程序是 {ours}",
)
NEWER_HINT = Said("update chyan-agent; nothing was changed", "请更新 chyan-agent；什么都没有改动")
NOTE_LENGTH = Said("a note of {length:,} characters can't be kept", "无法保存 {length:,} 字的记忆")
NOTE_LENGTH_HINT = Said(
    "say it in 1 to {most:,} characters, or write a file", "写成 1 到 {most:,} 字，或写入文件"
)

# ── what recovery found ──
TURN_INTERRUPTED = Said(
    "turn {turn} was interrupted before it was answered: ask again if you still want to know",
    "第 {turn} 轮在回答之前被中断：如仍需要，请再问一次",
)
ANSWER_CHANGED = Said(
    "the answer of turn {turn} was changed and is not used; --accept-edited takes it over, now or"
    " later",
    "第 {turn} 轮的回答被改动过，没有采用；可用 --accept-edited 接受，以后再做也可以",
)
CALL_DONE = Said(
    "{call}: was completed before the interruption; it is not run again",
    "{call}：中断前已完成，不会再执行",
)
CALL_NOT_RUN = Said("{call}: was not executed", "{call}：没有执行")
CALL_UNKNOWN = Said(
    "{call}: unknown whether it ran, as its file has changed since or can't be compared; it is not "
    "run again",
    "{call}：不知是否执行过，文件此后有改动或无法比对；不会再执行",
)
NOT_A_RECORD = Said(
    "{name}: bytes {start}-{end} are not a record and were passed over",
    "{name}：第 {start}-{end} 字节不是完好的记录，已跳过",
)
RECORDS_EDITED = Said(
    "{name}: bytes {start}-{end} are records that were changed and were passed over; if you edited "
    "them, --accept-edited takes them over",
    "{name}：第 {start}-{end} 字节的记录被改动过，已跳过；如果是你改的，用 --accept-edited 接受",
)
RECORDS_MISSING = Said(
    "{name}: records between {last} and {seq} are missing at byte {start}",
    "{name}：第 {start} 字节处缺少第 {last} 条与第 {seq} 条之间的记录",
)
RECORDS_TWICE = Said(
    "{name}: bytes {start}-{end} repeat earlier records and count once",
    "{name}：第 {start}-{end} 字节重复了前面的记录，只算一次",
)
RECORDS_CONFLICT = Said(
    "{name}: bytes {start}-{end} have numbers of earlier records (up to {seq}) and other content; "
    "the earlier ones count, a copy is in quarantine",
    "{name}：第 {start}-{end} 字节与前面的记录编号相同（到第 {seq} 条）而内容不同；"
    "以前面的为准，副本在 quarantine 中",
)
RECORDS_LATE = Said(
    "{name}: records at bytes {start}-{end} (up to {seq}) come after later ones and were passed "
    "over",
    "{name}：第 {start}-{end} 字节的记录（到第 {seq} 条）排在更晚的记录之后，已跳过",
)
REWOUND_FORWARD = Said(
    "{name}: bytes {start}-{end} go back to a turn that was not there yet and were passed over",
    "{name}：第 {start}-{end} 字节要回到当时还不存在的一轮，已跳过",
)
MORE_DAMAGE = Said("{name}: further damaged places: {count:,}", "{name}：另有 {count:,} 处损坏")
META_AHEAD = Said(
    "{meta} knew {known:,} records and {name} has {found:,}: what was said after them is lost",
    "{meta} 记得有 {known:,} 条记录，而 {name} 只有 {found:,} 条：其后的内容已丢失",
)
TORN_UNTOUCHED = Said(
    "{name}: {size} bytes at byte {start} are an unfinished record and were passed over",
    "{name}：第 {start} 字节起有一条没写完的记录（{size} 字节），已跳过",
)
TORN_RECORD = Said(
    "{name}: {size} bytes of an unfinished record at byte {start} moved to {aside}",
    "{name}：第 {start} 字节起有一条没写完的记录（{size} 字节），已移到 {aside}",
)
NOT_A_NOTE = Said(
    "{name}: bytes {start}-{end} are not a note and were passed over",
    "{name}：第 {start}-{end} 字节不是完好的记忆，已跳过",
)
TORN_NOTE = Said(
    "{name}: {size} bytes of an unfinished note moved to {aside}",
    "{name}：有一条没写完的记忆（{size} 字节），已移到 {aside}",
)
