"""Local copy of a journal that is stored elsewhere."""

from contextlib import closing
from pathlib import Path

from statecrawl.journal.facts import Fact
from statecrawl.stores.sqlite_journal import open_journal


def mirror(path: Path, facts: list[Fact]) -> None:
    """Make the journal at `path` contain exactly these facts.

    Missing facts are appended. If the journal contains different facts, because the other store has lost some since, it
    is renamed and a new one is written. Raises StoreError.
    """
    with closing(open_journal(path)) as journal:
        here = list(journal.read())
        if here == facts[: len(here)]:
            journal.append(facts[len(here) :])
            return
    aside = next(name for number in range(1, 1 << 30) if not (name := path.with_name(f"{path.name}.{number}")).exists())
    path.rename(aside)
    with closing(open_journal(path)) as journal:
        journal.append(facts)
