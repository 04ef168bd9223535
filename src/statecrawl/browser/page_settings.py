"""Settings of a page, and the check of those that only a browser can judge."""

import json
from dataclasses import dataclass, field
from typing import Any

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.devtools import Session
from statecrawl.browser.saved_session import SavedSessions
from statecrawl.errors import BadInput
from statecrawl.model.equivalence import is_function
from statecrawl.ports.access import Access
from statecrawl.privacy.seals import Sealer

FIRST_BAD = (
    "%s.find((given) => { try { document.createDocumentFragment().querySelector(given); } catch { return true; } })"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSettings:
    """How pages are opened."""

    url: str
    agent: AgentSettings
    event_seconds: float = 10.0  # cap for one event to settle
    load_seconds: float = 30.0  # cap for a document to load and settle
    read_only: bool = False  # refuse requests that may change something
    trusted: bool = False  # fire events by real input
    access: Access = field(default_factory=Access)
    recycle_events: int = 20_000  # a page is replaced at its next reset after this many events
    login: tuple[dict[str, str], ...] = ()  # steps after a reset, unless the session of an earlier login is restored
    logins: SavedSessions = field(default_factory=SavedSessions, compare=False)  # shared by pages that share a session
    cookies: tuple[dict[str, Any], ...] = ()  # of a saved session, set at every reset
    storage: tuple[tuple[str, str, str], ...] = ()  # (origin, name, value) of local storage, set at every reset
    until: float | None = None  # on the monotonic clock; no event starts after it
    holds: bool = False  # walks may be void (`Walked.held`), so that requests pass a gate only where they have to
    sealer: Sealer | None = None  # for event names: the crawl knows them without the secrets in them


async def check_settings(session: Session, settings: PageSettings) -> None:
    """Raise BadInput when the user gave an invalid selector or equivalence function."""
    if is_function(settings.agent.equivalence):
        await _check_function(session, settings.agent.equivalence)
    given = [
        *settings.agent.ignore.selectors,
        *settings.agent.denied,
        *filter(None, [settings.agent.session]),
        *(step["selector"] for step in settings.login if "selector" in step),
    ]
    if not given:
        return
    answer = await session.call("Runtime.evaluate", expression=FIRST_BAD % json.dumps(given), returnByValue=True)
    bad = answer["result"].get("value")
    if bad is not None:
        raise BadInput(
            f"'{bad}' is not a CSS selector: correct it in --ignore, in --deny-event, in the login file or in the"
            " configuration."
        )


async def _check_function(session: Session, source: str) -> None:
    """Raise BadInput when this is not a function: the agent would be a syntax error with it."""
    answer = await session.call("Runtime.evaluate", expression=f"typeof (\n{source}\n)", returnByValue=True)
    if answer["result"].get("value") != "function":
        error = answer.get("exceptionDetails", {}).get("exception", {}).get("description", "").partition("\n")[0]
        raise BadInput(
            f"the equivalence is not a JavaScript function{f' ({error})' if error else ''}: write it as in"
            " () => document.title."
        )
