"""What can't be used of the settings, and what can instead. `X_HINT` is the way out of `X`."""

from .said import Said

# ── the file ──
NO_CONFIG = Said(
    "can't read the configuration {path}: {reason}", "无法读取配置文件 {path}：{reason}"
)
NO_CONFIG_HINT = Said(
    "correct --config, or make a file with --write-config PATH",
    "改正 --config，或用 --write-config 生成一个配置文件",
)
NOT_UTF8 = Said(
    "{path} is not UTF-8: byte {byte:#04x} at offset {offset}",
    "{path} 不是 UTF-8 编码：偏移 {offset} 处是字节 {byte:#04x}",
)
NOT_UTF8_HINT = Said("save the file as UTF-8", "把文件另存为 UTF-8 编码")
NOT_TOML = Said("{path} is not TOML: {error}", "{path} 不是正确的 TOML：{error}")
NOT_TOML_HINT = Said(
    "texts stand in quotes, a \\ in them is written \\\\, and each key stands once",
    "文本要加引号，其中的 \\ 写成 \\\\，每一项只能出现一次",
)
TWO_PROMPTS = Said(
    "{path} sets system_prompt twice: at the top and below [context]",
    "{path} 设了两次 system_prompt：开头一次，[context] 之下又一次",
)
TWO_PROMPTS_HINT = Said("keep one of them", "只留其中一个")
EXISTS = Said("{path} exists already, and nothing was written", "{path} 已经存在，没有写入")
EXISTS_HINT = Said(
    "give another path, or move that file away first", "换一个路径，或先把那个文件移走"
)
CANT_WRITE = Said("can't write {path}: {reason}", "无法写入 {path}：{reason}")
CANT_WRITE_HINT = Said(
    "give a path in a folder that exists and that you may write to",
    "换到一个已经存在并且可以写入的目录",
)
FOREIGN_URL = Said(
    "{path} lies in the workspace and would have your key sent to {url}",
    "{path} 在工作区里，却要把你的密钥发到 {url}",
)
FOREIGN_URL_HINT = Said(
    "if the file is yours, name it: --config {path}; if not, delete it",
    "如果这是你自己的文件，请用 --config {path} 指明；如果不是，请删除它",
)

# ── keys and values ──
NOT_A_VALUE = Said(
    "{name} = {value}: {name} is a section, not a value",
    "{name} = {value}：{name} 是一节，不是一个值",
)
NOT_A_VALUE_HINT = Said(
    "write [{name}] on a line of its own and its keys below it",
    "[{name}] 单独写一行，它的各项写在下面",
)
UNKNOWN_SECTION = Said("unknown section [{name}]", "没有 [{name}] 这一节")
UNKNOWN_KEY = Said("unknown key {name} = {value}", "没有这个配置项：{name} = {value}")
UNUSABLE = Said("{name} = {value} can't be used", "{name} = {value} 不可用")
DID_YOU_MEAN = Said("did you mean {name}?", "是不是 {name}？")
KNOWN = Said("known: {names}", "可用的有：{names}")
ONE_OF = Said("use one of {names}", "可选：{names}")
WANTED = Said("give {wanted}, not {found}", "应是{wanted}，不是{found}")
IN_RANGE = Said("give {wanted} from {low:,} to {high:,}", "应是 {low:,} 到 {high:,} 的{wanted}")
NO_NUL = Said("leave the NUL characters out", "去掉其中的 NUL 字符")
TEXT = Said("a text in quotes", "带引号的文本")
WHOLE = Said("a whole number", "整数")
NUMBER = Said("a number", "数")
TRUTH = Said("true or false", "真假值")
LIST = Said("a list", "列表")
TABLE = Said("a table", "表")
DATE = Said("a date or time", "日期或时间")
NOT_SHOWN = Said("(not shown)", "(不显示)")
SHORTENED = Said("{text}… ({length} characters)", "{text}… (共 {length} 个字符)")

