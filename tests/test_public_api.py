"""The public names of the Python API: which there are, and that each is documented."""

import inspect
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import statecrawl

DOCS = Path(__file__).parent.parent / "docs" / "python.md"
ATTRIBUTES = {
    "Crawl": {"plan", "result", "run", "stop"},
    "Finding": {"event", "kind", "level", "message", "state", "url"},
    "Result": {"findings", "graph", "model", "out", "outcome", "states"},
    "State": {"about", "events", "html", "id", "path", "picture", "title", "url", "way"},
    "Strategy": {
        "closed", "event_added", "exhaustion_reason", "explored", "found", "grant", "is_spare", "link_lost",
        "look_ahead", "name", "next_task", "release", "take", "withheld", "withhold",
    },
}  # fmt: skip
INSTANCE_ATTRIBUTES = {"Crawl": {"plan", "result"}, "Strategy": {"name"}}  # not seen in the class
PARAMETERS = (
    "url", "strategy", "values", "equivalence", "before_reset", "on_state", "on_transition", "on_request", "on_note",
    "checks", "config", "settings",
)  # fmt: skip


def documented() -> set[str]:
    """The words in backticks."""
    return {word for code in re.findall(r"`([^`\n]+)`", DOCS.read_text()) for word in re.findall(r"\w+", code)}


def test_the_public_names() -> None:
    assert set(statecrawl.__all__) == {*ATTRIBUTES, "crawl"}


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_the_attributes_of_each_class_are_fixed_and_documented(name: str) -> None:
    kind = getattr(statecrawl, name)
    of_class = {each for each in dir(kind) if not each.startswith("_")}
    of_fields = {each.name for each in fields(kind) if not each.name.startswith("_")} if is_dataclass(kind) else set()
    assert of_class | of_fields | INSTANCE_ATTRIBUTES.get(name, set()) == ATTRIBUTES[name]
    assert f"statecrawl.{name}" in DOCS.read_text()
    assert sorted(ATTRIBUTES[name] - documented()) == []


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_each_class_and_method_has_a_docstring(name: str) -> None:
    kind = getattr(statecrawl, name)
    members = [value for each, value in vars(kind).items() if not each.startswith("_")]
    described = [each for each in members if inspect.isfunction(each) or isinstance(each, property)]
    assert inspect.getdoc(kind)
    assert [each for each in described if not inspect.getdoc(each)] == []


def test_the_parameters_of_a_crawl_are_fixed_and_documented() -> None:
    assert tuple(inspect.signature(statecrawl.crawl).parameters) == PARAMETERS
    text = inspect.getdoc(statecrawl.crawl) or ""
    assert [each for each in PARAMETERS[1:] if f"{each}:" not in text] == []
    assert [each for each in PARAMETERS[1:-1] if each not in documented()] == []
