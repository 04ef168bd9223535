"""Data in scripts: whatever a page has said, it stays inside of one string."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.report.crawl.files import INDEX, SCRIPTS, assets, called

CALL = re.compile(rb'f\(JSON\.parse\((?P<text>"(?:[^"\\\n]|\\.)*")\)\);\n')


ANYTHING: st.SearchStrategy[object] = st.recursive(
    st.text(st.characters(codec=None)) | st.integers(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(ANYTHING)
def test_a_script_is_one_call_with_one_string(data: object) -> None:
    script = called("f", data)
    found = CALL.fullmatch(script)
    assert found is not None
    assert not re.search(rb"[<>&]|[^\x20-\x7e\n]", script)
    assert json.loads(json.loads(found["text"])) == data


def test_what_ends_a_script_does_not() -> None:
    script = called("f", {"__proto__": "</script><!--\u2028\ud800"})
    assert b"</" not in script
    assert b"\\u003c/script\\u003e" in script


def test_the_page_names_every_script() -> None:
    files = dict(assets())
    page = files[INDEX].decode()
    named = re.findall(r'src="assets/([^"]+)"', page)
    assert sorted(named) == sorted([*SCRIPTS, "cytoscape.min.js"])
    assert all(f"assets/{name}" in files for name in named)
    assert not re.search(r"https?:", page), "nothing is loaded from anywhere"
    assert "unsafe-eval" not in page
    own = b"".join(content for name, content in files.items() if name.removeprefix("assets/") in SCRIPTS)
    assert not re.search(rb"\.innerHTML|outerHTML =|insertAdjacentHTML|document\.write|eval\(|new Function", own)
