"""What there is to say about a model of one's own. `X_HINT` is the way out of `X`."""

from .said import Said

# ── on the way ──
STARTING = Said(
    "starting llama.cpp with {name} ({size}), window {window:,} …",
    "正在用 llama.cpp 启动 {name}（{size}），窗口 {window:,} …",
)
LOADING = Said("still loading the model: {seconds} s", "仍在加载模型：已 {seconds} 秒")
READY = Said("the model is ready after {seconds:.1f} s", "模型就绪，用时 {seconds:.1f} 秒")
SMALLER = Said(
    "{name} was trained for {window:,} tokens: its window is used instead of {limit:,}",
    "{name} 的窗口只有 {window:,} tokens：按它来用，而不是 {limit:,}",
)

# ── the extra ──
NO_PACKAGE = Said(
    "--local needs the package xllamacpp, which is not installed",
    "--local 需要 xllamacpp 包，目前没有安装",
)
NO_PACKAGE_HINT = Said(
    "install the extra: pip install 'chyan-agent[local]', or in a clone pip install -e '.[local]'",
    "安装可选依赖：pip install 'chyan-agent[local]'；在源码目录里是 pip install -e '.[local]'",
)

# ── the model file ──
NO_MODEL = Said("can't read the model {path}: {reason}", "无法读取模型 {path}：{reason}")
NO_MODEL_HINT = Said(
    "give the path of a .gguf file after --local", "--local 后面应是一个 .gguf 文件的路径"
)
NOT_GGUF = Said("{path} is not a GGUF file", "{path} 不是 GGUF 文件")
NOT_GGUF_HINT = Said(
    "llama.cpp reads models in the GGUF format only: fetch the model's .gguf edition",
    "llama.cpp 只能读取 GGUF 格式：请下载该模型的 .gguf 版本",
)
DAMAGED = Said("{path} is damaged: its head ends early", "{path} 已损坏：文件头不完整")
DAMAGED_HINT = Said(
    "fetch the file again and compare its SHA-256 with the published one",
    "重新下载，并与公布的 SHA-256 核对",
)
UNLOADABLE = Said("llama.cpp can't load {path}: {reason}", "llama.cpp 无法加载 {path}：{reason}")
UNLOADABLE_HINT = Said(
    "compare the file's SHA-256 with the published one; "
    "for a new kind of model update the package xllamacpp",
    "与公布的 SHA-256 核对；如果是新出的模型，请更新 xllamacpp 包",
)

# ── memory and processor ──
NO_MEMORY = Said(
    "{path} needs {need} of memory, {free} are free", "{path} 需要 {need} 内存，目前可用 {free}"
)
NO_MEMORY_LEFT = Said(
    "there is not enough memory for {path} with a window of {window:,} tokens",
    "内存不够：{path}，窗口 {window:,} tokens",
)
NO_MEMORY_HINT = Said(
    "take a smaller model or quantization, lower --limit, or end other programs",
    "换更小的模型或量化版本，调小 --limit，或关闭其他程序",
)
KILLED = Said(
    "llama.cpp was ended by {signal} while loading {path}",
    "llama.cpp 在加载 {path} 时被 {signal} 终止",
)
KILLED_HINT = Said(
    "this build may need a newer processor; start a llama.cpp server of your own "
    "and use --base-url",
    "这个构建可能需要更新的处理器；可以自行启动 llama.cpp 服务，再用 --base-url",
)
ENDED = Said("ended with code {code}", "以退出码 {code} 结束")
MUTE = Said(
    "llama.cpp has started but does not answer at {url}", "llama.cpp 已启动，但 {url} 没有应答"
)
MUTE_HINT = Said(
    "try again; if a firewall guards loopback, let it pass",
    "请重试；如果防火墙拦截本机回环地址，请放行",
)

# ── the chat template ──
NO_TEMPLATE = Said(
    "can't read the chat template {path}: {reason}", "无法读取对话模板 {path}：{reason}"
)
NO_TEMPLATE_HINT = Said(
    "give a Jinja file after --chat-template, or one of ours: {names}",
    "--chat-template 后面应是一个 Jinja 文件，或自带的模板：{names}",
)
BAD_TEMPLATE = Said("the chat template can't be used: {reason}", "对话模板不可用：{reason}")
BAD_TEMPLATE_HINT = Said(
    "leave --chat-template out to use the model's own", "去掉 --chat-template，使用模型自带的模板"
)
OWN_TEMPLATE_HINT = Said(
    "the one in the model file doesn't work: give another with --chat-template FILE",
    "模型文件里的模板不能用：请用 --chat-template 指定另一个",
)
