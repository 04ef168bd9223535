"""Evidence: what the agent reports about controls before any event is fired."""

from typing import Any

from statecrawl.politeness.control import Control
from tests.browser.stage import Stage


async def controls(stage: Stage, html: str, **settings: Any) -> dict[str, Control]:
    """By the names of events, without the place of their elements."""
    seen = await (await stage.show(html, **settings)).look()
    return {event.partition(" in ")[0]: control for event, control in zip(seen.events, seen.controls, strict=True)}


async def test_links(stage: Stage) -> None:
    found = await controls(
        stage,
        """<a id=a href=/x?y title=T>Go</a><a id=b href=#part>Part</a><a id=c href=/x onclick="f()">Do</a>
        <a id=d href=/x data-method=delete>Do</a>""",
    )
    a = found["click a#a"]
    assert (a.tag, a.words, a.target, a.method, a.is_plain) == ("a", ("Go", "T"), f"{stage.stand.url}x?y", "get", True)
    b = found["click a#b"]
    assert (b.target, b.method, b.is_plain) == (f"{stage.stand.url}#part", "", True)
    assert not found["click a#c"].is_plain
    assert found["click a#d"].method == "delete"


async def test_forms(stage: Stage) -> None:
    found = await controls(
        stage,
        """<form action=/send method=POST><h3>Title</h3><input name=who autocomplete=email required>
        <input type=hidden name=h><input type=password name=p readonly>
        <select name=action><option>Nothing<option value=rm>Delete all</select>
        <input type=radio name=r value=1 checked><input name=k id=k onkeydown="f()">
        <button id=s>Send it</button><button id=t type=button aria-label=Label>x</button>
        <button id=u formaction=/other formmethod=get>Other</button></form>
        <form id=g action=/bare></form>""",
    )
    sent = found["click button#s"]
    fields = ("text who email", "select action", "radio r", "text k")
    assert (sent.target, sent.method, sent.heading) == (f"{stage.stand.url}send", "post", "Title")
    assert sent.fields == fields
    assert sent.options == ("Nothing", "Nothing")
    assert found["click button#t"].words == ("x", "Label")
    other = found["click button#u"]
    assert (other.target, other.method) == (f"{stage.stand.url}other", "get")
    assert other.options == ("rm", "Delete all")  # what the second of the two events chooses
    enter = found["key Enter input#k"]
    assert (enter.key, enter.words, enter.fields) == ("Enter", ("Send it",), fields)
    assert found["submit form#g"].target == f"{stage.stand.url}bare"


async def test_what_a_script_sends(stage: Stage) -> None:
    found = await controls(
        stage,
        """<section><div><input type=password name=old></div><div><input type=password name=new>
        <button id=a onclick="f()">Apply</button></div></section><button id=b onclick="f()">Other</button>""",
    )
    assert found["click button#a"].fields[:1] in (("password old",), ("password new",))


async def test_a_menu_beside_a_form_does_not_send_it(stage: Stage) -> None:
    found = await controls(
        stage,
        """<div><nav><a id=l href=#>language</a></nav><button id=m aria-haspopup=menu>menu</button><form method=post>
        <input type=password name=old><input type=password name=new></form><button id=s>save</button></div>
        <script>for (const id of 'lms') byId(id).onclick = () => log(id)</script>""",
    )
    fields = {event: bool(control.fields) for event, control in found.items() if event.startswith("click")}
    assert (fields["click a#l"], fields["click button#m"], fields["click button#s"]) == (False, False, True)


async def test_what_only_unfolds_a_part_of_the_page(stage: Stage) -> None:
    found = await controls(
        stage,
        """<button id=a aria-expanded=false type=button>Delete</button>
        <div role=tab aria-controls=p id=b onclick="f()">Order</div><div role=tab id=f onclick="f()">Log out</div>
        <details><summary id=c>Post</summary>More</details><button id=d type=button>Delete</button>
        <form action=/x method=post><input name=a><button id=e aria-expanded=false>Send</button></form>""",
    )
    unfolding = {
        name for name in "abcde" for event, control in found.items() if f"#{name}" in event and control.unfolds
    }
    assert unfolding == set("abc")


async def test_headings_and_pictures(stage: Stage) -> None:
    found = await controls(
        stage,
        """<h1>Page</h1><div role=dialog aria-labelledby=t><h2 id=t>Delete account?</h2><button id=a>OK</button></div>
        <button id=b><i class="fa fa-trash"></i></button><button id=c><img src=/x.png alt="Sign out"></button>
        <p id=d onmouseover="f()">much text</p>""",
    )
    assert found["click button#a"].heading == "Delete account?"
    assert (found["click button#b"].icon, found["click button#b"].heading) == ("fa fa-trash", "Page")
    assert found["click button#c"].words == ("Sign out",)
    assert found["hover p#d"] == Control(kind="hover", tag="p")


async def test_selectors_of_the_user(stage: Stage) -> None:
    found = await controls(
        stage,
        """<div class=toolbar><button id=a>a</button></div><button id=b class=x>b</button><div class=x id=host></div>
        <script>byId('host').attachShadow({mode: 'open'}).innerHTML = '<button id=c>c</button>'</script>""",
        agent={"denied": (".toolbar", ".x")},
    )
    assert found["click button#a"].matches == (".toolbar",)
    assert found["click button#b"].matches == (".x",)
    assert next(control for event, control in found.items() if "#c" in event).matches == (".x",)


async def test_pages_cannot_change_the_evidence(stage: Stage) -> None:
    html = """<button id=a>Delete</button><script>
    Object.defineProperty(Object.prototype, 'kind', { get: () => 'hover', set() {} });
    Object.defineProperty(Object.prototype, 'words', { get: () => ['Save'], set() {} });
    Element.prototype.getAttribute = () => 'x'; Element.prototype.closest = () => { throw 1 };
    Map.prototype.get = () => ({ fields: [] }); String.prototype.toLowerCase = () => 'get';
    Array.prototype[Symbol.iterator] = function* () {};</script>"""
    found = await controls(stage, html)
    assert (found["click button#a"].kind, found["click button#a"].words) == ("click", ("Delete",))
