"""Files that people write are read, or refused in one sentence."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.config.settings_file import read_table
from statecrawl.errors import BadInput


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.toml", "a = [1]"), ("a.json", '{"a": [1]}'), ("a", ' \n{"a": [1]}'), ("a.txt", "a = [1]")],
)
def test_toml_and_json_are_told_apart_by_how_they_begin(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert read_table(tmp_path / name) == {"a": [1]}


@pytest.mark.parametrize("name", ["a.toml", "a", "a.txt"])
def test_a_table_of_toml_may_come_first(name: str, tmp_path: Path) -> None:
    """It begins like a list of JSON."""
    (tmp_path / name).write_text("[a]\nb = 1")
    assert read_table(tmp_path / name) == {"a": {"b": 1}}


def test_it_nests_too_deep(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text('{"a":' * 100_000)
    with pytest.raises(BadInput, match="is not JSON"):
        read_table(tmp_path / "deep.json")


@settings(deadline=None)
@given(st.binary() | st.text(alphabet='[]{}=:," \na1').map(str.encode))
def test_any_file_is_a_table_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any table"
    path.write_bytes(content)
    try:
        told = read_table(path)
    except BadInput as refusal:
        said = str(refusal)
    else:
        assert isinstance(told, dict)
        return
    assert str(path) in said
    assert said.endswith(".")
