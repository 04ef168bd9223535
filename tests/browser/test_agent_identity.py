"""Identity: which pages are the same state."""

from typing import Any

import pytest

from tests.browser.stage import Stage

CONTENT: dict[str, Any] = {}  # the usual equivalence
STRUCTURE: dict[str, Any] = {"agent": {"equivalence": "structure"}}
EXACT: dict[str, Any] = {"agent": {"equivalence": "exact"}}

# Two pages each: the same to a person who looks at them and tries what can be done.
ALIKE = {
    "white space": ("<p>one two</p>", "<p>\n  one\n  two </p>\n"),
    "a blank that does not break": ("<p>one two</p>", "<p>one&nbsp;two</p>"),
    "the order of attributes": ("<p title=t lang=de>x</p>", "<p lang=de title=t>x</p>"),
    "comments": ("<p>x</p>", "<!-- made at 12:30 --><p>x</p>"),
    "scripts": ("<p>x</p>", "<p>x</p><script>const when = 5;</script>"),
    "styles": ("<p>x</p>", "<style>b { color: red }</style><p>x</p>"),
    "the order of classes": ("<p class='row on'>x</p>", "<p class=' on row  on\n'>x</p>"),
    "how a style is written": (
        "<p style='display: none; color: red; margin: 0 !important'>x</p>",
        "<p style='color:RED;;margin:1px;display:none;margin:0 0!important;no-such-thing:1'>x</p>",
    ),
    "a style that says nothing": ("<p>x</p>", "<p style='no-such-thing: 1' class=' '>x</p>"),
    "where a caret is drawn": (
        "<div class='layer cursors' style='visibility: hidden'><i class=my-cursor style='left: 3px'></i></div>",
        "<div class='layer cursors'><i class=my-cursor style='left: 9px; top: 1px'></i></div>",
    ),
    "an empty class": ("<p>x</p>", "<p class='' style=''>x</p>"),
    "a nonce": ("<p nonce=a>x</p>", "<p nonce=b>x</p>"),
    "a generated id": ("<p id=ember123>x</p>", "<p id=ember456>x</p>"),
    "random bytes as id": (
        "<button id=h4VJJc0= aria-controls=ZTBoTO8=>x</button>",
        "<button id=d7Yj+4E= aria-controls=tTIyJ/Y=>x</button>",
    ),
    "ids of React": ("<p id=:r1:>x</p>", "<p id=:r2f:>x</p>"),
    "a label for a generated id": (
        "<label for=x-8f3a1b2c>a</label><input id=x-8f3a1b2c>",
        "<label for=x-11aa22bb>a</label><input id=x-11aa22bb>",
    ),
    "a reference to a generated id": ("<p aria-labelledby=radix-001>x</p>", "<p aria-labelledby=radix-002>x</p>"),
    "a token against forgery": (
        "<form action=/x><input type=hidden name=csrf_token value=a></form>",
        "<form action=/x><input type=hidden name=csrf_token value=b></form>",
    ),
    "what a field was born with": ("<input id=i value=a>", "<input id=i><script>byId('i').value = 'a'</script>"),
    "what a box was born with": (
        "<input id=c type=checkbox checked>",
        "<input id=c type=checkbox><script>byId('c').checked = true</script>",
    ),
    "what a list was born with": (
        "<select><option>a<option selected>b</select>",
        "<select><option>a<option>b</select><script>document.querySelector('select').value = 'b'</script>",
    ),
    "the head": (
        "<p>x</p>",
        "<script>document.head.append(Object.assign(document.createElement('meta'), { name: 'x' }))</script><p>x</p>",
    ),
}

