"""A request that is too large is recognised in the words of each endpoint, and nothing else is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.errors import ModelOverflow
from chyan_agent.llm.advice import Adviser
from chyan_agent.llm.faults import read_fault
from chyan_agent.llm.overflow import counted_in, limit_in
from chyan_agent.prompts.llm import EN

Case = tuple[int, object, int | None, int | None]
"""Status, body, the limit and the prompt tokens that the body names."""


def openai(message: str, code: object = None, kind: str = "invalid_request_error") -> object:
    """An error body in OpenAI's shape."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def plain(message: str) -> object:
    """An error body that is little more than a message."""
    return {"error": message}


OVERFLOWS: dict[str, Case] = {
    "Anthropic": (
        400,
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "prompt is too long: 213462 tokens > 200000 maximum",
            },
        },
        200000,
        213462,
    ),
    "Anthropic, with the answer": (
        400,
        openai(
            "input length and `max_tokens` exceed context limit: 170636 + 34048 > 200000, decrease"
            " input length or `max_tokens` and try again"
        ),
        200000,
        170636,
    ),
    "Anthropic, bytes": (
        413,
        {
            "error": {
                "type": "request_too_large",
                "message": "Request exceeds the maximum size",
            }
        },
        None,
        None,
    ),
    "OpenAI": (
        400,
        openai(
            "This model's maximum context length is 8192 tokens. However, your messages resulted in"
            " 8545 tokens. Please reduce the length of the messages.",
            "context_length_exceeded",
        ),
        8192,
        8545,
    ),
    "OpenAI, with functions and the answer": (
        400,
        openai(
            "This model's maximum context length is 4097 tokens. However, you requested 4500 tokens"
            " (3000 in the messages, 500 in the functions, and 1000 in the completion). Please"
            " reduce the length of the messages, functions, or completion.",
            "context_length_exceeded",
        ),
        4097,
        3500,
    ),
    "OpenAI, completions": (
        400,
        openai(
            "This model's maximum context length is 8191 tokens, however you requested 10346 tokens"
            " (10341 in your prompt; 5 for the completion). Please reduce your prompt; or"
            " completion length."
        ),
        8191,
        10341,
    ),
    "OpenAI, responses": (
        400,
        openai("Your input exceeds the context window of this model. Please adjust your input."),
        None,
        None,
    ),
    "OpenAI, one long message": (
        400,
        openai(
            "Invalid 'messages[1].content': string too long. Expected a string with maximum length"
            " 1048576, but got a string with length 2000000 instead.",
            "string_above_max_length",
        ),
        None,
        None,
    ),
    "LiteLLM": (
        400,
        openai(
            "litellm.ContextWindowExceededError: Requested token count exceeds the model's maximum"
            " context length of 131072 tokens. You requested a total of 139264 tokens: 131000"
            " tokens from the input messages and 8264 tokens for the completion."
        ),
        131072,
        131000,
    ),
    "LiteLLM, in parentheses": (
        400,
        openai("Input length (265330) exceeds model's maximum context length (262144)."),
        262144,
        265330,
    ),
    "vLLM": (
        400,
        {
            "object": "error",
            "message": "This model's maximum context length is 262144 tokens. However, you"
            " requested 0 output tokens and your prompt contains at least 262145 input tokens, for"
            " a total of at least 262145 tokens. Please reduce the length of the input prompt or"
            " the number of requested output tokens.",
            "type": "BadRequestError",
            "code": 400,
        },
        262144,
        262145,
    ),
    "vLLM, no room for the answer": (
        400,
        openai(
            "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum"
            " context length is 4096 tokens and your request has 2104 input tokens"
            " (2000 > 4096 - 2104).",
            400,
            "BadRequestError",
        ),
        4096,
        2104,
    ),
    "Google": (
        400,
        [
            {
                "error": {
                    "code": 400,
                    "message": "The input token count (1196265) exceeds the maximum number of"
                    " tokens allowed (1048575).",
                    "status": "INVALID_ARGUMENT",
                }
            }
        ],
        1048575,
        1196265,
    ),
    "xAI": (
        400,
        {
            "code": "Client specified an invalid argument",
            "error": "This model's maximum prompt length is 131072 but the request contains 537812"
            " tokens.",
        },
        131072,
        537812,
    ),
    "Groq": (
        400,
        openai(
            "Please reduce the length of the messages or completion.", "context_length_exceeded"
        ),
        None,
        None,
    ),
    "OpenRouter": (
        400,
        openai(
            "This endpoint's maximum context length is 32768 tokens. However, you requested about"
            " 41960 tokens (8192 of text input, 1000 of tool input, 32768 in the output). Please"
            " reduce the length of either one, or use the context-compression plugin.",
            400,
        ),
        32768,
        9192,
    ),
    "OpenRouter, wrapped": (
        400,
        {
            "error": {
                "message": "Provider returned error",
                "code": 400,
                "metadata": {
                    "raw": json.dumps(openai("This model's maximum context length is 8192 tokens."))
                },
            }
        },
        8192,
        None,
    ),
    "Poolside, GLM": (
        400,
        openai(
            "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.", "400"
        ),
        131040,
        131393,
    ),
    "Together, SGLang": (
        400,
        openai("The input (9000 tokens) is longer than the model's context length (8192 tokens)."),
        8192,
        9000,
    ),
    "llama.cpp": (
        400,
        {
            "error": {
                "code": 400,
                "message": "request (6009 tokens) exceeds the available context size (4096 tokens),"
                " try increasing it",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 6009,
                "n_ctx": 4096,
            }
        },
        4096,
        6009,
    ),
    "llama.cpp, words alone": (
        400,
        plain("request (6009 tokens) exceeds the available context size (4096 tokens), try it"),
        4096,
        6009,
    ),
    "llama.cpp, older": (
        400,
        openai("the request exceeds the available context size, try increasing it"),
        None,
        None,
    ),
    "llama.cpp, while generating": (
        500,
        openai("Context size has been exceeded.", 500, "server_error"),
        None,
        None,
    ),
    "llama-cpp-python": (
        400,
        openai(
            "This model's maximum context length is 1024 tokens. However, you requested 4013 tokens"
            " (4008 in the messages, 5 in the completion). Please reduce the length of the messages"
            " or completion.",
            "context_length_exceeded",
        ),
        1024,
        4008,
    ),
    "llama-cpp-python, bare": (
        500,
        openai("Requested tokens (5000) exceed context window of 2048", None, "internal"),
        2048,
        5000,
    ),
    "LM Studio": (
        400,
        plain(
            "The number of tokens to keep from the initial prompt is greater than the context"
            " length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context"
            " length, or provide a shorter input"
        ),
        4096,
        13055,
    ),
    "LM Studio, without figures": (
        400,
        plain("tokens to keep from the initial prompt is greater than the context length"),
        None,
        None,
    ),
    "LM Studio, older": (
        400,
        plain(
            "Trying to keep the first 10136 tokens when context the overflows. However, the model"
            " is loaded with context length of only 7866 tokens, which is not enough."
        ),
        7866,
        10136,
    ),
    "LM Studio, newest": (
        400,
        plain("Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"),
        7424,
        15028,
    ),
    "Copilot": (
        400,
        openai(
            "prompt token count of 90123 exceeds the limit of 64000",
            "model_max_prompt_tokens_exceeded",
        ),
        64000,
        90123,
    ),
    "GitHub Models": (
        413,
        openai(
            "Request body too large for gpt-4o model. Max size: 8000 tokens.",
            "tokens_limit_reached",
        ),
        8000,
        None,
    ),
    "MiniMax": (
        400,
        openai("invalid params, context window exceeds limit (2013)"),
        None,
        None,
    ),
    "Kimi": (
        400,
        openai("Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)"),
        8192,
        None,
    ),
    "Mistral": (
        400,
        {
            "object": "error",
            "message": "Prompt contains 65673 tokens and 0 draft tokens, too large for model with"
            " 32768 maximum context length",
            "type": "invalid_request_prompt",
            "code": "3051",
        },
        32768,
        65673,
    ),
    "Bedrock": (400, {"message": "Input is too long for requested model."}, None, None),
    "Qwen": (400, openai("Input length exceeds max context length"), None, None),
    "DashScope": (
        400,
        {
            "code": "InvalidParameter",
            "message": "<400> InternalError.Algo.InvalidParameter: Range of input length should be"
            " [1, 30720]",
        },
        30720,
        None,
    ),
    "Cerebras": (400, "", None, None),
    "Cerebras, 413": (413, "", None, None),
    "a proxy": (413, "<html><h1>413 Request Entity Too Large</h1>nginx</html>", None, None),
    "Ollama": (
        400,
        plain("prompt too long; exceeded max context length by 1200 tokens"),
        None,
        None,
    ),
    "z.ai": (0, openai("", "model_context_window_exceeded", ""), None, None),
    "Text Generation Inference": (
        422,
        {
            "error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096."
            " Given: 3474 `inputs` tokens and 660 `max_new_tokens`",
            "error_type": "validation",
        },
        4096,
        3474,
    ),
    "Text Generation Inference, input": (
        422,
        plain("Input validation error: `inputs` must have less than 2048 tokens. Given: 2222"),
        2048,
        2222,
    ),
    "SiliconFlow": (
        400,
        {
            "code": 20015,
            "message": "length of prompt_tokens (70000) must be less than max_seq_len (65536).",
            "data": None,
        },
        65536,
        70000,
    ),
    "Cohere": (
        400,
        {
            "message": "too many tokens: total number of tokens in the prompt cannot exceed 4081 -"
            " received 5000. Try using a shorter prompt."
        },
        4081,
        5000,
    ),
    "Fireworks": (
        400,
        openai("The prompt is too long: 140000, model maximum context length: 131071"),
        131071,
        140000,
    ),
    "Zhipu": (400, openai("Prompt 超长", "1261", ""), None, None),
    "Spark": (400, openai("token数量超过上限。对话历史+问题的字数太多", "10907", ""), None, None),
    "with a thousands sign": (
        400,
        plain("The input token count (1,196,265) exceeds the maximum of 1,048,575 tokens"),
        1048575,
        1196265,
    ),
    "in thousands": (
        400,
        plain("Model context window is 128k tokens, you requested 256k tokens"),
        128000,
        None,
    ),
}

