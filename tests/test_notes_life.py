"""What becomes of notes, on sentences that no rule was written for: `tests/data/notes_life`."""

from pathlib import Path

import pytest

from .toolbox import Desk

LINES = [
    line.split("\t")
    for line in (Path(__file__).parent / "data/notes_life/lines.tsv")
    .read_text(encoding="utf-8")
    .splitlines()
]


def of(kind: str) -> list[list[str]]:
    """Return the texts of the lines of a kind."""
    return [texts for told, *texts in LINES if told == kind]


def noted(desk: Desk, *texts: str) -> list[str]:
    """Remember texts as a model does, one a turn; return what is current then."""
    for text in texts:
        desk.turn += 4
        assert "error" not in desk("remember", content=text)
    return [note.text for note in desk.memory.notes()]


@pytest.mark.parametrize(("old", "new"), of("changed"))
def test_a_change_takes_the_place_of_what_it_changes(tmp_path: Path, old: str, new: str) -> None:
    """Only the new one is current, and recall says what it replaced."""
    with Desk(tmp_path) as desk:
        assert noted(desk, old, new) == [new]
        (hit, *_) = desk("recall", query=new)["hits"]
        assert (hit["text"], hit["replaces"]) == (new, old)


@pytest.mark.parametrize(("old", "new"), of("partly"))
def test_what_changes_a_part_leaves_the_rest(tmp_path: Path, old: str, new: str) -> None:
    """Of several clauses the others may hold: the note stays, and recall tells what is newer."""
    with Desk(tmp_path) as desk:
        assert noted(desk, old, new) == [old, new]
        hits = {hit.text: hit.superseded for hit in desk.memory.recall(old, 5)}
        assert hits[old].startswith(new)
        assert hits[new] == ""


@pytest.mark.parametrize(("first", "again"), of("same"))
def test_the_same_in_other_words_is_one_note(tmp_path: Path, first: str, again: str) -> None:
    """The first stays, and knows that it was said twice."""
    with Desk(tmp_path) as desk:
        assert noted(desk, first, again) == [first]
        assert [one.text for one in desk.memory.notebook.story("n1").origins] == [first, again]


@pytest.mark.parametrize(("one", "other"), of("both"))
def test_what_tells_of_something_else_hides_nothing(tmp_path: Path, one: str, other: str) -> None:
    """Both are current."""
    with Desk(tmp_path) as desk:
        assert noted(desk, one, other) == [one, other]


@pytest.mark.parametrize(("one", "other"), of("against"))
def test_two_that_can_not_both_hold_are_marked(tmp_path: Path, one: str, other: str) -> None:
    """Both are shown, the newer first, each with the other."""
    with Desk(tmp_path) as desk:
        assert noted(desk, one, other) == [one, other]
        newer, older = desk.memory.recall(one, 2)
        assert (newer.text, older.text) == (other, one)
        assert newer.conflicts
        assert older.conflicts


@pytest.mark.parametrize(
    ("kind", "refused"), [("chatter", True), ("kept", False)], ids=("chatter", "kept")
)
def test_idle_talk_is_told_from_short_facts(tmp_path: Path, kind: str, refused: bool) -> None:
    """What tells nothing later is refused, whatever is short is not."""
    with Desk(tmp_path) as desk:
        for (text,) in of(kind):
            assert ("error" in desk("remember", content=text)) == refused, text


@pytest.mark.parametrize(("boot", "text"), of("told"))
def test_instructions_are_restated(tmp_path: Path, boot: str, text: str) -> None:
    """What the model is told at every start is no note, also where it says who wants it so."""
    with Desk(tmp_path, boot=boot) as desk:
        assert "error" in desk("remember", content=text)


@pytest.mark.parametrize(("note", "text"), of("echo"))
def test_what_was_recalled_comes_back(tmp_path: Path, note: str, text: str) -> None:
    """What recall gave is no news, also where it says where it is known from."""
    with Desk(tmp_path) as desk:
        noted(desk, note)
        desk("recall", query=note)
        desk("remember", content=text)
        assert [one.text for one in desk.memory.notes()] == [note]
