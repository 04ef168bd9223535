"""The agent's script: all of its files, and the settings of one page."""

import dataclasses
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
