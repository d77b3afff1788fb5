"""What the user reads when the endpoint gives no answer: for each class a message and a way out."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Advice:
    """A message and a hint. Fields in braces (url, model, status, reason…) are filled in."""

    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class LlmTexts:
    """One language's texts."""

    no_key: Advice
    bad_key: Advice
    """A key with characters that no key has."""
    bad_url: Advice
    auth: Advice
    auth_no_key: Advice
    quota: Advice
    missing: Advice
    refused: Advice
    overflow: Advice
    rate: Advice
    """One request is more than may be used in a minute."""
    busy: Advice
    failing: Advice
    wait: Advice
    """The endpoint asks for a longer pause than is reasonable."""
    unreachable: Advice
    silent: Advice
    """No byte within a timeout."""
    endless: Advice
    """An answer that takes longer than a whole one may."""
    moved: Advice
    """A redirect to another host."""
    cut: Advice
    empty: Advice
    strange: Advice
    """An answer that is not of the chat protocol."""
    offers: str
    no_reason: str


ZH = LlmTexts(
    no_key=Advice(
        "没有设置 API 密钥，而 {url} 需要密钥",
        "设置环境变量 OPENAI_API_KEY 或 config.toml 的 llm.api_key；"
        "用本地模型则设置 llm.base_url；没有模型可用 --offline",
    ),
    bad_key=Advice(
        "API 密钥里有不可能出现在密钥中的字符",
        "检查 OPENAI_API_KEY 或 llm.api_key：可能多了空格、换行、中文或引号",
    ),
    bad_url=Advice(
        "无法使用的地址 llm.base_url：{url}",
        "应形如 https://主机/v1 或 http://127.0.0.1:11434/v1",
    ),
    auth=Advice(
        "{url} 拒绝了 API 密钥（HTTP {status}）：{reason}",
        "检查 OPENAI_API_KEY 或 llm.api_key 是否属于这个地址，以及它是否有权使用模型 {model}",
    ),
    auth_no_key=Advice(
        "{url} 需要 API 密钥（HTTP {status}）：{reason}",
        "没有设置密钥：请设置环境变量 OPENAI_API_KEY 或 config.toml 的 llm.api_key",
    ),
    quota=Advice(
        "账户额度不足：{reason}",
        "在服务商处充值或提高额度，或改用别的 llm.base_url；重试没有用",
    ),
    missing=Advice(
        "{url} 上没有模型 {model}，或地址不对（HTTP 404）：{reason}",
        "检查 llm.model 和 llm.base_url（通常以 /v1 结尾）{offers}",
    ),
    refused=Advice(
        "{url} 不接受这个请求（HTTP {status}）：{reason}",
        "检查 llm.model（现为 {model}）以及这个服务是否支持工具调用和流式输出",
    ),
    overflow=Advice(
        "请求超出了模型 {model} 的窗口：{reason}",
        "把 context.context_limit 调到不超过模型真实的窗口",
    ),
    rate=Advice(
        "{url} 每分钟允许的 token 比这一个请求还少（HTTP {status}）：{reason}",
        "把 context.context_limit 调到 {allowance} 以下，或在服务商处提高速率上限；等待没有用",
    ),
    busy=Advice(
        "{url} 请求过多（HTTP {status}）：{reason}",
        "稍后再试，或提高 llm.max_retries",
    ),
    failing=Advice(
        "{url} 出错（HTTP {status}）：{reason}",
        "是服务端的问题：稍后再试，或查看服务端日志",
    ),
    wait=Advice(
        "{url} 要求等待 {seconds} 秒，不再自动重试：{reason}",
        "过后再试，或提高 llm.backoff_cap",
    ),
    unreachable=Advice(
        "连不上 {url}：{reason}",
        "模型服务在运行吗？地址和端口（llm.base_url）对吗？网络或代理通吗？",
    ),
    silent=Advice(
        "{url} 没有在 {seconds} 秒内回应",
        "模型可能还在加载或提示太长；可提高 llm.read_timeout，或换更快的模型",
    ),
    endless=Advice(
        "{url} 在 {seconds} 秒内没有答完",
        "可提高 context.max_seconds，降低 context.reserved_tokens，或换更快的模型",
    ),
    moved=Advice(
        "{url} 要把请求转到另一个地址：{reason}",
        "对话没有发往那里；如果信任它，把 llm.base_url 改为那个地址",
    ),
    cut=Advice(
        "{url} 的回答中途断开：{reason}",
        "再问一次；经常发生时查看服务端日志和中间的代理；"
        "有的服务在提示超出窗口时就这样断开：用 doctor 检查窗口",
    ),
    empty=Advice(
        "{url} 返回了空的回答",
        "再问一次；经常发生时换一个模型，或查看服务端日志",
    ),
    strange=Advice(
        "{url} 的回应不是聊天补全接口的格式：{reason}",
        "检查 llm.base_url：应指向 OpenAI 兼容接口，通常以 /v1 结尾",
    ),
    offers="；这个服务有：{names}",
    no_reason="没有说明原因",
)

