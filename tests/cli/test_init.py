"""`statecrawl init`: a configuration file to begin with."""

import re
from pathlib import Path

import pytest

from statecrawl.cli.init import init, template
from statecrawl.config.options import settings as options_by_name
from statecrawl.config.plan_builder import crawl_plan
from statecrawl.config.settings import read_config
from statecrawl.config.value_types import FILE
from statecrawl.errors import BadInput


def test_the_file_says_what_every_setting_does_and_sets_none(tmp_path: Path) -> None:
    file = tmp_path / "crawl.toml"
    init("http://shop.test/", file, force=False)
    assert read_config(file) == {"url": "http://shop.test/"}
    assert set(re.findall(r"^# ([a-z-]+) = ", file.read_text(), re.MULTILINE)) == set(options_by_name())


@pytest.mark.parametrize("setting", [name for name, row in options_by_name().items() if row.type is not FILE])
def test_every_example_can_be_used_as_it_is(setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SHOP_LOGIN", "SHOP_TOKEN"):
        monkeypatch.setenv(name, "ann:secret")
    file = tmp_path / "crawl.toml"
    text = template("http://shop.test/")
    needs = ["site = true\n"] if setting in ("follow", "max-urls", "max-alike", "max-states-per-url") else []
    if setting.startswith(("partition", "share", "balance", "components")):
        needs = [f'architecture = "{"dist-ria" if setting == "balance" else "peer-to-peer"}"\n']
    if setting == "components":
        needs.append('model = "components"\n')
    wanted = [line.removeprefix("# ") for line in text.splitlines(keepends=True) if line.startswith(f"# {setting} = ")]
    file.write_text("".join([*needs, *wanted]))
    crawl_plan("http://shop.test/", {}, file)


def test_a_file_that_is_there_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "crawl.toml"
    file.write_text("mine")
    with pytest.raises(BadInput, match="exists already"):
        init("http://shop.test/", file, force=False)
    assert file.read_text() == "mine"
    init("http://shop.test/", file, force=True)
    assert "shop.test" in file.read_text()
