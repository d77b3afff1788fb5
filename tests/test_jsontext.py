"""JSON of others: whatever it is, there is an answer and no crash."""

import pytest

from chyan_agent.jsontext import DEEPEST, as_object, finite, parsed, too_deep, unique


@pytest.mark.parametrize("text", ["", "{", "nul", b"\xff\xfe", "[" * 100_000, '{"a":' * 100_000])
def test_what_is_no_json_has_no_value(text: str | bytes) -> None:
    """Torn, binary or without bottom: it is None, as `null` is."""
    assert parsed(text) is None


@pytest.mark.parametrize("text", ["NaN", '{"n":-Infinity}', '{"n":1e999}', "[]", '"x"', "3"])
def test_arguments_are_an_object_that_every_reader_takes(text: str) -> None:
    """Numbers that only some readers know, and other values, are no arguments."""
    assert as_object(text) is None


def test_no_arguments_are_an_empty_object() -> None:
    """Tools without arguments are called so."""
    assert as_object(" ") == {}


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_what_can_be_read_and_not_written_is_too_deep(opening: str) -> None:
    """The innermost level that may be is the last."""
    closing = "]" if opening == "[" else "}"
    for levels in (DEEPEST, DEEPEST + 1):
        value = parsed(opening * levels + ("1" if closing == "}" else "") + closing * levels)
        assert value is not None
        assert too_deep(value) == (levels > DEEPEST)


def test_a_name_that_stands_twice_is_refused() -> None:
    """Which of the two is meant nobody can tell."""
    assert unique([("a", 1), ("b", 1)]) == {"a": 1, "b": 1}
    with pytest.raises(ValueError, match="twice"):
        unique([("a", 1), ("a", 1)])


def test_numbers_out_of_range_are_refused() -> None:
    """A number that was written as one is no infinity."""
    assert finite("1e300") == 1e300
    with pytest.raises(ValueError, match="1e999"):
        finite("1e999")