# ── what does not go together ──
NO_MODEL_HINT = Said("name a model", "填写模型名")
BAD_KEY = Said(
    "llm.api_key = (not shown) holds characters that no key has",
    "llm.api_key = (不显示) 含有密钥里不会有的字符",
)
BAD_KEY_HINT = Said(
    "copy the key again, without spaces, line ends or quotation marks",
    "重新复制密钥，不要带上空格、换行或引号",
)
NOT_A_URL = Said("llm.base_url = {url!r} is not a URL", "llm.base_url = {url!r} 不是网址")
NOT_A_URL_HINT = Said(
    "give something like http://127.0.0.1:11434/v1", "应形如 http://127.0.0.1:11434/v1"
)
NOTHING_LEFT = Said(
    "context.reserved_tokens = {reserved} leaves nothing of context.context_limit = {limit}",
    "context.reserved_tokens = {reserved} 把 context.context_limit = {limit} 全占了",
)
NOTHING_LEFT_HINT = Said(
    "lower reserved_tokens or raise context_limit", "调小 reserved_tokens，或调大 context_limit"
)
IMPOSSIBLE_BUDGET = Said(
    "impossible budget: context.context_limit = {limit}, but prompt and tools take {fixed}, "
    "context.reserved_tokens = {reserved} is held back for the answer, "
    "and a conversation needs {least}: {need} in all",
    "预算不够：context.context_limit = {limit}，而提示词和工具占 {fixed}，"
    "为回答预留 context.reserved_tokens = {reserved}，对话至少需要 {least}，合计 {need}",
)
IMPOSSIBLE_BUDGET_HINT = Said(
    "set context.context_limit to {need} or more, lower context.reserved_tokens, "
    "or shorten system_prompt",
    "把 context.context_limit 设为至少 {need}，或调小 context.reserved_tokens，"
    "或缩短 system_prompt",
)
OWN_FILES = Said(
    "tools.workspace = {path!r} holds the agent's own files",
    "tools.workspace = {path!r} 里有 agent 自己的文件",
)
NO_WORKSPACE = Said(
    "tools.workspace = {path!r} can't be used: {reason}",
    "tools.workspace = {path!r} 不可用：{reason}",
)
WORKSPACE_HINT = Said("use a folder of its own as the workspace", "工作区要单独用一个目录")

# ── tokenizers ──
NOT_A_TOKENIZER = Said(
    "context.tokenizer = {name!r} is not a tokenizer", "context.tokenizer = {name!r} 不是分词器"
)
TOKENIZER_HINT = Said(
    "use one of {names}, or the path of a file that ends in .tiktoken or .json",
    "可选：{names}，或以 .tiktoken 或 .json 结尾的词表文件",
)
NO_VOCABULARY = Said(
    "context.tokenizer = {name!r}: no such file", "context.tokenizer = {name!r}：没有这个文件"
)
NO_VOCABULARY_HINT = Said(
    "correct the path, or use one of {names}", "改正路径，或从 {names} 中选一个"
)
NOT_A_VOCABULARY = Said(
    "context.tokenizer = {path!r} is not a vocabulary: {why}",
    "context.tokenizer = {path!r} 不是词表：{why}",
)
NOT_A_VOCABULARY_HINT = Said(
    "give a file in tiktoken's format: a base64 token and its rank on each line",
    "应是 tiktoken 格式的文件：每行一个 base64 编码的词元和它的序号",
)
NOT_A_TOKENIZER_FILE = Said(
    "context.tokenizer = {path!r} is not a tokenizer.json: {why}",
    "context.tokenizer = {path!r} 不是 tokenizer.json：{why}",
)
NOT_A_TOKENIZER_FILE_HINT = Said(
    "give the tokenizer.json that belongs to the model, as Hugging Face's tokenizers write it",
    "应是模型附带的、Hugging Face tokenizers 格式的 tokenizer.json",
)
NO_TOKENIZERS = Said(
    "context.tokenizer = {path!r} needs the package tokenizers, which is not installed",
    "context.tokenizer = {path!r} 需要 tokenizers 包，但没有安装",
)
NO_TOKENIZERS_HINT = Said(
    "install the extra: pip install 'chyan-agent[hf]'; or use a .tiktoken file",
    "安装附加依赖：pip install 'chyan-agent[hf]'；或改用 .tiktoken 文件",
)
NOT_PAIRS = Said("its lines are not base64 and rank", "各行不是 base64 和序号")
REPEATED = Said("a token or a rank stands there twice", "有词元或序号出现了两次")
OUT_OF_RANGE = Said("a rank is out of range", "有序号超出范围")
NO_BYTE = Said("byte 0x{byte:02x} has no token", "字节 0x{byte:02x} 没有词元")
BUNDLED_DAMAGED = Said(
    "the bundled vocabulary {name} is damaged: its SHA-256 is not the published {digest}…",
    "自带的词表 {name} 已损坏：SHA-256 与公布的 {digest}… 不符",
)
BUNDLED_UNREADABLE = Said(
    "the bundled vocabulary {name} can't be read: {why}", "无法读取自带的词表 {name}：{why}"
)
BUNDLED_HINT = Said("reinstall chyan-agent", "重新安装 chyan-agent")
