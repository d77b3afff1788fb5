"""The window as arithmetic."""

from chyan_agent.budget import Budget, Ledger, Meter, compact_json
from chyan_agent.messages import Message

from .made import FRAME, METER, byte_count, call, spoken


def test_a_budget_adds_up() -> None:
    """What may be spent is the limit less the answer and the fixed cost."""
    budget = Budget(10_000, 3_500, 1_100, 1_620)
    assert (budget.allowed, budget.spendable) == (6_500, 5_400)


def test_a_smaller_window_leaves_room_to_talk() -> None:
    """A limit learnt from an endpoint shortens the answer before it silences the conversation."""
    small = Budget(10_000, 3_500, 1_100, 1_620).within(4_096)
    assert small.limit == 4_096
    assert small.spendable >= 1_000
    assert small.reserved > 0


def test_a_ledger_is_the_sum_of_its_zones() -> None:
    """The total that is enforced is the sum of the zones that are logged."""
    ledger = Ledger(10_000, 3_500, system=1, tools=2, summary=3, recent=4, current=5)
    assert ledger.total == sum(ledger.zones().values()) == 15


def test_unchanged_messages_are_counted_once() -> None:
    """The tokenizer sees a text again only when it changed."""
    seen: list[str] = []

    def counting(text: str) -> int:
        seen.append(text)
        return byte_count(text)

    meter = Meter(counting)
    first = meter.turn(spoken(1))
    assert meter.turn(spoken(1)) == first
    assert sorted(seen) == ["hello", "hi"]


def test_every_part_of_a_message_is_counted() -> None:
    """Names and arguments of calls cost tokens, and so do tool definitions."""
    bare = METER.message(Message("assistant", "x"))
    assert METER.message(Message("assistant", "x", (call(1, '{"a":1}'),))) > bare + 7
    assert METER.tools(FRAME.tools) > 20


def test_json_for_the_model_is_not_escaped() -> None:
    """Escaped Chinese would cost up to six times the tokens."""
    assert compact_json({"名": ["值", 1]}) == '{"名":["值",1]}'
