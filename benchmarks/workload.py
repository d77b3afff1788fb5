"""What the long conversation of the benchmark consists of."""

from typing import Any

from chyan_agent.agent import Agent

NOTES = 1000


def question(number: int) -> str:
    """Return the question of a turn; all differ."""
    return (
        f"第 {number} 步：请检查 src/module_{number % 37}.py 里的配置项 port={8000 + number}，"
        + (
            "如果和 notes.md 里记的不一样就告诉我差别在哪里。"
            if number % 3
            else "and keep it short."
        )
    )


def fill(agent: Agent) -> None:
    """Give the memory its notes."""
    for number in range(NOTES):
        text = f"项目 {number} 的负责人是 P{number * 7919 % 1009}，端口 {20000 + number}"
        agent.memory.remember(text, turn=0, source="user")


def raw_messages() -> list[Any]:
    """Return twenty messages of ordinary length."""
    system = {"role": "system", "content": "You are a helpful assistant. " * 20}
    pairs = [
        {"role": role, "content": question(number) * 2}
        for number in range(9)
        for role in ("user", "assistant")
    ]
    return [system, *pairs, {"role": "user", "content": question(99)}]
