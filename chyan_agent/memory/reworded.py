"""Notes by what they are made of: the same in other words and another order is known."""

from collections import defaultdict

from ..statements.rewordings import Wording, reworded, wording


class Reworded:
    """The wordings of notes, by their ids."""

    def __init__(self) -> None:
        self._wordings: dict[str, Wording] = {}
        self._alike: dict[tuple[object, ...], list[str]] = defaultdict(list)

    def put(self, note_id: str, text: str) -> None:
        """Add a note."""
        if told := wording(text):
            self._wordings[note_id] = told
            self._alike[told.made_of].append(note_id)

    def drop(self, note_id: str) -> None:
        """Leave out a note that is no longer current."""
        if told := self._wordings.pop(note_id, None):
            self._alike[told.made_of].remove(note_id)

    def same(self, text: str) -> str:
        """Return the id of a note that says the same; or nothing."""
        told = wording(text)
        alike = self._alike.get(told.made_of, ()) if told else ()
        return next((n for n in alike if told and reworded(told, self._wordings[n])), "")
