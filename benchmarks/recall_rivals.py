"""Search engines over one list of tokens a document: ours and the others', behind one face."""

import sqlite3
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from chyan_agent.memory.index import Document, Engine, Query
from chyan_agent.memory.index.make import make_index

OURS: dict[str, Engine] = {"plain": "plain", "fields": "fields"}
NEEDS = {"rank_bm25": "rank_bm25", "bm25s": "bm25s", "tantivy": "tantivy", "fts5": "sqlite3"}
"""Other engines and the module that each needs."""
TURNS = 20
"""Turns of one made-up session."""
Hits = list[int]


class Rival(Protocol):
    """An engine as the benchmark drives it."""

    def build(self, documents: Iterable[tuple[str, list[str]]]) -> None:
        """Take in documents, each as text and as tokens."""
        ...

    def add(self, text: str, tokens: list[str]) -> None:
        """Take in one more, so that the next search finds it."""
        ...

    def search(self, text: str, tokens: list[str], k: int) -> Hits:
        """Return the numbers of the best documents."""
        ...


PACKED = 10_000
"""Items after which our engine packs them; in a session this comes with writing the file."""


class Ours:
    """Our engine: it cuts the text itself, which its figures include."""

    def __init__(self, engine: Engine) -> None:
        self._index = make_index(engine)

    def build(self, documents: Iterable[tuple[str, list[str]]]) -> None:
        """Add them one by one: there is no other way. Now and then they are packed."""
        for number, (text, tokens) in enumerate(documents, start=1):
            self.add(text, tokens)
            if number % PACKED == 0:
                self._index.settle()
        self._index.settle()

    def add(self, text: str, tokens: list[str]) -> None:
        """Add a turn of a session, said an hour after the one before."""
        number = len(self._index)
        hours = number % (24 * 365)
        ts = f"2025-{hours // 730 + 1:02}-{hours % 28 + 1:02}T{hours % 24:02}:00:00"
        speaker = "assistant" if number % 2 else "user"
        self._index.add(Document(text, ts, speaker, str(number // TURNS)))

    def search(self, text: str, tokens: list[str], k: int) -> Hits:
        """Search with the text."""
        return [number for number, _ in self._index.search(Query(text, "2025-12-31"), k)]


class RankBM25:
    """rank_bm25, which is built anew for each addition."""

    def build(self, documents: Iterable[tuple[str, list[str]]]) -> None:
        """Keep the tokens: every addition needs them all again."""
        self._corpus = [tokens for _, tokens in documents]
        self._make()

    def _make(self) -> None:
        from rank_bm25 import BM25Okapi

        self._engine = BM25Okapi(self._corpus)

    def add(self, text: str, tokens: list[str]) -> None:
        """Build everything again."""
        self._corpus.append(tokens)
        self._make()

    def search(self, text: str, tokens: list[str], k: int) -> Hits:
        """Score all, and sort the best out."""
        return _best(self._engine.get_scores(tokens), k)


def _best(scores: Any, k: int) -> Hits:
    import numpy as np

    top = np.argpartition(-scores, min(k, len(scores) - 1))[:k]
    return [int(number) for number in top[np.argsort(-scores[top])] if scores[number] > 0]


class BM25S:
    """bm25s, which is built anew for each addition too."""

    def build(self, documents: Iterable[tuple[str, list[str]]]) -> None:
        """Keep the tokens: every addition needs them all again."""
        self._corpus = [tokens for _, tokens in documents]
        self._make()

    def _make(self) -> None:
        import bm25s

        self._engine = bm25s.BM25()
        self._engine.index(self._corpus, show_progress=False)

    def add(self, text: str, tokens: list[str]) -> None:
        """Build everything again."""
        self._corpus.append(tokens)
        self._make()

    def search(self, text: str, tokens: list[str], k: int) -> Hits:
        """Search for the tokens that it knows."""
        found, _ = self._engine.retrieve([tokens], k=k, show_progress=False, n_threads=0)
        return [int(number) for number in found[0]]


class Tantivy:
    """tantivy, with an index in memory and a commit after each addition."""

    def __init__(self) -> None:
        import tantivy

        builder = tantivy.SchemaBuilder()
        builder.add_text_field("body", stored=False, tokenizer_name="whitespace")
        builder.add_integer_field("number", stored=True)
        self._schema: Any = builder.build()
        self._index: Any = tantivy.Index(self._schema)
        self._count = 0

    def _put(self, writer: Any, tokens: list[str]) -> None:
        import tantivy

        writer.add_document(tantivy.Document(body=" ".join(tokens), number=self._count))
        self._count += 1

    def build(self, documents: Iterable[tuple[str, list[str]]]) -> None:
        """Add all, then commit once."""
        writer = self._index.writer(num_threads=1)
        for _, tokens in documents:
            self._put(writer, tokens)
        self._commit(writer)

    def add(self, text: str, tokens: list[str]) -> None:
        """Add one and commit."""
        writer = self._index.writer(num_threads=1)
        self._put(writer, tokens)
        self._commit(writer)

    def _commit(self, writer: Any) -> None:
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def search(self, text: str, tokens: list[str], k: int) -> Hits:
        """Search for any of the tokens."""
        import tantivy

        terms = [tantivy.Query.term_query(self._schema, "body", token) for token in tokens]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])
        searcher = self._index.searcher()
        return [searcher.doc(at)["number"][0] for _, at in searcher.search(query, k).hits]


class FTS5:
    """SQLite's FTS5 in memory, without a copy of the texts."""

    def __init__(self, path: str = ":memory:") -> None:
        self._base = sqlite3.connect(path)
        self._base.execute(
            "CREATE VIRTUAL TABLE d USING fts5(body, content='', tokenize=\"unicode61 "
            "remove_diacritics 0 tokenchars '-./@:_+#~'\")"
        )

    def build(self, documents: Iterable[tuple[str, list[str]]]) -> None:
        """Insert all, then commit once."""
        rows = ((" ".join(tokens),) for _, tokens in documents)
        self._base.executemany("INSERT INTO d(body) VALUES (?)", rows)
        self._base.commit()

    def add(self, text: str, tokens: list[str]) -> None:
        """Insert one and commit."""
        self.build([(text, tokens)])

    def search(self, text: str, tokens: list[str], k: int) -> Hits:
        """Search for any of the tokens, best first."""
        words = " OR ".join('"' + token.replace('"', '""') + '"' for token in tokens)
        found = self._base.execute(
            "SELECT rowid FROM d WHERE d MATCH ? ORDER BY rank LIMIT ?", (words, k)
        )
        return [row[0] - 1 for row in found]


def make(name: str) -> Rival:
    """Return an empty engine by its name."""
    if name in OURS:
        return Ours(OURS[name])
    rivals: dict[str, type[Rival]] = {
        "rank_bm25": RankBM25,
        "bm25s": BM25S,
        "tantivy": Tantivy,
        "fts5": FTS5,
    }
    return rivals[name]()


def missing(names: Sequence[str]) -> list[str]:
    """Return those of the engines whose package is not installed."""
    return [name for name in names if name in NEEDS and find_spec(NEEDS[name]) is None]


def resident() -> int:
    """Return the bytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096
