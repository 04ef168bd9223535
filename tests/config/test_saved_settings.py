"""Settings that are kept in the folder of a crawl."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.config.options import settings as options_by_name
from statecrawl.config.plan_builder import crawl_plan
from statecrawl.config.saved_settings import SETTINGS_NAME, as_toml, delete_settings, save_settings, to_file
from statecrawl.config.settings import read_config, settings_of
from statecrawl.config.value_types import FILE, FLAG, NUMBER, TEXT, TEXTS, TIME, WHOLE_NUMBER, WORDS
from statecrawl.errors import BadInput
from statecrawl.stores.crawl_key import KEY_NAME

TEXTS_OF_ANY_KIND = st.text(st.characters(codec="utf-8"), max_size=30)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    FLAG.label: st.just(value=True),
    WHOLE_NUMBER.label: st.integers(1, 10**6),
    NUMBER.label: st.floats(0, 1000),
    TIME.label: st.floats(0, 1000) | st.integers(0, 10**6).map(float) | st.floats(10**6, 10**9),
    TEXT.label: TEXTS_OF_ANY_KIND,
    FILE.label: st.text("abc", min_size=1).map(lambda name: f"/{name}"),
    TEXTS.label: st.lists(TEXTS_OF_ANY_KIND, min_size=1, max_size=3),
    WORDS.label: st.lists(TEXTS_OF_ANY_KIND, min_size=1, max_size=3),
}
SECRETS = ("basic-auth", "proxy", "header")  # left out, see test_access
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        name: VALUES[row.type.label]
        for name, row in options_by_name().items()
        if name not in SECRETS and not row.is_local
    },
)


@given(SETTINGS)
def test_what_is_written_is_read_as_it_was(tmp_path_factory: pytest.TempPathFactory, settings: dict[str, Any]) -> None:
    path = tmp_path_factory.mktemp("kept") / "crawl.toml"
    path.write_text(as_toml(to_file(settings)), encoding="utf-8")
    assert read_config(path) == settings


def test_secrets_in_addresses_are_sealed_and_opened_by_the_key_beside_them(tmp_path: Path) -> None:
    url = "http://ann:hunter-2@shop.test/?token=abc-123-def"
    save_settings(tmp_path, url, {"reset-url": "/reset?api_key=xyz-987"})
    file = tmp_path / SETTINGS_NAME
    written = file.read_text()
    assert [secret for secret in ("hunter-2", "abc-123-def", "xyz-987") if secret in written] == []
    assert read_config(file) == {"url": url, "reset-url": "/reset?api_key=xyz-987"}
    (tmp_path / KEY_NAME).write_text("00" * 32)
    with pytest.raises(BadInput, match=r"crawl\.toml holds a secret, and .*crawl\.key"):
        read_config(file)
    (tmp_path / KEY_NAME).write_text("nonsense")
    with pytest.raises(BadInput, match="is not a valid key"):
        read_config(file)
    save_settings(tmp_path, url, {"keep-secrets": True})
    assert read_config(file)["url"] == url


def test_what_never_began_leaves_no_key_behind(tmp_path: Path) -> None:
    save_settings(tmp_path / "out", "http://ann:hunter-2@shop.test/", {})
    assert (tmp_path / "out" / KEY_NAME).exists()
    delete_settings(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_knows_how_it_was_crawled(tmp_path: Path) -> None:
    (tmp_path / "values.toml").write_text('city = ["Rome"]')
    asked = {
        "max-states": 3,
        "values": str(tmp_path / "values.toml"),
        "deny": ["/x"],
        "out": "elsewhere",
        "pages": None,
    }
    save_settings(tmp_path / "crawl", "http://h/", settings_of(asked))
    kept = tmp_path / "crawl" / SETTINGS_NAME
    assert read_config(kept)["url"] == "http://h/"
    plan = crawl_plan("http://h/", {}, kept)
    assert (plan.limits.states, plan.scope.deny, plan.values) == (3, ("/x",), (("city", ("Rome",)),))
    assert plan.out != Path("elsewhere")


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(BadInput, match="contains other files"):
        save_settings(tmp_path, "http://h/", {})
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("max-states = 'a'", "crawl.toml, line 3: 'max-states' is a whole number, not 'a'."),
        ("deny = '/x'", "line 3: 'deny' is a list of texts"),
        ("read-only = 1", "line 3: 'read-only' is true or false"),
        ("max-time = true", "line 3: 'max-time' is a time"),
        ("mx-states = 1", "line 3 'mx-states': did you mean max-states?"),
        ("url = 1", "line 3: 'url' is a text in quotation marks"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(line: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "crawl.toml"
    path.write_text(f"# mine\n\n{line}\n")
    with pytest.raises(Exception, match="line 3") as raised:
        read_config(path)
    assert said in str(raised.value)