EN = LlmTexts(
    no_key=Advice(
        "no API key is set, and {url} needs one",
        "set OPENAI_API_KEY or llm.api_key in config.toml; for a local model set llm.base_url; "
        "without any model use --offline",
    ),
    bad_key=Advice(
        "the API key has characters that no key has",
        "check OPENAI_API_KEY or llm.api_key for spaces, line breaks, quotes or non-ASCII letters",
    ),
    bad_url=Advice(
        "llm.base_url can't be used: {url}",
        "it looks like https://host/v1 or http://127.0.0.1:11434/v1",
    ),
    auth=Advice(
        "{url} refused the API key (HTTP {status}): {reason}",
        "check that OPENAI_API_KEY or llm.api_key belongs to this endpoint "
        "and may use the model {model}",
    ),
    auth_no_key=Advice(
        "{url} needs an API key (HTTP {status}): {reason}",
        "none is set: set OPENAI_API_KEY or llm.api_key in config.toml",
    ),
    quota=Advice(
        "the account has no quota left: {reason}",
        "add credit or raise the limit with the provider, or use another llm.base_url; "
        "trying again won't help",
    ),
    missing=Advice(
        "{url} has no model {model}, or the address is wrong (HTTP 404): {reason}",
        "check llm.model and llm.base_url (it usually ends in /v1){offers}",
    ),
    refused=Advice(
        "{url} refused the request (HTTP {status}): {reason}",
        "check llm.model (now {model}) and that the service supports tools and streaming",
    ),
    overflow=Advice(
        "the request is larger than the window of {model}: {reason}",
        "lower context.context_limit to the model's true window",
    ),
    rate=Advice(
        "{url} allows fewer tokens a minute than this one request takes (HTTP {status}): {reason}",
        "set context.context_limit below {allowance}, or raise the rate limit with the provider; "
        "waiting won't help",
    ),
    busy=Advice(
        "{url} gets too many requests (HTTP {status}): {reason}",
        "try again later, or raise llm.max_retries",
    ),
    failing=Advice(
        "{url} failed (HTTP {status}): {reason}",
        "the fault is on the service's side: try again later, or read its log",
    ),
    wait=Advice(
        "{url} asks to wait {seconds} seconds, too long to retry by itself: {reason}",
        "try again after that, or raise llm.backoff_cap",
    ),
    unreachable=Advice(
        "can't reach {url}: {reason}",
        "is the model server running, are host and port of llm.base_url right, "
        "do network and proxy work?",
    ),
    silent=Advice(
        "{url} did not answer within {seconds} seconds",
        "the model may still be loading or the prompt is long: raise llm.read_timeout, "
        "or use a faster model",
    ),
    endless=Advice(
        "{url} did not finish its answer within {seconds} seconds",
        "raise context.max_seconds, lower context.reserved_tokens, or use a faster model",
    ),
    moved=Advice(
        "{url} redirects to another place: {reason}",
        "nothing was sent there; if you trust it, set llm.base_url to that address",
    ),
    cut=Advice(
        "the answer of {url} broke off: {reason}",
        "ask again; if it happens often, look at the server's log and at proxies in between; "
        "some servers break off when a prompt is over their window: let the doctor check it",
    ),
    empty=Advice(
        "{url} sent an empty answer",
        "ask again; if it happens often, use another model, or read the server's log",
    ),
    strange=Advice(
        "{url} does not answer like a chat completions endpoint: {reason}",
        "check llm.base_url: it must point to an OpenAI-compatible API and usually ends in /v1",
    ),
    offers="; this service has: {names}",
    no_reason="no reason given",
)
