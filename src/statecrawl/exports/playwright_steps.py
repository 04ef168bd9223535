"""A step of a test: the arguments by which `Walk.fire` (assets/conftest.py) does what an event did, or why not."""

from collections.abc import Sequence
from dataclasses import dataclass

from statecrawl.model.event import EVENT_KINDS, opened_url
from statecrawl.privacy.redaction import MARKER, without_hashes

VALUED = frozenset(name for name, kind in EVENT_KINDS.items() if kind.needs_value)
NEEDY = VALUED | {name for name, kind in EVENT_KINDS.items() if kind.needs_element}  # an element is not enough
KINDS = frozenset(name for name, kind in EVENT_KINDS.items() if kind.phrase)  # events of an element
OF_THE_PAGE = {"back": "'back', 'html'", "scroll page": "'scroll page', 'html'"}

NOT_FOUND = "whose element no selector finds"
HIDDEN = "whose element is known by a secret only"
UNKNOWN = "for which a value is needed that is secret and was not kept"
OLD = "of which an older release did not keep enough: crawl again"


class UntestableStep(Exception):
    """A test cannot do that; the message says why."""


@dataclass(frozen=True, slots=True)
class TestStep:
    """One event as it was kept."""

    name: str
    selector: str
    given: Sequence[tuple[str, str | None]] | None  # see `Snapshot`; None: nobody kept it

    @property
    def kind(self) -> str:
        return self.name.partition(" ")[0]

    def written(self, origin: str) -> str:
        """The arguments, at an application of this origin. Raises Impossible."""
        if MARKER in self.name:
            raise self._impossible("which holds a secret")
        address = opened_url(self.name)
        if address is not None:
            return self._opened(address, origin)
        if self.name in OF_THE_PAGE:
            return OF_THE_PAGE[self.name]
        if self.kind not in KINDS:
            raise self._impossible("which no test can do")
        if not self.selector or MARKER in self.selector:
            raise self._impossible(HIDDEN if self.selector else NOT_FOUND)
        return f"{self.kind!a}, {self.selector!a}{self._needs()}"

    def _opened(self, address: str, origin: str) -> str:
        if not address.startswith(f"{origin}/"):
            raise self._impossible("which is at another server")
        return f"'open', {address.removeprefix(origin)!a}"

    def _needs(self) -> str:
        """What there is to say besides the element."""
        if self.given is None or (self.kind in NEEDY - {"submit"} and not self.given):
            if self.kind in NEEDY:
                raise self._impossible(OLD)
            return ""
        if any(value is None or MARKER in value or MARKER in field for field, value in self.given):
            raise self._impossible(UNKNOWN)
        if self.kind in VALUED:
            return f", {str(self.given[0][1])!a}"
        if not all(field for field, _ in self.given):
            raise self._impossible("with another element that no selector finds")
        if self.kind == "drag":
            return f", {str(self.given[0][0])!a}"
        fields = [(str(field), str(value)) for field, value in self.given]
        return f", fields={fields!a}" if fields else ""

    def _impossible(self, why: str) -> UntestableStep:
        return UntestableStep(f"the way needs '{without_hashes(self.name)}', {why}")