OTHERS: dict[str, tuple[int, object]] = {
    "Groq, tokens per minute": (
        413,
        openai(
            "Request too large for model `llama-3.1-8b-instant` in organization `org_x` on tokens"
            " per minute (TPM): Limit 6000, Requested 6420, please reduce your message size and try"
            " again.",
            "rate_limit_exceeded",
            "tokens",
        ),
    ),
    "OpenAI, tokens per minute": (
        429,
        openai(
            "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 39000."
            " The input or output tokens must be reduced in order to run successfully.",
            "rate_limit_exceeded",
            "tokens",
        ),
    ),
    "OpenAI, per day": (
        429,
        openai(
            "Rate limit reached for gpt-4o on tokens per day (TPD): Limit 1500000, Used 1500000"
        ),
    ),
    "an organization's TPD": (
        400,
        plain("request reached organization TPD rate limit, current: 1506556, limit: 1500000"),
    ),
    "Bedrock, throttling": (
        400,
        {"message": "Too many tokens, please wait before trying again."},
    ),
    "Bedrock, throttling by name": (
        500,
        {"message": "ThrottlingException: Too many tokens, please try later"},
    ),
    "the answer's own limit": (
        400,
        openai(
            "max_tokens is too large: 100000. This model supports at most 16384 completion tokens"
        ),
    ),
    "the answer's limit at DeepSeek": (
        400,
        openai("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"),
    ),
    "an empty account": (
        429,
        openai(
            "You exceeded your current quota, please check your plan and billing details",
            "insufficient_quota",
            "insufficient_quota",
        ),
    ),
    "Google's quota": (
        400,
        openai(
            "Quota exceeded for quota metric 'Generate Content API requests per minute' and limit"
            " 'input token count per model per minute'"
        ),
    ),
    "a monthly allowance": (400, plain("You have exceeded your monthly token limit of 1000000")),
    "a daily allowance": (400, plain("Daily token limit exceeded")),
    "credits": (
        402,
        openai("This request requires more credits: prompt tokens limit exceeded: 9000 > 5000"),
    ),
    "an account's rate": (
        400,
        plain("This request would exceed your account's rate limit: prompt is too long"),
    ),
    "concurrency": (503, plain("Request too large a burst: concurrency limit exceeded")),
    "a slow request": (504, plain("The request took too long to process")),
    "a deadline": (500, plain("context deadline exceeded: context canceled")),
    "Go's deadline": (
        500,
        plain("context deadline exceeded (Client.Timeout exceeded while awaiting headers)"),
    ),
    "a header": (431, plain("Request header is too large")),
    "a name": (400, openai("messages[1].name is too long")),
    "an id": (
        400,
        openai(
            "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with"
            " maximum length 40, but got a string with length 60 instead.",
            "string_above_max_length",
        ),
    ),
    "a picture": (400, openai("The input image is too large: 20 MB")),
    "a window too small to be used": (
        400,
        plain("Model context window too small (minimum is 128k tokens)"),
    ),
    "memory": (
        500,
        plain("model requires more system memory (5.6 GiB) than is available (3.1 GiB)"),
    ),
    "a wrong value": (
        400,
        openai("Field 'n': Value must be between 1 <= value <= 1, but got 2"),
    ),
    "arguments cut off": (
        500,
        openai("Failed to parse tool call arguments as JSON", 500, "server_error"),
    ),
    "tools without a function": (
        500,
        openai(
            'Failed to parse tools: Missing tool function: {"type":"function"}; tools = [\n  {\n'
            '    "type": "function"\n  }\n]',
            500,
            "server_error",
        ),
    ),
    "a field of a wrong type": (
        400,
        openai(
            "Field 'temperature': [json.exception.type_error.302] type must be number, but is"
            " string",
            400,
        ),
    ),
    "no page": (404, {"error": {"message": "File Not Found", "type": "not_found_error"}}),
    "no messages": (400, openai("'messages' is required", 400)),
    "a wrong key": (401, openai("prompt is too long", "context_length_exceeded")),
    "busy": (429, openai("the prompt is too long")),
    "a wrong refusal with a code": (400, {"error": {"code": "invalid_value", "message": ""}}),
    "an expired key": (400, plain("输入的 API Key 超过有效期")),
    "an allowance in Chinese": (400, plain("今日 tokens 用量超过额度")),
    "wordless, but busy": (500, ""),
}


