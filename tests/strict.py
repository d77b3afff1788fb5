"""Rules of servers that refuse what real ones refuse, in their words. See docs/providers.md."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from .servers import Answer, Script, Seen, delta, failing, saying, stream

Body = dict[str, Any]
Rule = Callable[[Body], Script]
ALTERNATE = "Conversation roles must alternate user/assistant/user/assistant/..."


def server(*checks: Callable[[Body], Script | None], then: Rule) -> Answer:
    """Return a rule that refuses by the first check that gives a refusal, and else answers."""

    def answer(seen: Seen) -> Script:
        body: Body = dict(seen.json)
        return next((refusal for check in checks if (refusal := check(body))), None) or then(body)

    return answer


def roles(body: Body) -> list[str]:
    """Return the roles of a request's messages."""
    return [message["role"] for message in body["messages"]]


def refused(message: str, status: int = 400, **fields: object) -> Script:
    """Return an error in OpenAI's shape."""
    return failing(
        status, {"error": {"message": message, "type": "invalid_request_error"} | fields}
    )


def jinja(message: str) -> Script:
    """Return what llama.cpp says when a chat template raises an exception: it calls it its own."""
    said = f"\n------------\nWhile executing CallExpression\nError: Jinja Exception: {message}"
    return failing(500, {"error": {"code": 500, "message": said, "type": "server_error"}})


def no_system(body: Body) -> Script | None:
    """Refuse a system message, as Gemma's template does."""
    return jinja("System role not supported") if "system" in roles(body) else None


def alternating(body: Body) -> Script | None:
    """Refuse roles that don't alternate between user and assistant, as many templates do."""
    wanted = ["user", "assistant"] * len(body["messages"])
    said = [role for role in roles(body) if role != "system"]
    return None if said == wanted[: len(said)] else jinja(ALTERNATE)


def no_tools(body: Body) -> Script | None:
    """Refuse tool definitions, as Ollama does for models without them."""
    if "tools" not in body:
        return None
    return refused("registry.ollama.ai/library/small does not support tools", type="api_error")


def newer_maximum(body: Body) -> Script | None:
    """Refuse the older name of the length of an answer, as OpenAI's newer models do."""
    said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    return refused(said) if "max_tokens" in body else None


def older_maximum(body: Body) -> Script | None:
    """Refuse the newer name, as servers do that don't know it."""
    said = "Unrecognized request argument supplied: max_completion_tokens"
    return refused(said) if "max_completion_tokens" in body else None


def wants_reasoning(body: Body) -> Script | None:
    """Refuse calls without the reasoning that led to them, as DeepSeek does."""
    for message in body["messages"]:
        if message.get("tool_calls") and not message.get("reasoning_content"):
            return refused(
                "The `reasoning_content` in the thinking mode must be passed back to the API."
            )
    return None


def refuses_content(*bad: object) -> Callable[[Body], Script | None]:
    """Refuse these contents beside calls: "" as Bedrock does, None as Ollama did."""
    words = {"": "text content blocks must be non-empty", None: "invalid message content type: nil"}

    def check(body: Body) -> Script | None:
        for message in body["messages"]:
            content = message.get("content", "missing")
            if message.get("tool_calls") and content in bad:
                return refused(words[content])
        return None

    return check


def calling(name: str, arguments: object, **fields: Any) -> Script:
    """Return a streamed native tool call."""
    call = {"index": 0, "id": "x", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return stream(delta(tool_calls=[call], **fields), delta("tool_calls"))


def texts(body: Body) -> str:
    """Return all contents of a request."""
    return "\n".join(str(message.get("content")) for message in body["messages"])


def told(*answers: tuple[str, Script | str]) -> Rule:
    """Answer with the first whose words stand in the request; later news goes first."""

    def answer(body: Body) -> Script:
        said = texts(body)
        found = next((script for words, script in answers if words in said), "nothing matched")
        return saying(found) if isinstance(found, str) else found

    return answer


def counted(text: str, tokens: int) -> Script:
    """Return an answer with the endpoint's count of the prompt."""
    usage: Mapping[str, int] = {"prompt_tokens": tokens, "completion_tokens": 3}
    return stream(delta(content=text), delta("stop"), {"choices": [], "usage": usage})
