"""Laws of the scenarios: made from a seed, self-consistent, never colliding."""

import pytest

from chyan_agent.rig.checks import AnswerHas, Check, FileIs
from chyan_agent.rig.scenarios import TurnSpec
from chyan_agent.rig.scenarios.memory_recall import FACTS, facts_of
from chyan_agent.rig.scenarios.rounds import ROUND, SHARES, Rounds, split
from chyan_agent.rig.scenarios.words import cast


def whole(book: Rounds) -> list[TurnSpec]:
    """Return all turns."""
    return [book.at(index) for index in range(book.turns)]


def parts(check: Check) -> tuple[Check, ...]:
    """Return the single checks of a combined one."""
    return getattr(check, "checks", (check,))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_round_holds_the_three_scenarios(language: str) -> None:
    """30, 40 and 30 turns in one block each."""
    names = [spec.scenario for spec in whole(Rounds(ROUND, language=language))]
    assert names == [name for name, size in SHARES for _ in range(size)]


def test_a_seed_gives_one_run() -> None:
    """Two books of one seed are equal turn by turn, in any order of looking; another differs."""
    first, second = Rounds(250, seed=5), Rounds(250, seed=5)
    assert [first.at(i) for i in range(250)] == [second.at(i) for i in reversed(range(250))][::-1]
    assert whole(Rounds(100, seed=5)) != whole(Rounds(100, seed=6))


def test_a_shorter_run_is_the_same_to_its_last_round() -> None:
    """The first rounds don't depend on how many follow."""
    assert whole(Rounds(300, seed=2))[:200] == whole(Rounds(200, seed=2))


@pytest.mark.parametrize("turns", [1, 2, 7, 33, 99, 100])
def test_the_last_round_is_cut_in_proportion(turns: int) -> None:
    """Every size adds up, and no scenario is off by a whole turn."""
    sizes = dict(split(turns))
    assert sum(sizes.values()) == turns
    assert all(abs(sizes[name] - turns * share / ROUND) < 1 for name, share in SHARES)


def test_outside_the_run_there_is_no_turn() -> None:
    """Looking further is an error, not another round."""
    with pytest.raises(IndexError):
        Rounds(100).at(100)


def test_rounds_share_no_names() -> None:
    """Projects and people are told apart by name over hundreds of rounds."""
    casts = [cast(3, number) for number in range(1, 301)]
    for names in ([p for c in casts for p in c.projects], [p for c in casts for p in c.people]):
        assert len({zh for zh, _ in names}) == len({latin for _, latin in names}) == len(names)


def test_files_of_rounds_do_not_collide() -> None:
    """No two rounds write or place the same path."""
    paths: dict[str, int] = {}
    for spec in whole(Rounds(600, seed=1)):
        for path in (*spec.touches, *(name for name, _ in spec.files)):
            assert paths.setdefault(path, spec.round) == spec.round


def test_every_file_that_is_checked_was_touched_before() -> None:
    """A check on content follows a turn that may write it."""
    touched: set[str] = set()
    for spec in whole(Rounds(300, seed=4)):
        touched |= set(spec.touches)
        wanted = {check.path for check in parts(spec.check) if isinstance(check, FileIs)}
        assert wanted <= touched


def test_the_question_does_not_give_a_remembered_answer_away() -> None:
    """What is asked for in the memory scenario stands in no question."""
    specs = [s for s in whole(Rounds(300, seed=7)) if s.scenario == "memory_recall"]
    asked = [s for s in specs if s.text.endswith(("？", "?")) and "项目" in s.text]
    assert asked
    for spec in asked:
        wanted = next(c for c in parts(spec.check) if isinstance(c, AnswerHas))
        assert not any(value in spec.text for value in wanted.values)


def test_some_facts_are_only_told_in_passing_and_asked_twenty_turns_later() -> None:
    """The distance is what makes the scenario worth running."""
    specs = whole(Rounds(100, seed=7, language="zh"))
    told = facts_of(7, 1, 0.2)[2]
    assert len(facts_of(7, 1, 0.2)) == FACTS
    at = [n for n, s in enumerate(specs) if told.subject in s.text]
    assert at[1] - at[0] >= 20
    assert not specs[at[0]].text.startswith(("请记住", "Please remember"))


def test_both_languages_occur() -> None:
    """A Chinese run has English turns and an English run Chinese ones."""
    for language, mostly_ascii in (("zh", False), ("en", True)):
        ascii_turns = sum(s.text.isascii() for s in whole(Rounds(200, seed=1, language=language)))
        assert 10 < ascii_turns < 190
        assert (ascii_turns > 100) is mostly_ascii
