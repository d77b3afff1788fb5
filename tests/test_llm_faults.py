"""What an endpoint's error says decides what is done about it."""

import math
import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.errors import ModelOverflow, ModelUnavailable
from chyan_agent.llm.advice import Adviser, public_url
from chyan_agent.llm.faults import LONGEST, Verdict, one_line, read_fault
from chyan_agent.llm.patience import asked_delay, backoff
from chyan_agent.prompts.llm import EN, ZH

NOW = datetime(2026, 10, 21, 7, 28, tzinfo=UTC)

OVERFLOWS: list[tuple[str, int | None]] = [
    ("prompt is too long: 213462 tokens > 200000 maximum", 200000),
    (
        "input length and max_tokens exceed context limit: 170636 + 34048 > 200000, decrease"
        " input length or max_tokens and try again",
        200000,
    ),
    ("Request exceeds the maximum size", None),
    (
        "This model's maximum context length is 8192 tokens. However, your messages resulted in"
        " 8545 tokens. Please reduce the length of the messages.",
        8192,
    ),
    ("Your input exceeds the context window of this model", None),
    ("Requested token count exceeds the model's maximum context length of 131072 tokens", 131072),
    ("Input length (265330) exceeds model's maximum context length (262144).", 262144),
    (
        "The input token count (1196265) exceeds the maximum number of tokens allowed (1,048,575)",
        1048575,
    ),
    ("This model's maximum prompt length is 131072 but 537812 came", 131072),
    ("Please reduce the length of the messages or completion", None),
    (
        "This endpoint's maximum context length is 32768 tokens. However, you requested more",
        32768,
    ),
    ("Input length 131393 exceeds the maximum allowed input length of 131040 tokens.", 131040),
    ("The input (9000 tokens) is longer than the model's context length (8192 tokens).", 8192),
    (
        "request (6009 tokens) exceeds the available context size (4096 tokens), try increasing it",
        4096,
    ),
    ("the request exceeds the available context size, try increasing it", None),
    ("tokens to keep from the initial prompt is greater than the context length", None),
    ("prompt token count of 9000 exceeds the limit of 8000", 8000),
    ("invalid params, context window exceeds limit", None),
    ("Your request exceeded model token limit: 131072 (requested: 140000)", 131072),
    (
        "Prompt contains 40000 tokens and is too large for model with 32768 maximum context length",
        32768,
    ),
    ("input is too long for requested model", None),
    ("Input length exceeds max context length", None),
    ("prompt too long; exceeded max context length by 1200 tokens", None),
    ("输入的 tokens 超过模型上下文长度", None),
]

NO_OVERFLOWS = [
    "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Requested 39000",
    "Request too large for model on tokens per minute (TPM): Limit 6000, Requested 7000, please"
    " reduce your message size",
    "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
    "You exceeded your current quota, please check your plan and billing details",
    "Field 'n': Value must be between 1 <= value <= 1, but got 2",
    "'messages' is required",
    "Failed to parse tools: Missing tool function",
    "model requires more system memory (5.6 GiB) than is available (3.1 GiB)",
]


@pytest.mark.parametrize(("message", "limit"), OVERFLOWS)
def test_overflow_is_known_by_the_words_of_many_endpoints(message: str, limit: int | None) -> None:
    """The true limit is taken where it is named, and no other number."""
    fault = read_fault(400, {"error": {"message": message, "type": "invalid_request_error"}})
    assert (fault.verdict, fault.limit) == ("overflow", limit)


@pytest.mark.parametrize("message", NO_OVERFLOWS)
@pytest.mark.parametrize("status", [400, 413, 500, 0])
def test_what_merely_speaks_of_size_is_no_overflow(message: str, status: int) -> None:
    """Rate limits above all: shrinking the request would not help."""
    assert read_fault(status, {"error": message}).verdict != "overflow"


@pytest.mark.parametrize(
    ("status", "figures", "verdict"),
    [
        (413, "Limit 6000, Requested 7400", "rate"),
        (429, "Limit 30,000, Requested 39,000", "rate"),
        (429, "Limit 6000, Used 5500, Requested 1200", "busy"),
        (413, "Limit 6000, Used 5500, Requested 1200", "busy"),
        (429, "slow down", "busy"),
    ],
)
def test_a_request_larger_than_a_minute_allows_is_a_rate_and_final(
    status: int, figures: str, verdict: Verdict
) -> None:
    """It is no overflow, and waiting would not help; the hint names what is allowed."""
    message = f"Request too large for m on tokens per minute (TPM): {figures}, please reduce it."
    error = {"message": message, "type": "tokens", "code": "rate_limit_exceeded"}
    fault = read_fault(status, {"error": error})
    assert fault.verdict == verdict
    said = Adviser(EN, url="http://h/v1", model="m", key="").fault(fault)
    assert isinstance(said, ModelUnavailable) == (verdict == "busy")
    assert not isinstance(said, ModelOverflow)
    if verdict == "rate":
        assert f"below {fault.allowance:,}" in said.hint


