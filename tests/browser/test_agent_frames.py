"""Frames, shadow roots, and parts of the page that come and go."""

import pytest

from statecrawl.ports.page import Ending
from tests.browser.stage import Stage, noted

# -- places --


async def test_frames_within_frames(stage: Stage) -> None:
    stage.serve("/outer", "<button id=b>outer</button><iframe id=inner src=/inner></iframe>")
    stage.serve(
        "/inner", "<div id=d>inner</div><script>byId('d').addEventListener('click', () => top.log('inner'))</script>"
    )
    view = await stage.show("<iframe id=outer src=/outer></iframe>")
    assert await view.events() == ["click button#b in iframe#outer", "click div#d in iframe#inner"]
    assert await view.log("click div#d in iframe#inner") == ["inner"]


async def test_frames_without_an_address(stage: Stage) -> None:
    view = await stage.show(
        "<iframe id=s srcdoc='<button id=b onclick=parent.log(1)>b</button>'></iframe><iframe id=w></iframe>"
        "<script>const d = byId('w').contentDocument; d.body.innerHTML = '<p id=p>p</p>';"
        "d.getElementById('p').onclick = () => log(2);</script>"
    )
    assert await view.log(*await view.events()) == ["1", "2"]


async def test_a_delegated_listener_in_a_frame_is_about_the_frame(stage: Stage) -> None:
    frame = "<p class=x>in</p><script>document.onclick = (e) => e.target.matches('.x') && parent.log(1)</script>"
    view = await stage.show(f'<p class=x>out</p><iframe srcdoc="{frame}"></iframe>')
    assert await view.events() == ['click p "in" in iframe']
    assert await view.log('click p "in" in iframe') == ["1"]


async def test_a_frame_of_another_origin_is_a_boundary(stage: Stage) -> None:
    stage.serve("/stranger", "<button>stranger</button>")
    view = await stage.show(f"<iframe src={stage.stand.other}stranger></iframe><button>own</button>")
    assert await view.events() == ['click button "own"']
    assert noted(view.landing, "boundary") == [f"{stage.stand.other}stranger"]
    assert "/stranger" in stage.stand.paths


async def test_a_sandboxed_frame_is_another_origin(stage: Stage) -> None:
    view = await stage.show("<iframe sandbox=allow-scripts srcdoc='<button>no</button>'></iframe><button>own</button>")
    assert await view.events() == ['click button "own"']


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_shadow_roots(stage: Stage, mode: str) -> None:
    view = await stage.show(
        "<my-card><i slot=s onclick='log(3)'>slotted</i></my-card><script>"
        "customElements.define('my-card', class extends HTMLElement {"
        f"connectedCallback() {{ const root = this.attachShadow({{mode: '{mode}'}});"
        "root.innerHTML = '<button>b</button><slot name=s></slot><div></div>'; root.firstChild.onclick = () => log(1);"
        f"const inner = root.lastChild.attachShadow({{mode: '{mode}'}}); inner.innerHTML = '<p class=row>p</p><p>"
        "no</p>';"
        "inner.addEventListener('click', (e) => e.target.matches('.row') && log(2)); } })</script>"
    )
    events = await view.events()
    assert events == ['click button "b" in my-card', 'click p "p" in my-card', 'click i "slotted" in my-card']
    assert await view.log(*events) == ["1", "2", "3"]


async def test_a_listener_at_a_slot_is_about_what_is_shown_there(stage: Stage) -> None:
    view = await stage.show(
        "<my-list><p>one</p><p>two</p></my-list><script>"
        "const root = document.querySelector('my-list').attachShadow({mode: 'open'}); root.innerHTML = '<slot></slot>';"
        "root.firstChild.addEventListener('click', (e) => log(e.target.textContent));</script>"
    )
    events = await view.events()
    assert events == ['click p "one" in my-list', 'click p "two" in my-list']
    assert await view.log(*events) == ["one", "two"]


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_declarative_shadow_roots(stage: Stage, mode: str) -> None:
    html = f"<my-card><template shadowrootmode={mode}><button onclick='log(1)'>b</button></template></my-card>"
    internals = (
        "<script>customElements.define('my-card', class extends HTMLElement { constructor() { super();"
        " this.attachInternals(); } })</script>"
    )
    view = await stage.show(html + internals)
    assert await view.events() == ['click button "b" in my-card']
    assert await view.log('click button "b" in my-card') == ["1"]


async def test_what_scripts_add_later_counts(stage: Stage) -> None:
    view = await stage.show(
        "<main></main><script>const add = (word) => { const b = document.createElement('button');"
        " b.textContent = word; "
        "b.onclick = () => log(word); document.querySelector('main').append(b); }; setTimeout(add, 3000, 'late');"
        "fetch('/more').then((r) => r.text()).then(add)</script>"
    )
    assert await view.events() == ['click button "nothing here" in main', 'click button "late" in main']
    assert await view.log('click button "late" in main') == ["late"]


async def test_what_an_event_takes_away_is_gone(stage: Stage) -> None:
    view = await stage.show("<button id=a>a</button><button id=b onclick='byId(\"a\").remove()'>b</button>")
    await view.fire("click button#b")
    walked = await view.walk("click button#a")
    assert (walked.why, walked.done) == (Ending.GONE, 0)
