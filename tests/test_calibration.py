"""Calibration: what an endpoint counts is never under-estimated for long, and never forgotten."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from chyan_agent.budget import Budget
from chyan_agent.build import build
from chyan_agent.calibration import KEPT, Calibration, Load, Report, Scale, traits
from chyan_agent.events import Answered, Noticed
from chyan_agent.extremes import Rule, allows, dot, highest
from chyan_agent.learnt import ENDPOINTS, Learnt, key
from chyan_agent.messages import Message, ToolCall
from chyan_agent.offline.options import Dialect, Scales
from chyan_agent.offline.server import serving

from .agents import agent_on, ask, configured, refuses, says, sent
from .judges import CROOKED, FACTORS, OVERHEADS, converse, judged_by
from .vocabularies import family_counter

QUICK = {(0.6, 12), (1.0, 0), (1.25, 4), (1.8, 12)}
ALL = [
    pytest.param(f, o, id=f"{f}-{o}", marks=() if (f, o) in QUICK else pytest.mark.slow)
    for f in FACTORS
    for o in OVERHEADS
]
LONG = "请看这段材料：" + "昨天的会议决定把服务器换到新的机房。" * 900


@pytest.mark.parametrize("seed", [0, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("factor", "overhead"), ALL)
def test_another_tokenizer_costs_one_refusal_at_most(
    tmp_path: Path, factor: float, overhead: int, seed: int
) -> None:
    """In 64 turns at most one request is refused, within the first three; all are answered."""
    dialect: Dialect = "llama.cpp" if overhead == 4 else "openai"
    with judged_by(tmp_path, Scales(factor, overhead, dialect=dialect)) as agent:
        seen = converse(agent, tmp_path / "workspace", seed=seed)
    assert len(seen.refused) <= 1
    assert all(turn <= 3 for turn in seen.refused)
    assert seen.failed == []
    assert seen.errors[0] >= 0
    if factor >= 1:
        assert seen.fullest > 0.95
        assert seen.errors[len(seen.errors) // 2] < 0.03


@pytest.mark.slow
@pytest.mark.parametrize("family", ["qwen", "deepseek"])
def test_the_tokenizers_of_other_model_families(tmp_path: Path, family: str) -> None:
    """Real vocabularies are held by the same law, and nothing is under-estimated."""
    with judged_by(tmp_path, Scales(count=family_counter(family))) as agent:
        seen = converse(agent, tmp_path / "workspace")
    assert (seen.refused, seen.failed) == ([], [])
    assert seen.errors[0] >= 0


@pytest.mark.slow
@pytest.mark.parametrize("name", CROOKED)
def test_a_tokenizer_that_is_no_multiple_of_ours(tmp_path: Path, name: str) -> None:
    """One refusal at most, for real tokenizers and for bytes by three, which no model has."""
    with judged_by(tmp_path, Scales(count=CROOKED[name])) as agent:
        seen = converse(agent, tmp_path / "workspace", seed=1)
    assert seen.failed == []
    assert len(seen.refused) <= 1


@pytest.mark.parametrize("dialect", ["openai", "llama.cpp"])
def test_a_refusal_that_names_its_count_makes_the_second_try_fit(
    tmp_path: Path, dialect: Dialect
) -> None:
    """The first question is too large by the endpoint's count: one refusal, then the answer."""
    with judged_by(tmp_path, Scales(1.8, 12, dialect=dialect)) as agent:
        events = ask(agent, LONG)
    notices = [event.kind for event in events if isinstance(event, Noticed)]
    assert notices == ["recounted"]
    assert isinstance(events[-1], Answered)


def test_what_is_learnt_outlives_the_process(tmp_path: Path) -> None:
    """After a restart nothing is refused; without the file one request is."""
    scales = Scales(1.8, 12)
    with serving(scales=scales) as url:
        config = configured(tmp_path, url)
        with build(config) as agent:
            assert "recounted" in kinds_of(ask(agent, LONG))
        with build(config) as agent:
            assert kinds_of(ask(agent, LONG)) == []
        (tmp_path / "data" / "endpoints.json").write_bytes(b"spoilt")
        with build(config) as agent:
            agent.reset()
            assert "recounted" in kinds_of(ask(agent, LONG))


def kinds_of(events: Sequence[object]) -> list[str]:
    """Return the kinds of notices."""
    return [event.kind for event in events if isinstance(event, Noticed)]


def test_a_limit_that_was_named_is_kept_until_the_setting_changes(tmp_path: Path) -> None:
    """The next start keeps to it and says so; another configured limit asks anew."""
    refusal = refuses(400, code="context_length_exceeded", message="maximum context length is 8000")
    with agent_on(tmp_path, refusal, says("ok")) as (agent, server):
        ask(agent, "hi")
        config = configured(tmp_path, server.url)
    with build(config) as agent:
        assert agent.budget.limit == 8000
        assert any("8,000" in said.en for said in agent.learnt.remarks)
    with build(replace(config, context=replace(config.context, context_limit=9000))) as agent:
        assert agent.budget.limit == 9000


