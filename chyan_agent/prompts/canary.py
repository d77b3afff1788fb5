"""What the doctor says to a model, and of its canary. `X_HINT` is the way out of `X`."""

from .said import Said

# ── to the model: English, since its common words are one token in nearly every vocabulary ──
CANARY_SYSTEM = "This is a test of the context window. Answer in a few words."
FIRST_WORD = "The first code word is {word}."
MIDDLE_WORD = "The second code word is {word}."
LAST_WORD = "The third code word is {word}."
NOTED = "Noted."
ASKED = (
    "What is the first code word, what is the second code word and what is the third code word?"
    " Answer with these three words only."
)
TOOL_ASKED = "Please remember that the code word is {word}. Use the tool."
TOOL_NAME = "remember"
TOOL = {
    "type": "function",
    "function": {
        "name": TOOL_NAME,
        "description": "Store a fact in long-term memory.",
        "parameters": {
            "type": "object",
            "properties": {"content": {"type": "string", "description": "the fact"}},
            "required": ["content"],
        },
    },
}
CODE_WORDS = ("amber", "walnut", "copper", "maple", "granite", "harbor", "lantern", "velvet")
FILLER = [
    "river",
    "stone",
    "garden",
    "window",
    "morning",
    "winter",
    "market",
    "letter",
    "music",
    "bridge",
    "forest",
    "yellow",
    "silver",
    "quiet",
    "simple",
    "early",
    "northern",
    "little",
    "open",
    "warm",
    "green",
    "old",
    "large",
    "small",
    "seven",
    "three",
    "village",
    "school",
    "paper",
    "house",
    "table",
    "light",
    "water",
    "road",
    "field",
    "train",
    "ship",
    "story",
    "number",
    "people",
    "country",
    "street",
    "summer",
    "evening",
    "animal",
    "horse",
    "flower",
    "mountain",
    "island",
    "ocean",
    "kitchen",
    "teacher",
    "farmer",
    "brother",
    "sister",
    "child",
    "friend",
    "corner",
    "circle",
    "square",
]

# ── the canary ──
SENDING = Said(
    "sending a canary of {size} tokens, one request: a model on a slow CPU may read it for"
    " minutes (--canary 0 leaves it out)",
    "正在发送 {size} token 的探测请求，只有一次：慢速 CPU 上的模型可能要读几分钟"
    "（--canary 0 可略去）",
)
LEFT_OUT = Said("left out", "略去")
LEFT_OUT_HINT = Said(
    "a server that cuts long prompts silently is not noticed", "不会发现服务默默截断长提示"
)
READ = Said(
    "{sent} tokens sent, {counted} read by the server's count, {words} of 3 code words came back",
    "发送 {sent} token，服务计为 {counted}，3 个暗号说对 {words} 个",
)
READ_ALL = Said(
    "{sent} tokens sent, {counted} read by the server's count",
    "发送 {sent} token，服务计为 {counted}",
)
READ_WORDS = Said(
    "{sent} tokens sent, all 3 code words came back", "发送 {sent} token，3 个暗号都说对了"
)
BEYOND_HINT = Said(
    "the agent sends up to {most}: --canary {plain} tests all of it",
    "智能体最多发送 {most}：--canary {plain} 可全部测到",
)
CUT = Said(
    "{sent} tokens sent, only {counted} read: the server cuts long prompts silently",
    "发送 {sent} token，只读了 {counted}：服务默默截断了长提示",
)
CUT_WORDS = Said(
    "{sent} tokens sent, and the model knows only the end: the server cuts long prompts silently",
    "发送 {sent} token，模型只知道结尾：服务默默截断了长提示",
)
CUT_HINT = Said(
    "give the server a window of {limit} (Ollama: OLLAMA_CONTEXT_LENGTH, or num_ctx in a"
    " Modelfile), or set context.context_limit to what it really has{window}",
    "把服务的窗口加大到 {limit}（Ollama：OLLAMA_CONTEXT_LENGTH，或 Modelfile 里的 num_ctx），"
    "或把 context.context_limit 设为它真实的大小{window}",
)
ABOUT = Said(", about {window}", "，约 {window}")
COUNTS_LESS = Said(
    "{sent} tokens sent, {counted} by the server's count, yet all 3 code words came back",
    "发送 {sent} token，服务只计 {counted}，但 3 个暗号都说对了",
)
COUNTS_LESS_HINT = Said(
    "the server leaves something out of its count; its figures can't correct ours",
    "服务的计数有遗漏，不能用来校正",
)
NO_BEGINNING = Said(
    "{counted} read by the server's count, but the model knows only the end",
    "服务计为 {counted}，但模型只知道结尾",
)
NO_BEGINNING_HINT = Said(
    "something between may cut the prompt, or the model is too weak to tell",
    "可能有中间环节截断了提示，也可能模型太弱",
)
UNCLEAR = Said(
    "{sent} tokens sent; without usage and with {words} of 3 code words nothing is proved",
    "发送 {sent} token；没有 usage，3 个暗号只说对 {words} 个，无法判断",
)
UNCLEAR_HINT = Said(
    "look at the window in the server's own settings or log", "查看服务自己的设置或日志里的窗口大小"
)
REFUSED = Said("{sent} tokens sent and refused as too large", "发送 {sent} token，因过长被拒绝")
REFUSED_AT = Said(
    "{sent} tokens sent and refused: the server's window is {limit}",
    "发送 {sent} token，被拒绝：服务的窗口是 {limit}",
)
REFUSED_HINT = Said(
    "lower context.context_limit to the model's window",
    "把 context.context_limit 降到模型的窗口大小",
)
NO_ANSWER = Said("no whole answer in {seconds} s", "{seconds} 秒内没有完整的回答")
NO_ANSWER_HINT = Said(
    "try a small one: --canary 500; a window this large may be too slow on this machine",
    "先试小的：--canary 500；这么大的窗口在这台机器上可能太慢",
)
