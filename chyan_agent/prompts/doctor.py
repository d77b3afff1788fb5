"""What the doctor says. `X_HINT` is the way out of `X`."""

from .said import Said

# ── names of the checks ──
NAMES = {
    "config": Said("configuration", "配置"),
    "budget": Said("budget", "预算"),
    "data": Said("data", "数据目录"),
    "workspace": Said("workspace", "工作目录"),
    "key": Said("API key", "密钥"),
    "endpoint": Said("endpoint", "接口"),
    "model": Said("model", "模型"),
    "context": Said("context limit", "窗口大小"),
    "canary": Said("canary", "探测请求"),
    "usage": Said("token count", "计数"),
    "streaming": Said("streaming", "流式输出"),
    "speed": Said("speed", "速度"),
    "tools": Said("tool calls", "工具调用"),
}
HINT = Said("-> {hint}", "-> 提示：{hint}")
ALL_FINE = Said("everything works", "一切正常")
WARNED = Said(
    "it works, with {warnings} remark(s) above", "可以使用，有 {warnings} 处值得留意，见上"
)
FAILED = Said("{failures} problem(s): see above", "有 {failures} 个问题，见上")
DOUBTED = Said(
    "what this endpoint had taught of how to ask it is forgotten, and will be learnt again",
    "此前从这个接口学到的请求方式已忘记，将重新学习",
)
NOT_ASKED = Said(
    "the rest needs an endpoint that answers, and was not looked at",
    "其余检查需要接口有回应，没有进行",
)

# ── this side ──
NO_FILE = Said(
    "no file: defaults, environment and command line", "没有配置文件：用默认值、环境变量和命令行"
)
BUDGET = Said(
    "{limit} - {reserved} (answer) - {fixed} (fixed) = {left} for the conversation",
    "{limit} - {reserved}（回答）- {fixed}（固定）= {left}，留给对话",
)
DATA = Said(
    "{path}: free, writable, {space} left, {ms} ms to make a write durable",
    "{path}：空闲、可写，剩余 {space}，落盘一次 {ms} 毫秒",
)
LITTLE_SPACE_HINT = Said(
    "free disk space: the conversation grows with every turn", "腾出磁盘空间：对话记录每轮都会增长"
)
TO_BE_MADE = Said("{path}: will be made in {parent}", "{path}：将在 {parent} 中创建")
CANT_MAKE = Said("{path}: can't be made in {parent}", "{path}：无法在 {parent} 中创建")
CANT_USE = Said("{path}: {reason}", "{path} 不可用：{reason}")
NO_FOLDER = Said("is not a folder", "不是目录")
NO_ACCESS = Said("can't be read and written", "没有读写权限")
FOLDER_HINT = Said(
    "give a folder that you may write to: {option}", "换一个有写权限的目录：{option}"
)
WORKSPACE = Said("{path}: readable and writable", "{path}：可读可写")
READ_ONLY = Said("{path}: readable, not writable", "{path}：可读，不可写")
READ_ONLY_HINT = Said("the write tool will fail there", "write 工具在那里会失败")

# ── the endpoint ──
KEY_SET = Said("set ({length} characters)", "已设置（{length} 个字符）")
KEY_NOT_NEEDED = Said("none, and {host} asks for none", "没有设置，{host} 也不需要")
KEY_NONE = Said("none is set; {host} may want one", "没有设置；{host} 可能需要")
KEY_NONE_HINT = Said("set OPENAI_API_KEY if requests are refused", "若被拒绝，设置 OPENAI_API_KEY")
ENDPOINT = Said("{url} answers in {ms} ms", "{url} 在 {ms} 毫秒内回应")
SILENT = Said("{url} said nothing in {seconds} s", "{url} 在 {seconds} 秒内没有回应")
SILENT_HINT = Said(
    "it may be busy with another request, or still loading the model",
    "它可能正忙于别的请求，或还在加载模型",
)
NO_LIST = Said(
    "the server lists no models (HTTP {status})", "服务没有给出模型列表（HTTP {status}）"
)
NO_LIST_HINT = Said(
    "if requests fail too, check llm.base_url: it usually ends in /v1",
    "若请求也失败，检查 llm.base_url：通常以 /v1 结尾",
)
MODEL = Said("{model}, one of {count}", "{model}，共有 {count} 个模型")
NOT_LISTED = Said(
    "{model} is not among the server's {count} model(s)", "服务的 {count} 个模型里没有 {model}"
)
CLOSE = Said("did you mean {names}?", "是不是 {names}？")
OFFERS = Said("set llm.model; the server has {names}", "设置 llm.model；服务有 {names}")
WINDOW = Said(
    "{window} by {source}; context.context_limit is {limit}",
    "{window}（{source}）；context.context_limit 是 {limit}",
)
SMALLER = Said(
    "the server has {window} by {source}, less than context.context_limit {limit}",
    "服务只有 {window}（{source}），小于 context.context_limit {limit}",
)
SMALLER_HINT = Said(
    "set context.context_limit to {window} or less, or give the server more: llama-server -c,"
    " vllm --max-model-len, OLLAMA_CONTEXT_LENGTH or num_ctx",
    "把 context.context_limit 设为不超过 {window}，或加大服务的窗口：llama-server -c、"
    "vllm --max-model-len、OLLAMA_CONTEXT_LENGTH 或 num_ctx",
)
ABLE = Said(
    "the model can do {window} by {source}; what the server gives it is not known before it runs",
    "模型最多 {window}（{source}）；服务实际给多少，运行前不知道",
)
ABLE_HINT = Said(
    "Ollama gives 4,096 on small machines unless OLLAMA_CONTEXT_LENGTH or num_ctx says more",
    "若未设 OLLAMA_CONTEXT_LENGTH 或 num_ctx，Ollama 在小机器上只给 4,096",
)
UNSAID = Said("the server doesn't say; the canary shows it", "服务没有说明；由探测请求得知")

