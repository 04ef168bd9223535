"""A copy on this disk of a journal that is kept elsewhere."""

from contextlib import closing
from pathlib import Path

from statecrawl.journal.facts import Fact
from statecrawl.stores.sqlite_journal import open_journal


def mirror(path: Path, facts: list[Fact]) -> None:
    """Have the journal at `path` say the same as these facts.

    What it says already is kept. When it says something else, because the other one has lost facts since, it is put
    aside under another name. Raises StoreError.
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
