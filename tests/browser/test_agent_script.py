"""The script of the agent: all of its files, and the settings of one page."""

import dataclasses
import re
from importlib.resources import files

from statecrawl.browser.agent import FILES, AgentSettings, agent_script


def test_no_file_of_the_agent_is_forgotten() -> None:
    folder = files("statecrawl.browser") / "agent"
    there = {path.name.removesuffix(".js") for path in folder.iterdir() if path.name.endswith(".js")}
    assert there == {*FILES, "worker"}  # which is for workers alone
    assert len(set(FILES)) == len(FILES)


def test_the_same_settings_give_the_same_script() -> None:
    settings = AgentSettings(name="a", secret="word")  # noqa: S106
    assert agent_script(settings) == agent_script(dataclasses.replace(settings))
    assert agent_script(settings) != agent_script(dataclasses.replace(settings, seed=1))


# What a page could observe or change, and what stands for it. The two exceptions run before any script of the page.
OBSERVED = {
    "an empty array, which a page hears appends to: use newList() or NONE": re.compile(r"(?<![\w\])}>])\[\]"),
    "a promise whose kind the page is asked for: use safe()": re.compile(
        r"\bawait (?!safe\(|yieldTurn\(|waitForChange\(|waitForFrame\()"
    ),
    "options that inherit what the page likes: use ONCE": re.compile(r"(?<!table\()\{ once: "),
}
EXCEPT = {"natives": "setPrototype([], null)", "kinds": "['touchstart', 'touchend'] : []"}


def test_nothing_is_used_that_a_page_can_observe() -> None:
    found = []
    for name in FILES:
        source = (files("statecrawl.browser") / "agent" / f"{name}.js").read_text(encoding="utf-8")
        code = re.sub(r"/\*.*?\*/|//[^\n]*", "", source.replace(EXCEPT.get(name, "\0"), ""), flags=re.DOTALL)
        found += [f"{name}.js: {why}" for why, rule in OBSERVED.items() for _ in rule.finditer(code)]
    assert found == []