# ── what its answer shows ──
USAGE = Said(
    "the server counts {counted}, {tokenizer} {ours} ({more})",
    "服务计为 {counted}，{tokenizer} 计为 {ours}（{more}）",
)
USAGE_HINT = Said(
    "the first answers correct it; a vocabulary of the model itself is better: context.tokenizer",
    "最初几个回答会校正它；更好的是用模型自己的词表：context.tokenizer",
)
NO_USAGE = Said("the server reports no usage", "服务不报告 usage")
NO_USAGE_HINT = Said(
    "our own count can't be corrected: choose context.tokenizer to fit the model",
    "无法校正我们的计数：让 context.tokenizer 与模型相符",
)
STREAMS = Said(
    "first piece after {first} s, {pieces} pieces in {seconds} s, finish_reason {finish}",
    "{first} 秒后第一段，{seconds} 秒内共 {pieces} 段，finish_reason 为 {finish}",
)
CALL_CAME = Said(
    "a tool call after {seconds} s, finish_reason {finish}",
    "{seconds} 秒后收到工具调用，finish_reason 为 {finish}",
)
ONE_PIECE = Said(
    "the whole answer came in one piece after {first} s", "{first} 秒后整个回答一次到达"
)
ONE_PIECE_HINT = Said(
    "answers appear only when they are finished: a proxy may be holding them back",
    "回答要等写完才显示：可能有代理在缓冲",
)
NO_TEXT = Said(
    "no visible text in {tokens} tokens, finish_reason {finish}",
    "{tokens} 个 token 内没有可见文字，finish_reason 为 {finish}",
)
NO_TEXT_HINT = Said(
    "a reasoning model thinks first: leave it enough context.reserved_tokens",
    "推理模型会先思考：context.reserved_tokens 要留够",
)
ODD_FINISH_HINT = Said(
    "this finish_reason is not of the protocol: an answer that was cut off may go unnoticed",
    "这个 finish_reason 不合协议：回答被截断时可能发现不了",
)
SPEED = Said(
    "{rate} tokens a second read; a full request of {most} takes about {seconds} s",
    "每秒读 {rate} token；一个满的请求 {most} 约需 {seconds} 秒",
)
SLOW_HINT = Said(
    "that is more than llm.read_timeout ({timeout} s): raise it to {least}, or lower"
    " context.context_limit",
    "超过了 llm.read_timeout（{timeout} 秒）：提高到 {least}，或降低 context.context_limit",
)
NATIVE = Said("native: {call}", "原生：{call}")
AS_TEXT = Said("written as text, not as a call", "写成了文字，而不是调用")
AS_TEXT_HINT = Said(
    "give the server a chat template with tools (llama-server --jinja), or use another model",
    "给服务一个支持工具的对话模板（llama-server --jinja），或换一个模型",
)
IGNORED = Said("the tool was not called", "没有调用工具")
IGNORED_HINT = Said(
    "the agent can talk but hardly act with it: use a model that calls tools",
    "用它只能对话，几乎不能做事：换一个会调用工具的模型",
)
BROKEN_CALL = Said("the call can't be used: {call}", "调用不可用：{call}")
NO_TOOLS = Said("the endpoint takes no tools: {reason}", "接口不接受工具：{reason}")
