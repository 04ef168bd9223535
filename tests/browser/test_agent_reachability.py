"""Reachability: only what a person can reach has events."""

import pytest

from tests.browser.stage import Stage

# -- what nobody can reach --

UNREACHABLE = {
    "disabled": "<button disabled>no</button>",
    "disabled fieldset": "<fieldset disabled><input id=no><select id=no2><option>1<option>2</select></fieldset>",
    "aria-disabled": "<div aria-disabled=true onclick='x()'>no</div>",
    "hidden": "<button hidden>no</button>",
    "display": "<div style='display: none'><button>no</button></div>",
    "visibility": "<div style='visibility: hidden'><button>no</button></div>",
    "content-visibility": "<div style='content-visibility: hidden'><button>no</button></div>",
    "closed details": "<details><summary aria-disabled=true>s</summary><button>no</button></details>",
    "closed dialog": "<dialog><button>no</button></dialog>",
    "popover": "<div popover><button>no</button></div>",
    "inert": "<div inert><button>no</button><div><a href=/x>no</a></div></div>",
    "template": "<template><button>no</button></template>",
    "noscript": "<noscript><button>no</button></noscript>",
    "pointer-events": "<p style='pointer-events: none' onclick='x()'>no <b>no</b></p>",
    "pointer-events and tabindex": "<button style='pointer-events: none' tabindex=-1>no</button>",
    "inert frame": "<iframe inert srcdoc='<button>no</button>'></iframe>",
    "frame in what is inert": "<div inert><iframe srcdoc='<button>no</button>'></iframe></div>",
    "hidden frame": "<iframe style='display: none' srcdoc='<button>no</button>'></iframe>",
    "invisible frame": "<iframe style='visibility: hidden' srcdoc='<button>no</button>'></iframe>",
    "inert shadow": (
        "<div id=h inert></div><script>byId('h').attachShadow({mode: 'open'}).innerHTML = '<button>no</button>"
        "'</script>"
    ),
}


@pytest.mark.parametrize("why", UNREACHABLE)
async def test_unreachable_elements_have_no_events(stage: Stage, why: str) -> None:
    assert await stage.events(f"{UNREACHABLE[why]}<button>yes</button>") == ['click button "yes"']


async def test_what_the_keyboard_or_a_part_makes_reachable_has_events(stage: Stage) -> None:
    html = "<style>* { pointer-events: none }</style><button id=a>a</button><p id=b tabindex=0 onclick='x()'>b</p>"
    html += "<p id=c onclick='x()'>c <b style='pointer-events: auto'>d</b></p>"
    html += "<p style='display: contents' id=e onclick='x()'>e</p>"
    assert await stage.events(html) == ["click button#a", "click p#b", "click p#c"]
    assert "click p#e" in await stage.events(html.replace("none }", "auto }"))


async def test_only_a_modal_dialog_can_be_used_while_it_is_open(stage: Stage) -> None:
    view = await stage.show(
        "<button id=open onclick='d.showModal()'>open</button><iframe srcdoc='<button>behind</button>'></iframe>"
        "<dialog id=d><button id=further onclick='e.showModal()'>further</button>"
        "<button id=close onclick='d.close()'>close</button></dialog>"
        "<dialog id=e><button id=done onclick='e.close()'>done</button></dialog>"
        "<script>const d = byId('d'), e = byId('e'); addEventListener('keydown', (e) => e.key === 'x');</script>"
    )
    start = await view.events()
    assert start == ["click button#open", 'click button "behind" in iframe', "key x"]
    await view.fire("click button#open")
    assert await view.events() == ["click button#further in dialog#d", "click button#close in dialog#d"]
    await view.fire("click button#further in dialog#d")
    assert await view.events() == ["click button#done in dialog#e"]
    await view.fire("click button#done in dialog#e", "click button#close in dialog#d")
    assert await view.events() == start


async def test_a_dialog_that_is_not_modal_leaves_the_rest_as_it_is(stage: Stage) -> None:
    assert await stage.events("<button id=a>a</button><dialog open><button id=b>b</button></dialog>") == [
        "click button#a",
        "click button#b in dialog",
    ]


async def test_the_dialog_opened_last_is_on_top_wherever_it_stands(stage: Stage) -> None:
    view = await stage.show(
        "<dialog id=e><button id=x>x</button></dialog><dialog id=d><button id=y onclick='e.showModal()'>y</button>"
        "<iframe srcdoc='<button>z</button>'></iframe></dialog>"
        "<my-box></my-box><script>d.showModal(); customElements.define('my-box', class extends HTMLElement { show() {"
        "const root = this.attachShadow({mode: 'closed'}); root.innerHTML = '<dialog><button>s</button></dialog>';"
        "root.firstChild.showModal(); } }); byId('x').onclick = () => document.querySelector('my-box').show();</script>"
    )
    assert await view.events() == ["click button#y in dialog#d", 'click button "z" in iframe']
    await view.fire("click button#y in dialog#d")
    assert await view.events() == ["click button#x in dialog#e"]
    await view.fire("click button#x in dialog#e")
    assert await view.events() == ['click button "s" in dialog']


async def test_a_modal_dialog_in_a_frame_covers_the_frame_alone(stage: Stage) -> None:
    frame = (
        "<button>covered</button><dialog><button>above</button></dialog><script>"
        "document.querySelector('dialog').showModal()</script>"
    )
    assert await stage.events(f'<iframe srcdoc="{frame}"></iframe><button>beside</button>') == [
        'click button "above" in dialog',
        'click button "beside"',
    ]


async def test_what_becomes_reachable_is_found_then(stage: Stage) -> None:
    view = await stage.show(
        "<button id=a onclick='byId(\"b\").hidden = false'>a</button><button id=b hidden>b</button>"
    )
    assert await view.events() == ["click button#a"]
    await view.fire("click button#a")
    assert await view.events() == ["click button#a", "click button#b"]