def test_state_and_snapshot_know_nothing_of_calibration(tmp_path: Path) -> None:
    """The same conversation leaves the same meta.json, whatever was learnt of the endpoint."""
    saved = []
    for name, scales in (("a", Scales()), ("b", Scales(1.5, 12))):
        with judged_by(tmp_path / name, scales) as agent:
            ask(agent, "计算 2+3")
            saved.append(agent.state)
    assert saved[0] == saved[1]


def test_a_rewound_turn_sends_the_same_bytes(tmp_path: Path) -> None:
    """What was learnt in between does not change a prompt that fitted as it was."""
    scripts = [says(f"answer {n}", prompt_tokens=2500) for n in range(5)]
    with agent_on(tmp_path, *scripts) as (agent, server):
        for text in ("one", "two", "three"):
            ask(agent, text)
        agent.rewind(1)
        ask(agent, "two")
    assert sent(server, 3) == sent(server, 1)


def test_no_count_and_an_absurd_one_teach_nothing(tmp_path: Path) -> None:
    """Usage of 0 is passed over in silence, a count that can't be one with a single notice."""
    answers = (says("a"), says("b", prompt_tokens=6000), says("c", prompt_tokens=3))
    with agent_on(tmp_path, *answers) as (agent, _):
        assert kinds_of(ask(agent, "one")) == []
        assert kinds_of(ask(agent, "two")) == ["counting"]
        assert kinds_of(ask(agent, "three")) == []
        assert agent.learnt.calibration == Calibration()


# ── the arithmetic ──


def tokenizer(dice: random.Random) -> Callable[[Load], int]:
    """Return how some tokenizer counts: linear in what a load says, within the usual prices."""
    text, message, call = dice.uniform(0.5, 2), dice.uniform(0, 14), dice.uniform(0, 25)
    byte = dice.choice((0, 0, dice.uniform(0, 0.35)))
    text *= 1 if not byte else dice.choice((0, 0.5))
    han, digit, tools = dice.uniform(0, 0.5), dice.choice((0, 1)), dice.uniform(-100, 400)

    def count(load: Load) -> int:
        plain = (load.counted - 4 * load.messages - 8 * load.calls) * text
        plain += load.messages * message + load.calls * call
        return round(
            plain + han * load.han + digit * load.digits + tools * load.tools + byte * load.size
        )

    return count