DIFFERENT = {
    "texts": ("<p>one</p>", "<p>two</p>"),
    "cases": ("<p>one</p>", "<p>One</p>"),
    "words": ("<p>one two</p>", "<p>onetwo</p>"),
    "where a text ends": ("<p>a<b>b</b></p>", "<p><b>ab</b></p>"),
    "tags": ("<b>x</b>", "<i>x</i>"),
    "nesting": ("<div><p>x</p></div>", "<div></div><p>x</p>"),
    "order": ("<p>a</p><p>b</p>", "<p>b</p><p>a</p>"),
    "attributes": ("<p class=a>x</p>", "<p class=b>x</p>"),
    "which classes": ("<p class='row on'>x</p>", "<p class='row off'>x</p>"),
    "how many classes": ("<p class='row'>x</p>", "<p class='row on'>x</p>"),
    "classes apart": ("<p class='row on'>x</p>", "<p class='row\u00a0on'>x</p>"),
    "declarations": ("<p style='color: red'>x</p>", "<p style='color: blue'>x</p>"),
    "how important a declaration is": ("<p style='color: red'>x</p>", "<p style='color: red !important'>x</p>"),
    "declarations that overrule each other": (
        "<p style='margin: 0; margin-left: 1px'>x</p>",
        "<p style='margin-left: 1px; margin: 0'>x</p>",
    ),
    "variables": ("<p style='--a: 1; margin: var(--a)'>x</p>", "<p style='--a: 1; margin: var(--b)'>x</p>"),
    "what only sounds like a caret": (
        "<p class=cursor-pointer style='left: 3px'></p>",
        "<p class=cursor-pointer style='left: 4px'></p>",
    ),
    "a caret with words": ("<p class=cursor style='left: 3px'>x</p>", "<p class=cursor style='left: 4px'>x</p>"),
    "which attribute": ("<p lang=x>x</p>", "<p title=x>x</p>"),
    "an id that was given": ("<p id=menu>x</p>", "<p id=body>x</p>"),
    "an id that only ends like Base64": ("<p id='filter='>x</p>", "<p id='column='>x</p>"),
    "a hidden field": ("<input type=hidden name=step value=1>", "<input type=hidden name=step value=2>"),
    "what is in a field": ("<input id=i value=a>", "<input id=i value=b>"),
    "what is in a text": ("<textarea>a</textarea>", "<textarea>b</textarea>"),
    "ticks": ("<input type=checkbox>", "<input type=checkbox checked>"),
    "choices": ("<select><option>a<option>b</select>", "<select><option>a<option selected>b</select>"),
    "what can be done": ("<p>x</p>", "<p>x</p><script>document.querySelector('p').onclick = () => {}</script>"),
    "what can be done by a key": ("<p>x</p>", "<p>x</p><script>onkeydown = (e) => e.key === 'Enter'</script>"),
    "what can be reached": ("<button>x</button>", "<button disabled>x</button>"),
    "titles": ("<p>x</p>", "<p>x</p><script>document.title = 'other'</script>"),
    "shadows": (
        "<div id=h></div>",
        "<div id=h></div><script>byId('h').attachShadow({ mode: 'closed' }).innerHTML = 'x'</script>",
    ),
    "frames": ("<iframe srcdoc='<p>a'></iframe>", "<iframe srcdoc='<p>b'></iframe>"),
    "a frame's inside by script": (
        "<iframe></iframe>",
        "<iframe></iframe><script>document.querySelector('iframe').contentDocument.body.append('x')</script>",
    ),
    "modal dialogs": (
        "<i><a href=/>x</a></i><dialog open>x</dialog>",
        "<i><a href=/>x</a></i><dialog>x</dialog><script>document.querySelector('dialog').showModal()</script>",
    ),
}


@pytest.mark.parametrize("what", ALIKE)
async def test_one_state(stage: Stage, what: str) -> None:
    one, other = ALIKE[what]
    assert await stage.state(one) == await stage.state(other)


@pytest.mark.parametrize("what", DIFFERENT)
async def test_two_states(stage: Stage, what: str) -> None:
    one, other = DIFFERENT[what]
    assert await stage.state(one) != await stage.state(other)


SAME_STRUCTURE = ("texts", "attributes", "what is in a field", "titles", "a hidden field")
OTHER_STRUCTURE = ("tags", "nesting", "ticks", "which attribute", "what can be done", "what can be reached")


@pytest.mark.parametrize("what", [*SAME_STRUCTURE, *OTHER_STRUCTURE])
async def test_structure_leaves_out_what_is_written(stage: Stage, what: str) -> None:
    one, other = DIFFERENT[what]
    assert (await stage.state(one, **STRUCTURE) == await stage.state(other, **STRUCTURE)) == (what in SAME_STRUCTURE)


async def test_structure_names_events_without_words(stage: Stage) -> None:
    assert await stage.events("<button>one</button><button>two</button>", **STRUCTURE) == [
        "click button",
        "click button #2",
    ]


EXACTLY = (
    "white space",
    "comments",
    "a generated id",
    "a token against forgery",
    "a nonce",
    "scripts",
    "an empty class",
    "the order of classes",
    "how a style is written",
)


@pytest.mark.parametrize("what", EXACTLY)
async def test_exact_leaves_out_nothing(stage: Stage, what: str) -> None:
    one, other = ALIKE[what]
    assert await stage.state(one, **EXACT) != await stage.state(other, **EXACT)
    assert await stage.state(one, **EXACT) == await stage.state(one, **EXACT)
