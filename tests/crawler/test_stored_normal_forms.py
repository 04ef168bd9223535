"""Stored normal forms: each line once, and a limited number of them."""

import asyncio

import pytest

from statecrawl.crawler import stored_normal_forms
from statecrawl.crawler.stored_normal_forms import NormalForms


def test_forms_come_back_as_they_were() -> None:
    kept = NormalForms()
    kept.add("a", "http://h/", "one\x1etwo")
    kept.add("b", "http://h/", "two\x1ethree")
    assert [kept.normal(state) for state in "abc"] == ["one\x1etwo", "two\x1ethree", None]


def test_no_more_is_remembered_than_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_normal_forms, "MOST_CHARACTERS", 10)
    kept, full = NormalForms(), []
    for state, normal in (("a", "common\x1ea"), ("b", "common\x1eb"), ("c", "different"), ("d", "common")):
        kept.add(state, "http://h/", normal)
        full.append(kept.is_full)
    assert full == [False, False, True, True]
    assert [kept.normal(state) for state in "cd"] == ["different", None]


def test_others_go_on_while_forms_are_recalled() -> None:
    async def run() -> list[str]:
        kept, log = NormalForms(), list[str]()

        def form(state: str) -> tuple[str, str]:
            log.append(state)
            return "", "one"

        async def other() -> None:
            log.append("other")

        waiting = asyncio.create_task(other())
        await kept.recall("abc", form)
        await waiting
        assert [state for state, _ in kept.all()] == ["a", "b", "c"]
        return log

    assert asyncio.run(run()) == ["a", "other", "b", "c"]


def test_paths_over_events_that_must_not_be_fired_are_forgotten() -> None:
    kept = NormalForms(paths={"a": (), "b": ("go",), "c": ("go", "delete"), "d": ("delete", "go")})
    kept.avoid({"delete"})
    assert kept.paths == {"a": (), "b": ("go",)}