def some_load(dice: random.Random) -> Load:
    """Return a request of some kind and size."""
    counted, calls = dice.randrange(1200, 9000), dice.randrange(20)
    han, digits = dice.randrange(counted), dice.randrange(counted // 4)
    size = dice.randrange(counted, 5 * counted)
    return Load(counted, dice.randrange(2, 60), calls, han, digits, tools=True, size=size)


@pytest.mark.parametrize("seed", range(40))
def test_no_request_is_under_estimated_once_one_was_counted(seed: int) -> None:
    """For any tokenizer in the family every later request is covered, whatever its mixture."""
    dice = random.Random(seed)
    count, known = tokenizer(dice), Calibration()
    for number in range(30):
        load = some_load(dice)
        if number:
            cap = known.estimate(load) / load.counted
            assert known.estimate(load) >= count(load) or cap >= 1.49
        known = known.learn(Report(load, count(load)))
    assert all(known.estimate(report.load) >= report.tokens for report in known.reports)


def test_an_endpoint_that_counts_as_we_do_loses_nothing() -> None:
    """Nothing is added to our count as long as the endpoint agrees with it."""
    known = Calibration()
    for load in map(some_load, map(random.Random, range(10))):
        assert known.estimate(load) == load.counted
        known = known.learn(Report(load, load.counted - 3))


def test_a_cheaper_tokenizer_does_not_loosen_the_budget() -> None:
    """The factor is never below 1: other texts may cost more."""
    known = Calibration().learn(Report(Load(4000, 20, tools=True), 2400))
    assert known.factor(Load(5000, 20, tools=True)) == 1.0
    assert Calibration().factor(Load(0, 0)) == 1.0


def test_contradictory_reports_keep_the_dear_ones() -> None:
    """Where no tokenizer explains all reports, none of them may come out under-estimated."""
    known = Calibration()
    loads = [Load(3000 + 700 * n, 10, tools=True) for n in range(6)]
    for number, load in enumerate(loads):
        known = known.learn(Report(load, load.counted * (2 if number % 2 else 1)))
    assert all(known.estimate(r.load) >= r.tokens for r in known.reports)


def test_reports_are_bounded_and_the_newest_of_its_kind_counts() -> None:
    """However long a conversation is, a few dozen reports of requests that differ are kept."""
    known = Calibration()
    for n in range(200):
        known = known.learn(Report(Load(1000 + 600 * n, 2), 1000 + 600 * n))
    assert len(known.reports) == KEPT
    last = known.reports[-1]
    newer = known.learn(Report(last.load, last.tokens + 9))
    assert newer.reports[-1].tokens == last.tokens + 9
    assert len(newer.reports) == KEPT


def test_traits_of_texts() -> None:
    """Han, kana and hangul count as characters, numbers as what single digits would add."""
    assert traits("hello world") == (0, 0, 11)
    assert traits("服务器 port 8080") == (3, 2, 19)
    assert traits("かな 한글 123 45 6") == (4, 3, 22)
    assert traits("\ud800") == (0, 0, 1)


def test_calls_weigh_as_messages_do() -> None:
    """A request weighs its messages and calls, their arguments included, and is read once."""
    call = Message("assistant", "好", (ToolCall("t", "read", '{"path":"第1234页"}'),))
    scale = Scale(remember=1)
    for _ in range(2):
        load = scale.weigh(100, (Message("user", "页"), call))
        assert load == Load(100, 2, 1, han=4, digits=2, size=27)


def test_a_dear_endpoint_takes_from_the_answer_first() -> None:
    """A window that would be too small for a talk leaves less to the answer, never under a tenth.

    A factor of 1 changes nothing.
    """
    budget = Budget(limit=5000, reserved=2000, fixed=1200, summary_cap=500)
    assert budget.counted(1.0) == budget
    dear = budget.counted(1.8)
    assert dear.spendable >= 1000
    assert dear.room == dear.limit - dear.reserved
    assert budget.counted(3.9).reserved == 500
    assert 0 <= budget.counted(3.9).summary_cap <= dear.summary_cap <= 500


# ── extremes ──


@pytest.mark.parametrize("seed", range(60))
def test_the_highest_point_is_allowed_and_no_other_is_higher(seed: int) -> None:
    """Against many random points: none that the rules allow is higher; none exists if None."""
    dice = random.Random(seed)
    size = dice.randrange(1, 5)
    box = tuple((-dice.random(), dice.random()) for _ in range(size))
    rules: list[Rule] = [
        (tuple(dice.uniform(-1, 1) for _ in range(size)), dice.uniform(-0.2, 0.8))
        for _ in range(dice.randrange(9))
    ]
    goal = tuple(dice.uniform(-1, 1) for _ in range(size))
    best = highest(goal, rules, box)
    points = [tuple(dice.uniform(*side) for side in box) for _ in range(500)]
    allowed = [p for p in points if all(allows(rule, p) for rule in rules)]
    if best is None:
        assert not allowed
        return
    assert all(dot(a, best) <= b + 1e-6 for a, b in rules)
    assert all(low - 1e-6 <= x <= high + 1e-6 for x, (low, high) in zip(best, box, strict=True))
    assert all(dot(goal, p) <= dot(goal, best) + 1e-6 for p in allowed)


# ── the file ──


def learnt(path: Path, name: str = "a") -> Learnt:
    """Return what is known of an endpoint, with a report and a limit."""
    it = Learnt(path, name)
    it.take(Load(1000, 2, 1, 300, 10, tools=True), 1500)
    it.take_limit(8000)
    it.save()
    return it


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    """Another start reads the same reports and the same limit; another endpoint has none."""
    path = tmp_path / "endpoints.json"
    before = learnt(path)
    again = Learnt(path, "a")
    assert (again.calibration, again.limit) == (before.calibration, 8000)
    assert Learnt(path, "b").calibration == Calibration()


def test_endpoints_are_bounded(tmp_path: Path) -> None:
    """The endpoint used longest ago makes room for a new one."""
    path = tmp_path / "endpoints.json"
    for number in range(ENDPOINTS + 1):
        learnt(path, str(number))
    assert Learnt(path, "0").limit is None
    assert Learnt(path, "1").limit == 8000


def test_an_agreeing_endpoint_writes_once(tmp_path: Path) -> None:
    """Reports that say nothing new don't rewrite the file turn by turn."""
    path = tmp_path / "endpoints.json"
    it = Learnt(path, "a")
    for number in range(5):
        it.take(Load(1000 + 600 * number, 2, tools=True), 1000 + 600 * number)
        it.save()
    path.unlink()
    it.take(Load(9000, 2, tools=True), 9000)
    it.save()
    assert not path.exists()


@pytest.mark.parametrize("bad", [b"", b"{}", b'{"v":1,"endpoints":{"a":{"limit":-1}}}', b"\xff"])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, bad: bytes) -> None:
    """It is a cache: nothing is believed that does not carry its checksum."""
    path = tmp_path / "endpoints.json"
    path.write_bytes(bad)
    it = Learnt(path, "a")
    assert (it.limit, it.calibration) == (None, Calibration())


def test_a_file_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    """A failure to save is logged, not raised."""
    folder = tmp_path / "gone"
    learnt(folder / "endpoints.json")
    assert not folder.exists()


def test_keys_hide_what_they_stand_for() -> None:
    """The name of an endpoint tells neither address nor password, and differs by every part."""
    names = {
        key("http://u:secret@h/v1", "m", "auto", 1),
        key("http://u:secret@h/v1/", "m", "auto", 1),
        key("http://h/v1", "m", "auto", 1),
        key("http://h/v1", "n", "auto", 1),
        key("http://h/v1", "n", "bytes", 1),
        key("http://h/v1", "n", "bytes", 2),
    }
    assert len(names) == 5
    assert all("secret" not in name for name in names)
