"""What is said about notes: to the model when one is refused, to the user who looks after them."""

from collections.abc import Mapping
from dataclasses import dataclass

from . import Language
from .said import Said


@dataclass(frozen=True, slots=True)
class NoteTexts:
    """One language's words for the model. Refusals by reason, secrets by kind."""

    language: Language
    refused: Mapping[str, str]
    hints: Mapping[str, str]
    secrets: Mapping[str, str]


ZH = NoteTexts(
    language="zh",
    refused={
        "secret": "没有保存：内容像是{secret}，记忆文件不保存机密",
        "chatter": "没有保存：这只是客套话，没有可记的事实",
        "boot": "没有保存：这是系统提示或工具说明里已有的内容，每次都会看到",
        "echo": "没有保存：这是刚刚回忆到的内容，已在记忆或对话记录里",
    },
    hints={
        "secret": "告诉用户机密没有保存；可以改记它存放在哪里（如密码管理器），不含机密本身。",
        "chatter": "只记以后用得上的事实：谁、什么、何时、在哪里。",
        "boot": "只记用户和任务的事实。",
        "echo": "不用再存；若有变化，写出新的值（如“端口改为 9090”）。",
    },
    secrets={"private key": "私钥", "key": "密钥", "token": "令牌", "password": "密码"},
)

EN = NoteTexts(
    language="en",
    refused={
        "secret": "not stored: this looks like a {secret}, and notes hold no secrets",
        "chatter": "not stored: this is small talk and holds no fact",
        "boot": "not stored: this is part of the instructions, which are seen every time anyway",
        "echo": "not stored: this was just recalled, so it is on record already",
    },
    hints={
        "secret": "Tell the user that the secret was not stored; note where it is kept instead "
        "(a password manager, the name of a variable), without the secret itself.",
        "chatter": "Note facts of later use: who, what, when, where.",
        "boot": "Note facts about the user and the task alone.",
        "echo": "No need to store it again; if something changed, note the new value.",
    },
    secrets={
        "private key": "private key",
        "key": "secret key",
        "token": "secret token",
        "password": "password",
    },
)

SECRET_IN = Said("a {secret} is not kept in the notes", "{secret}不会保存到记忆")
