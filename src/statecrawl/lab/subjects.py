"""Subjects of a simulation: an application of the testbed by name, or a recorded model from a file."""

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
DEFAULT_RESET_COST = 2.0  # for a recorded model without one; most published applications have this
MAX_RESET_COST = 10**6  # events
DATABASE_MAGIC = b"SQLite format 3\x00"  # first bytes of a journal, whatever its name
MAX_MODEL_BYTES = 1 << 30  # parsing needs several times this much memory


@lru_cache(maxsize=4)
def subject(name: str) -> Application:
    """Return the application of this name, or the model in the file of this name.

    Raises UnknownName or BadInput; the message says what is valid.
    """
    if "://" in name:
        raise BadInput(f"{name} is a URL, but a model is needed: crawl it first, and pass the directory of the crawl.")
    if not is_file_name(name):
        return application(name)
    graph, reset_cost = load_model(Path(name))
    explored = reachable_part(explored_part(graph)) if len(graph) else graph
    if not explored.explored:
        raise BadInput(f"the model in {name} has no explored transition: there is nothing to simulate.")
    title = f"recorded model, {graph.unexplored:,} unexplored events left out" if graph.unexplored else "recorded model"
    if reset_cost is None:
        title, reset_cost = f"{title}, assuming a reset cost of {DEFAULT_RESET_COST:g}", DEFAULT_RESET_COST
    elif not 0 <= reset_cost <= MAX_RESET_COST:  # also false for NaN
        raise BadInput(
            f"the reset cost in {name} is {reset_cost} events, but only 0 to {MAX_RESET_COST:,} can be simulated:"
            " export the model and simulate the file with --reset-cost."
        )
    shown = printable(Path(name).name)  # a file name may contain anything, even bytes that are not text
    return Application(name=shown, title=title, truth=explored, reset_cost=reset_cost)


def is_file_name(name: str) -> bool:
    """Whether a name means a file: it has a directory or a known suffix, or the file exists and no such application."""
    suffixes = (JOURNAL_SUFFIX, *(known.suffix for known in FORMATS.values()))
    if "/" in name or name.lower().endswith(suffixes):
        return True
    try:
        return name.partition(":")[0] not in ENTRIES and (Path(name).is_file() or _journal_in(Path(name)) is not None)
    except OSError:  # too long for a file
        return False


def _journal_in(folder: Path) -> Path | None:
    """Return the journal of the crawl in a directory, if there is one."""
    try:
        inside = folder / JOURNAL_NAME
        return inside if inside.is_file() else None
    except OSError:  # too long for a file
        return None


def load_model(path: Path) -> tuple[Graph, float | None]:
    """Load a model from a journal or an exchange file; return it with its reset cost, if the source has one."""
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
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadInput(f"cannot read {path}: {reason}.") from error
    try:
        return known.loads(text), None
    except StatecrawlError as error:
        raise type(error)(f"{path}: {error}") from error


def _check_kind(path: Path) -> None:
    """Raise BadInput for a pipe or a device: opening a pipe would wait for its writer."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # opening the file raises the error
    if not (S_ISREG(mode) or S_ISDIR(mode)):
        raise BadInput(f"{path} is a pipe or a device: copy the model into a file and pass that.")


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(DATABASE_MAGIC)) == DATABASE_MAGIC
    except OSError:
        return False
