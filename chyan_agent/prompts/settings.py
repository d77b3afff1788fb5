"""Texts around the settings: warnings, the head of the written file, the head of the table."""

from dataclasses import dataclass

from . import Language, pick


@dataclass(frozen=True, slots=True)
class SettingsTexts:
    """One language's texts. Fields in braces are filled with `str.format`."""

    head: str
    sections: dict[str, str]
    choices: str
    span: str
    table: str
    open_key: str
    tracked_key: str
    clear_text: str


ZH = SettingsTexts(
    head=(
        "chyan-agent 的配置。每一项都可省略，写在这里的都是默认值。\n"
        "优先级：命令行 > 环境变量 OPENAI_API_KEY、OPENAI_BASE_URL > 本文件。"
    ),
    sections={
        "llm": "模型接口",
        "context": "上下文预算",
        "tools": "工具",
        "memory": "长期记忆",
        "log": "日志",
    },
    choices="可选：{choices}",
    span="范围：{low} 到 {high}",
    table="| 配置项 | 默认值 | 说明 |",
    open_key=(
        "{path} 里有密钥，而其他用户可以读取它（权限 {mode}）。"
        "请执行 chmod 600，或改用环境变量 OPENAI_API_KEY。"
    ),
    tracked_key=(
        "{path} 里有密钥，而 git 正在跟踪它：提交就会公开密钥。"
        "请改用环境变量 OPENAI_API_KEY，或执行 git rm --cached。"
    ),
    clear_text="llm.base_url 以明文 http 访问 {host}，对话和密钥可能被他人读取。请改用 https。",
)

EN = SettingsTexts(
    head=(
        "Settings of chyan-agent. Each can be left out; what stands here are the defaults.\n"
        "Precedence: command line > environment (OPENAI_API_KEY, OPENAI_BASE_URL) > this file."
    ),
    sections={
        "llm": "The model's endpoint",
        "context": "The context budget",
        "tools": "Tools",
        "memory": "Long-term memory",
        "log": "Log",
    },
    choices="one of {choices}",
    span="from {low} to {high}",
    table="| key | default | meaning |",
    open_key=(
        "{path} holds an API key and other users can read it (mode {mode})."
        " Run chmod 600 on it, or keep the key in OPENAI_API_KEY."
    ),
    tracked_key=(
        "{path} holds an API key and git tracks it: a commit would publish the key. Keep it in"
        " OPENAI_API_KEY, or run git rm --cached on the file."
    ),
    clear_text=(
        "llm.base_url reaches {host} over plain http: others may read the conversation and the"
        " key. Use https."
    ),
)


def texts(language: Language) -> SettingsTexts:
    """Return the texts of a language."""
    return pick(language, ZH, EN)
