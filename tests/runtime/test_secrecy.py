"""What of a plan is secret."""

from pathlib import Path
from typing import Any

from statecrawl.runtime.plan import CrawlPlan, Resetting
from statecrawl.runtime.secrecy import application_of, keyed_redactor, redactor_of

STEPS = (
    {"verb": "fill", "selector": "#user", "value": "annette"},
    {"verb": "fill", "selector": "#password", "value": "correct horse", "secret": "yes"},
)
SAVED = {
    "cookies": [{"name": "sid", "value": "cookie-value"}, {"name": "lang", "value": "en"}],
    "origins": [
        {
            "origin": "http://host",
            "localStorage": [{"name": "access_token", "value": "stored-value"}, {"name": "theme", "value": "darkness"}],
        }
    ],
}


def plan(**changed: Any) -> CrawlPlan:
    return CrawlPlan(url="http://ann:pw@host/", out=Path(), **changed)


def test_what_a_log_in_types_and_what_a_saved_session_holds() -> None:
    redactor = redactor_of(plan(resetting=Resetting(login=STEPS, storage_state=SAVED)))
    assert redactor is not None
    text = "annette: correct horse, cookie-value, en, stored-value, darkness"
    assert redactor.text(text) == "annette: REDACTED, REDACTED, en, REDACTED, darkness"


def test_each_process_has_a_key_of_its_own() -> None:
    one, two = keyed_redactor(plan()), keyed_redactor(plan())
    assert one is not None
    assert two is not None
    assert one.mark("x") != two.mark("x")


def test_secrets_can_be_kept() -> None:
    kept = plan(keep_secrets=True)
    assert redactor_of(kept) is None
    assert application_of(kept) == "http://ann:pw@host/"
    assert application_of(plan()) == "http://ann:REDACTED@host/"
    assert kept.told()["keep-secrets"] is True
