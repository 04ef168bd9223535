"""Controls that style sheets hide until something is hovered or has the focus."""

import pytest

from tests.browser.stage import Stage

ROW = "<ul><li id=r>row <button id=b onclick='log(1)'>x</button></li></ul>"
B = ["click button#b in li#r"]

# Styles of a row and a button in it, and the events.
STYLES = {
    "a row": ("button { display: none } li:hover button { display: inline }", B),
    "whichever is not seen": ("button { visibility: hidden } li:hover button { visibility: visible }", B),
    "inherited": ("li button { visibility: hidden } li { visibility: visible }", []),
    "a list": ("ul ul, #b { display: none } li:hover > ul, li:hover > #b { display: block }", B),
    "any of both": ("button { display: none } li:is(:hover, :focus-within) button { display: inline }", B),
    "anything": ("button { display: none } :hover > button { display: inline }", B),
    "what contains it": ("button { display: none } ul:has(li:hover) button { display: inline }", B),
    "nested": ("li { button { display: none } &:hover button { display: inline } }", B),
    "nested the other way": ("button { display: none; li:hover & { display: inline } }", B),
    "a medium": ("button { display: none } @media screen { li:hover button { display: inline } }", B),
    "another medium": ("button { display: none } @media print { li:hover button { display: inline } }", []),
    "what is supported": ("button { display: none } @supports (color: red) { li:hover button { display: inline } }", B),
    "a layer": ("@layer a { button { display: none } } @layer a { li:hover button { display: inline } }", B),
    "a weaker layer": ("button { display: none } @layer a { li:hover button { display: inline } }", []),
    "a stronger rule": ("#b { display: none } li:hover button { display: inline }", []),
    "one as strong": ("#r #b { display: none } #r:hover .b, #r:hover #b { display: inline }", B),
    "one that comes later": ("li:hover button { display: inline } li.x button, ul li button { display: none }", B),
    "an important one": ("#b { display: none } li:hover button { display: inline !important }", B),
    "another important one": ("button { display: none !important } li:hover #b { display: inline }", []),
    "itself": ("button { display: none } button:hover { display: inline }", []),
    "the opposite": ("button { display: none } li:not(:hover) button { display: inline }", B),
    "an attribute": ("[x] { display: none } li:hover button { display: inline }", B),
    "only how it looks": ("button { display: none } li:hover button { color: red }", []),
    "the focus": ("button { display: none } li:focus-within button { display: inline }", []),  # nothing to focus
}


async def test_a_form_with_a_field_named_style(stage: Stage) -> None:
    style = "form { display: none } div:hover form { display: block }"
    form = "<form><input name=style><button id=b>x</button></form>"
    view = await stage.show(f"<style>{style}</style><div>row{form}</div>")
    assert await view.events() == ["click button#b in form"]


@pytest.mark.parametrize("what", STYLES)
async def test_what_is_revealed_is_an_event(stage: Stage, what: str) -> None:
    style, events = STYLES[what]
    view = await stage.show(f"<style>{style}</style>{ROW}")
    assert await view.events() == events
    assert (await view.look()).hidden == (() if events else ("click button#b in li#r",))


REVEALED = {
    "a sheet of a script": (
        (
            f"{ROW}<script>const s = new CSSStyleSheet(); s.replaceSync('button {{ display: none }} li:hover button"
            " { display: inline }'); document.adoptedStyleSheets = [s]</script>"
        ),
        "click button#b in li#r",
    ),
    "an attribute of the element": (
        f"<style>li:hover button {{ display: inline }}</style>{ROW.replace('<button', '<button hidden')}",
        "click button#b in li#r",
    ),
    "a menu in a menu": (
        (
            "<style>ul ul { display: none } li:hover > ul { display: block }</style>"
            "<ul><li id=a>a<ul id=c><li id=r>r<ul>"
            "<li id=l><button id=b onclick='log(1)'>b</button></ul></ul></ul>"
        ),
        "click button#b in li#l",
    ),
    "a menu that lets the pointer through": (
        (
            "<style>#m { opacity: 0; pointer-events: none } #d:hover #m { opacity: 1; pointer-events: auto }</style>"
            "<div id=d>bar<div id=m><p id=b onclick='log(1)'>b</p></div></div>"
        ),
        "click p#b in div#m",
    ),
    "a hidden menu that lets the pointer through": (
        (
            "<style>#m { visibility: hidden; pointer-events: none } #d:hover { #m { visibility: visible;"
            " pointer-events: auto } }</style><div id=d>bar<div id=m><p id=b onclick='log(1)'>b</p></div></div>"
        ),
        "click p#b in div#m",
    ),
    "a host": (
        (
            "<x-a></x-a><script>customElements.define('x-a', class extends HTMLElement { constructor() { super();"
            "this.attachShadow({ mode: 'open' }).innerHTML = `<style>button { display: none } :host(:hover) button {"
            "display: inline }</style><p>row <button id=b>b</button></p>`;"
            "this.shadowRoot.getElementById('b').onclick = () =>"
            " log(1) } })</script>"
        ),
        "click button#b in x-a",
    ),
    "a shadow root": (
        (
            "<x-a></x-a><script>customElements.define('x-a', class extends HTMLElement { constructor() { super();"
            "this.attachShadow({ mode: 'closed' }).innerHTML = `<style>button { display: none } p:hover button {"
            "display: inline }</style><p id=p>row <button onclick='log(1)'>b</button></p>` } })</script>"
        ),
        'click button "b" in p#p',
    ),
    "a box that keeps itself open": (
        (
            "<style>#m { display: none } #a:hover + #m, #m:hover { display: block }</style>"
            "<p id=a style='margin: 0'>a</p>"
            "<div id=m><button id=b onclick='log(1)'>b</button></div>"
        ),
        "click button#b in div#m",
    ),
    "the focus in a box": (
        (
            "<style>#m { display: none } #d:focus-within #m { display: block }</style>"
            "<div id=d><input type=checkbox id=c>"
            "<div id=m><button id=b onclick='log(1)'>b</button></div></div>"
        ),
        "click button#b in div#m",
    ),
    "the focus of a box": (
        (
            "<style>#m { display: none } #d:focus #m { display: block }</style><div id=d tabindex=0>menu"
            "<p id=m><i id=b onclick='log(1)'>b</i></p></div>"
        ),
        "click i#b in p#m",
    ),
}


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("what", REVEALED)
async def test_what_is_revealed_is_reached(stage: Stage, what: str, trusted: bool) -> None:
    html, event = REVEALED[what]
    view = await stage.show(f"<style>#log {{ position: fixed; right: 0; bottom: 0 }}</style>{html}", trusted=trusted)
    assert event in await view.events()
    assert await view.log(event) == ["1"]