@pytest.mark.parametrize("name", OVERFLOWS)
def test_each_endpoints_overflow_is_known_with_its_figures(name: str) -> None:
    """The class, the true limit and the counted prompt, and no number that is neither."""
    status, body, limit, counted = OVERFLOWS[name]
    error = Adviser(EN, url="http://h/v1", model="m", key="").fault(read_fault(status, body))
    assert isinstance(error, ModelOverflow)
    assert (error.limit, error.counted) == (limit, counted)


@pytest.mark.parametrize("name", OTHERS)
def test_what_a_smaller_request_would_not_help_is_no_overflow(name: str) -> None:
    """Rates, allowances, deadlines, and sizes of other things."""
    status, body = OTHERS[name]
    assert read_fault(status, body).verdict != "overflow"


@pytest.mark.parametrize("code", ["context_length_exceeded", "exceed_context_size_error"])
def test_a_code_needs_no_words_and_no_status(code: str) -> None:
    """Gateways wrap errors in any status; the code still says what it is."""
    for status in (0, 200, 400, 413, 422, 429, 500):
        assert read_fault(status, {"error": {"code": code}}).verdict == "overflow"
        assert read_fault(status, {"error": {"type": code.upper()}}).verdict == "overflow"


@pytest.mark.parametrize("n_ctx", [0, -1, True, "4096", None, 4.5])
def test_a_limit_that_is_none_is_not_taken(n_ctx: object) -> None:
    """A field of the right name with nonsense in it teaches nothing."""
    error = {"type": "exceed_context_size_error", "n_ctx": n_ctx, "n_prompt_tokens": n_ctx}
    fault = read_fault(400, {"error": error})
    assert (fault.verdict, fault.limit, fault.counted) == ("overflow", None, None)


@given(st.text(alphabet="0123456789,.kmKM ()[]<>=+tokensmaxlimitprompt", max_size=120))
def test_figures_are_plausible_or_none(message: str) -> None:
    """No text gives a window of two tokens, or of a billion."""
    for found in (limit_in(message), counted_in(message)):
        assert found is None or 128 <= found <= 10**9


def test_a_huge_message_is_read_at_once() -> None:
    """An error that echoes the request costs nothing."""
    for part in ("prompt ", "exceed ", "1", "context ", "12 tokens in the "):
        read_fault(400, {"error": {"message": part * (400_000 // len(part))}}).verdict  # noqa: B018
