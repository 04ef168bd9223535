"""Parts of the page in a recorded crawl: their names, from stored documents."""

from collections.abc import Collection, Iterable, Iterator

from statecrawl.errors import BadInput
from statecrawl.report.crawl.document import Element, read_document
from statecrawl.report.crawl.page_parts import with_containers
from statecrawl.report.crawl.part_labels import labels_in
from statecrawl.report.crawl.part_names import PartNames
from statecrawl.stores.evidence import EvidenceReader

MOST_READ = 16  # documents


def names_of_parts(evidence: EvidenceReader, states: Iterable[str], places: Collection[str]) -> PartNames:
    """Return the names of the parts with these places, read from the first documents of these states."""
    return PartNames(labels_in(_documents(evidence, states), with_containers(places)))


def _documents(evidence: EvidenceReader, states: Iterable[str]) -> Iterator[Element]:
    for state in [*dict.fromkeys(states)][:MOST_READ]:
        try:
            yield read_document(str(evidence.about(state).get("normal") or ""))
        except BadInput:  # its evidence was not stored, or is damaged
            continue
