"""Stored normal forms: each line once, and not without end."""

import pytest

from statecrawl.runtime import forms
from statecrawl.runtime.forms import Forms


def test_forms_come_back_as_they_were() -> None:
    kept = Forms()
    kept.add("a", "http://h/", "one\x1etwo")
    kept.add("b", "http://h/", "two\x1ethree")
    assert [kept.normal(state) for state in "abc"] == ["one\x1etwo", "two\x1ethree", None]


def test_no_more_is_remembered_than_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MOST_CHARACTERS", 10)
    kept, full = Forms(), []
    for state, normal in (("a", "common\x1ea"), ("b", "common\x1eb"), ("c", "different"), ("d", "common")):
        kept.add(state, "http://h/", normal)
        full.append(kept.is_full)
    assert full == [False, False, True, True]
    assert [kept.normal(state) for state in "cd"] == ["different", None]
