"""Subjects: what can be simulated — an application of the testbed by name, or the file of a recorded model."""

from functools import lru_cache
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from statecrawl.errors import BadInput, StatecrawlError, UnknownName, printable
from statecrawl.journal.fold import fold
from statecrawl.model.exchange.formats import FORMATS, format_of_file
from statecrawl.model.graph import Graph
from statecrawl.model.subgraphs import explored_part, reachable_part
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.testbed.application import Application
from statecrawl.testbed.catalogue import ENTRIES, application

JOURNAL_SUFFIX = ".journal"
DEFAULT_RESET_COST = 2.0  # of a recorded model that does not say; most published applications have this
MAX_RESET_COST = 10**6  # events; what a recorded model may say, and what may be asked for
DATABASE_MAGIC = b"SQLite format 3\x00"  # how a journal begins, whatever its name
MAX_MODEL_BYTES = 1 << 30  # a text longer than this does not fit into memory several times over


@lru_cache(maxsize=4)
def subject(name: str) -> Application:
    """The application of this name, or the model in the file of this name.

    Raises UnknownName or BadInput, with a sentence that says what would be right.
    """
    if "://" in name:
        raise BadInput(f"{name} is an address, and a model is needed here: crawl it, and name the folder of the crawl.")
    if not is_file_name(name):
        return application(name)
    graph, reset_cost = load_model(Path(name))
    explored = reachable_part(explored_part(graph)) if len(graph) else graph
    if not explored.explored:
        raise BadInput(f"the model in {name} has no explored transition: there is nothing to simulate.")
    title = f"recorded model, {graph.unexplored:,} unexplored events left out" if graph.unexplored else "recorded model"
    if reset_cost is None:
        title, reset_cost = f"{title}, a reset assumed to cost {DEFAULT_RESET_COST:g}", DEFAULT_RESET_COST
    elif not 0 <= reset_cost <= MAX_RESET_COST:  # nan is not between them either
        raise BadInput(
            f"{name} says that a reset costs {reset_cost} events, and only 0 to {MAX_RESET_COST:,} can be simulated:"
            " export the model and simulate that with --reset-cost."
        )
    shown = printable(Path(name).name)  # a file name may hold anything, even bytes that are no text
    return Application(name=shown, title=title, truth=explored, reset_cost=reset_cost)


def is_file_name(name: str) -> bool:
    """Whether a person means a file: it has a directory or a known suffix, or there is one and no such application."""
    suffixes = (JOURNAL_SUFFIX, *(known.suffix for known in FORMATS.values()))
    if "/" in name or name.lower().endswith(suffixes):
        return True
    try:
        return name.partition(":")[0] not in ENTRIES and (Path(name).is_file() or _journal_in(Path(name)) is not None)
    except OSError:  # too long for a file
        return False


def _journal_in(folder: Path) -> Path | None:
    """The journal of a crawl that is kept in a folder."""
    try:
        inside = folder / JOURNAL_NAME
        return inside if inside.is_file() else None
    except OSError:  # too long for a file
        return None


def load_model(path: Path) -> tuple[Graph, float | None]:
    """The model in a journal or in a file of one of the exchange formats, and what a reset costs, where it says so."""
    path = _journal_in(path) or path
    _check_kind(path)
    if path.name.lower().endswith(JOURNAL_SUFFIX) or _is_database(path):
        reader = open_reader(path)
        try:
            crawl = fold(reader.read())
        finally:
            reader.close()
        return crawl.graph, crawl.started.reset_cost if crawl.started else None
    try:
        known = format_of_file(path.name)
    except UnknownName as unknown:
        raise BadInput(f"{path} is not a model: {unknown}") from unknown
    try:
        if path.stat().st_size > MAX_MODEL_BYTES:
            raise BadInput(f"{path} is larger than {MAX_MODEL_BYTES >> 30} GiB: record such a model as a journal.")
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        reason = trouble.strerror if isinstance(trouble, OSError) else "it is not UTF-8 text"
        raise BadInput(f"cannot read {path}: {reason}.") from trouble
    try:
        return known.loads(text), None
    except StatecrawlError as trouble:
        raise type(trouble)(f"{path}: {trouble}") from trouble


def _check_kind(path: Path) -> None:
    """Raises BadInput for what is neither a file nor a folder: to open a pipe is to wait for whoever writes it."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # will be said by whoever opens it
    if not (S_ISREG(mode) or S_ISDIR(mode)):
        raise BadInput(f"{path} is a pipe or a device: copy the model into a file and name that.")


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(DATABASE_MAGIC)) == DATABASE_MAGIC
    except OSError:
        return False
