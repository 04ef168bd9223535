"""What of a plan is secret."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from statecrawl.config.plan import CrawlPlan, Resetting
from statecrawl.config.recorded_settings import recorded_settings
from statecrawl.config.secrets import application_of, check_key, keyed_redactor, redactor_of, sealer_of, with_key
from statecrawl.errors import BadInput
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.traffic import Exchange

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
    assert recorded_settings(kept)["keep-secrets"] is True


def test_secrets_of_the_address_and_of_values_are_known() -> None:
    asked = CrawlPlan(
        url="http://host/?token=by-query#access_token=by-fragment",
        out=Path(),
        values=(("otp", ("by-value",)), ("city", ("Rome",))),
    )
    redactor = redactor_of(asked)
    assert redactor is not None
    assert redactor.text("by-query by-fragment by-value Rome") == "REDACTED REDACTED REDACTED Rome"


def test_names_are_sealed_by_the_key_of_the_folder(tmp_path: Path) -> None:
    one = with_key(CrawlPlan(url="http://host/", out=tmp_path))
    other = with_key(CrawlPlan(url="http://host/", out=tmp_path / "other"))
    assert with_key(replace(one, key="")) == one
    assert sealer_of(replace(one, keep_secrets=True)) is None
    sealer = sealer_of(one)
    assert sealer is not None
    name = sealer.text("open http://host/?token=abc-123-def")
    check_key(one, [name, "click a"])
    for lacking in (other, replace(one, key="")):
        with pytest.raises(BadInput, match="contain secrets"):
            check_key(lacking, [name])


def test_a_node_sends_no_secrets() -> None:
    snapshot = Snapshot(
        state="s", events=("a",), labels=("a",), url="http://host/?token=abc-123-def", title="", html="", normal="",
        links=(), forms=(), cut=False,
    )  # fmt: skip
    exchange = Exchange(method="GET", url="http://host/", request_headers=(("Cookie", "sid=abc-123-def"),))
    for redactor, is_there in ((keyed_redactor(plan()), False), (None, True)):
        parcel = EvidenceBatch(redactor)
        parcel.keep(snapshot, None)
        parcel.note([Note("error", "token: 'abc-123-def'"), exchange], "s", None)
        kept, notes = parcel.take()
        assert all(("abc-123-def" in str(each)) == is_there for each in (*kept, *notes))