NOT_REACHED = {
    "a box that closes under the pointer": "<style>#m { display: none } #a:hover + #m { display: block }</style>"
    "<p id=a>a</p><div id=m><button id=b>b</button></div>",
    "a box that closes when it is pressed": "<style>#m { display: none } #a:focus + #m { display: block }</style>"
    "<input type=checkbox id=a><div id=m><button id=b>b</button></div>",
    "what takes the focus away": "<style>#m { display: none } #d:focus #m { display: block }</style>"
    "<div id=d tabindex=0>menu<p id=m><button id=b>b</button></p></div>",
    "what is folded": "<style>button { display: none } p:hover button { display: inline }</style>"
    "<details><p>text<button id=b>b</button></p></details>",
    "what is in something hidden": "<style>button { display: none } p:hover button { display: inline }</style>"
    "<div hidden><p>text<button id=b>b</button></p></div>",
}


@pytest.mark.parametrize("what", NOT_REACHED)
async def test_what_no_hand_reaches_is_no_event(stage: Stage, what: str) -> None:
    view = await stage.show(NOT_REACHED[what])
    assert await view.events("#b") == []
    assert [name.partition(" in ")[0] for name in (await view.look()).hidden] == ["click button#b"]


async def test_a_person_hovers_what_reveals_before_clicking(stage: Stage) -> None:
    html = """<style>button { display: none } li:hover button { display: inline }</style>
    <ul><li id=r>row <button id=b>x</button></li></ul><script>
    for (const id of ['r', 'b']) for (const type of ['mouseenter', 'click']) byId(id).addEventListener(type, (e) =>
      log(type, '@', id, e.clientX > 0));
    </script>"""
    view = await stage.show(html)
    told = await view.log("click button#b in li#r")
    assert told == ["mouseenter@rtrue", "mouseenter@btrue", "click@btrue", "click@rtrue"]


@pytest.mark.parametrize("last", [("click", "#go"), ("press", "#word"), ("submit", "#f")])
async def test_the_controls_that_the_log_in_used_are_not_unrevealed(stage: Stage, last: tuple[str, str]) -> None:
    agent = {"login": (("fill", "#word"), last)}
    other = "<form hidden><button id=other onclick='log(1)'>x</button></form>"
    view = await stage.show(f"<form id=f hidden><input id=word><button id=go>go</button></form>{other}", agent=agent)
    assert [name.partition(" in ")[0] for name in (await view.look()).hidden] == ["click button#other"]
    view = await stage.show("<form id=f hidden><button id=go>go</button></form>", agent=agent)
    assert [name.partition(" in ")[0] for name in (await view.look()).hidden] == ["click button#go"], "another form"


@pytest.mark.parametrize(
    ("style", "hidden"), [("", ()), ("label { display: none }", ('click label "words"', "click input#c"))]
)
async def test_a_box_is_not_missed_while_its_label_can_be_seen(
    stage: Stage, style: str, hidden: tuple[str, ...]
) -> None:
    view = await stage.show(f"<style>{style}</style><label for=c>words</label><input type=checkbox id=c hidden>")
    assert (await view.look()).hidden == hidden


@pytest.mark.parametrize(
    "style",
    [
        "#m { pointer-events: none } #d:hover #m { opacity: 1 }",
        "#m { pointer-events: none !important } #d:hover #m { pointer-events: auto }",
        "#m { pointer-events: none } #d:hover { pointer-events: auto }",
        "#m { pointer-events: none } #m:hover { pointer-events: auto }",
    ],
)
async def test_what_lets_the_pointer_through_all_the_same_is_no_event(stage: Stage, style: str) -> None:
    html = "<div id=d>bar<div id=m><p id=b onclick='log(1)'>b</p></div></div>"
    assert await stage.events(f"<style>{style}</style>{html}") == []