def test_an_overflow_is_known_by_code_or_type_first() -> None:
    """The message may say anything; n_ctx is the limit."""
    coded = {"message": "no", "code": "context_length_exceeded", "type": None}
    typed = {"message": "x", "code": 400, "type": "exceed_context_size_error", "n_ctx": 10240}
    assert read_fault(400, {"error": coded}).verdict == "overflow"
    fault = read_fault(0, {"error": typed})
    assert (fault.verdict, fault.limit) == ("overflow", 10240)


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (401, {"error": {"code": "invalid_api_key"}}, "auth"),
        (403, "<html>Forbidden</html>", "auth"),
        (404, {"error": {"message": "File Not Found", "type": "not_found_error"}}, "missing"),
        (400, {"detail": [{"loc": ["body"], "msg": "field required"}]}, "refused"),
        (422, {"object": "error", "message": "bad", "code": 422}, "refused"),
        (429, {"error": {"code": "insufficient_quota"}}, "quota"),
        (429, {"error": {"type": "insufficient_quota", "message": "quota"}}, "quota"),
        (402, {"error": {"message": "Insufficient Balance"}}, "quota"),
        (429, {"error": {"message": "the prompt is too long"}}, "busy"),
        (408, None, "failing"),
        (409, "", "failing"),
        (500, {"error": {"message": "", "code": None}}, "failing"),
        (529, {"error": {"type": "overloaded_error"}}, "failing"),
        (0, {"error": {"message": "quota exceeded"}}, "failing"),
        (0, {"error": {"code": 429, "message": "slow down"}}, "busy"),
        (0, {"error": {"type": "rate_limit_error"}}, "busy"),
        (0, {"error": {"type": "invalid_request_error"}}, "refused"),
        (0, {"error": {"code": "model_not_found"}}, "missing"),
        (0, {"error": {"type": "authentication_error"}}, "auth"),
        (0, [{"error": {"code": 503, "status": "UNAVAILABLE"}}], "failing"),
    ],
)
def test_the_class_of_a_fault(status: int, body: object, verdict: Verdict) -> None:
    """Status first, codes where there is no status; codes of an empty account always."""
    assert read_fault(status, body).verdict == verdict


def test_a_proxied_error_shows_what_the_upstream_said() -> None:
    """A router's own message says nothing."""
    error = {"message": "Provider returned error", "metadata": {"raw": "prompt is too long"}}
    assert read_fault(400, {"error": error}).verdict == "overflow"


@given(
    st.integers(0, 599),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["error", "message", "code", "type", "detail", "n_ctx", "metadata"]
                ),
                inner,
                max_size=4,
            )
        ),
    ),
)
def test_every_error_body_has_a_class_a_message_and_a_hint(status: int, body: object) -> None:
    """Both languages can word any fault."""
    for texts in (EN, ZH):
        adviser = Adviser(texts, url="http://h/v1", model="m", key="")
        error = adviser.fault(read_fault(status, body))
        assert str(error).isprintable()
        assert error.hint


def test_a_reason_is_one_short_line_without_tags_keys_and_controls() -> None:
    """It comes from outside, and goes to a terminal."""
    page = "<html><style>b{}</style><title>502&amp;</title>\n<h1>Bad\x1b[2J Gateway</h1></html>"
    assert one_line(page) == "502& Bad [2J Gateway"
    assert one_line("key my-secret-key: sk-abc12345 Bearer abcdefgh", secret="my-secret-key") == (
        "key ***: *** ***"
    )
    for part in ("live-0123456789", "0123456789", "0123456789ab"):
        said = f"Incorrect API key provided: {part}. Ask again."
        assert part not in one_line(said, secret="sk-live-0123456789abcdef")
    assert one_line("provided: ask again", secret="sk-provided-again") == "***: ask again"
    assert len(one_line("x" * 100_000)) == LONGEST


def test_credentials_in_a_url_are_never_shown() -> None:
    """Neither user info nor query."""
    assert public_url("https://user:pass@host:1/v1?key=abc#x") == "https://host:1/v1"
    assert public_url("http://[bad") == "http://[bad"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7),
        ("1.5", 1.5),
        ("-5", 0),
        ("86400", 86400),
        ("abc", None),
        ("", None),
        ("nan", None),
        ("1e309", None),
        ("-inf", None),
        ("Wed, 21 Oct 2026 07:28:30 GMT", 30),
        ("Wed, 21 Oct 2026 07:28:30 -0000", 30),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0),
        ("Wed, 99 Oct 2026 07:28:00 GMT", None),
        ("Wed, 21 Oct 99999 07:28:00 GMT", None),
    ],
)
def test_retry_after_in_every_form(value: str, seconds: float | None) -> None:
    """Seconds or a date; nonsense is as if nothing was said."""
    assert asked_delay({"retry-after": value}, NOW) == seconds


def test_a_retry_date_is_compared_with_the_endpoints_own_clock() -> None:
    """Our clock may be wrong by years."""
    headers = {
        "retry-after": "Thu, 01 Jan 2032 00:00:09 GMT",
        "date": "Thu, 01 Jan 2032 00:00:02 GMT",
    }
    assert asked_delay(headers, NOW) == 7
    assert asked_delay({"retry-after-ms": "250", "retry-after": "9"}, NOW) == 0.25


@given(st.text(max_size=40))
def test_no_retry_after_breaks_the_reader(value: str) -> None:
    """Anything gives a finite number or nothing."""
    delay = asked_delay({"retry-after": value}, NOW)
    assert delay is None or (math.isfinite(delay) and delay >= 0)


@given(st.integers(1, 10_000), st.floats(0, 60), st.floats(0, 600), st.integers())
def test_backoff_is_capped(attempt: int, base: float, cap: float, seed: int) -> None:
    """However many attempts there were."""
    assert 0 <= backoff(attempt, base=base, cap=cap, rng=random.Random(seed)) <= cap
