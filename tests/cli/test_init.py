"""`statecrawl init`: a configuration file to begin with."""

import re
from pathlib import Path

import pytest

from statecrawl.cli.init import init, template
from statecrawl.config.saved_settings import FILES
from statecrawl.config.settings import KNOWN, crawl_plan, read_config
from statecrawl.errors import BadInput


def test_the_file_says_what_every_setting_does_and_sets_none(tmp_path: Path) -> None:
    file = tmp_path / "crawl.toml"
    init("http://shop.test/", file, force=False)
    assert read_config(file) == {"url": "http://shop.test/"}
    assert set(re.findall(r"^# ([a-z-]+) = ", file.read_text(), re.MULTILINE)) == KNOWN


@pytest.mark.parametrize("setting", sorted(KNOWN - FILES - {"balance"}))
def test_every_example_can_be_used_as_it_is(setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SHOP_LOGIN", "SHOP_TOKEN"):
        monkeypatch.setenv(name, "ann:secret")
    file = tmp_path / "crawl.toml"
    text = template("http://shop.test/")
    needs = ["site = true\n"] if setting in ("follow", "max-urls", "max-alike", "max-states-per-url") else []
    if setting.startswith(("partition", "share")):
        needs = ['architecture = "peer-to-peer"\n']
    wanted = [line.removeprefix("# ") for line in text.splitlines(keepends=True) if line.startswith(f"# {setting} = ")]
    file.write_text("".join([*needs, *wanted]))
    if setting == "pages":
        file.write_text(file.read_text().replace("100", "2"))
    crawl_plan("http://shop.test/", {}, file)


def test_a_file_that_is_there_is_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "crawl.toml"
    file.write_text("mine")
    with pytest.raises(BadInput, match="is there already"):
        init("http://shop.test/", file, force=False)
    assert file.read_text() == "mine"
    init("http://shop.test/", file, force=True)
    assert "shop.test" in file.read_text()
