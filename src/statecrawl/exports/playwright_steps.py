"""Steps of tests: the arguments of `Walk.fire` (assets/conftest.py) that repeat an event, or why there are none."""

from collections.abc import Sequence
from dataclasses import dataclass

from statecrawl.model.event import EVENT_KINDS, opened_url
from statecrawl.privacy.redaction import MARKER, without_hashes

VALUED = frozenset(name for name, kind in EVENT_KINDS.items() if kind.needs_value)
NEEDY = VALUED | {
    name for name, kind in EVENT_KINDS.items() if kind.needs_element
}  # kinds for which the element is not enough
KINDS = frozenset(name for name, kind in EVENT_KINDS.items() if kind.phrase)  # events of an element
OF_THE_PAGE = {"back": "'back', 'html'", "scroll page": "'scroll page', 'html'"}

NOT_FOUND = "whose element no selector finds"
HIDDEN = "whose element can be identified only by a secret"
UNKNOWN = "which needs a secret value that was not stored"
OLD = "of which an older release did not store enough: crawl again"


class UntestableStep(Exception):
    """A test cannot repeat an event; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class TestStep:
    """One event, as stored by the crawl."""

    name: str
    selector: str
    given: Sequence[tuple[str, str | None]] | None  # see `Snapshot`; None: not stored

    @property
    def kind(self) -> str:
        return self.name.partition(" ")[0]

    def written(self, origin: str) -> str:
        """Return the arguments, for an application at this origin. Raises UntestableStep."""
        if MARKER in self.name:
            raise self._impossible("which contains a secret")
        url = opened_url(self.name)
        if url is not None:
            return self._opened(url, origin)
        if self.name in OF_THE_PAGE:
            return OF_THE_PAGE[self.name]
        if self.kind not in KINDS:
            raise self._impossible("which a test cannot repeat")
        if not self.selector or MARKER in self.selector:
            raise self._impossible(HIDDEN if self.selector else NOT_FOUND)
        return f"{self.kind!a}, {self.selector!a}{self._needs()}"

    def _opened(self, url: str, origin: str) -> str:
        if not url.startswith(f"{origin}/"):
            raise self._impossible("which is on another server")
        return f"'open', {url.removeprefix(origin)!a}"

    def _needs(self) -> str:
        """Return the arguments besides the element."""
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
            target, share = self.given[0]
            return f", {str(target)!a}" + (f", share={float(str(share))}" if share else "")
        fields = [(str(field), str(value)) for field, value in self.given]
        return f", fields={fields!a}" if fields else ""

    def _impossible(self, why: str) -> UntestableStep:
        return UntestableStep(f"the path needs '{without_hashes(self.name)}', {why}")
