"""Forms: filled in and submitted as one event, as a person would."""

import pytest

from tests.browser.stage import Stage

# A form as a framework makes it: the page stores what is typed, and shows it again.
CONTROLLED = """<form id=f novalidate><label>First name <input name=first required></label>
<label>E-mail <input name=mail type=email required></label><label>Notes <input name=notes></label>
<label><input type=checkbox name=terms required> I agree</label><button BUTTON>Save</button></form><script>
const state = { first: '', mail: '', notes: '' }, form = byId('f'), button = form.querySelector('button');
const render = () => Promise.resolve().then(() => {
  for (const name in state) form.elements[name].value = state[name];
  if (button.dataset.waits) button.disabled = !(state.first && state.mail && form.elements.terms.checked);
});
for (const name in state) {
  form.elements[name].addEventListener('input', (e) => { state[name] = e.target.value; render(); });
}
form.elements.terms.addEventListener('change', render);
form.onsubmit = () => { log(JSON.stringify(state), form.elements.terms.checked); return false; };
</script>"""
SAVE = 'click button "Save" in form#f'
SAVED = '{"first":"Ann","mail":"ann@example.com","notes":""}true'


@pytest.mark.parametrize("button", ["", "disabled data-waits=1"])
async def test_a_form_whose_fields_have_listeners_is_filled_in_and_sent(stage: Stage, button: str) -> None:
    view = await stage.show(CONTROLLED.replace("BUTTON", button))
    assert SAVE in await view.events()
    assert await view.log(SAVE) == [SAVED]


async def test_the_page_may_object_to_what_is_left_empty(stage: Stage) -> None:
    view = await stage.show(CONTROLLED.replace("BUTTON", ""))
    assert await view.log(f"{SAVE} = (empty)") == ['{"first":"","mail":"","notes":""}false']
    waiting = await stage.show(CONTROLLED.replace("BUTTON", "disabled data-waits=1"))
    assert await waiting.events("button") == [SAVE], "nothing enables the button"
    stopped = await stage.show(CONTROLLED.replace("BUTTON", "").replace("novalidate", ""))
    assert await stopped.events("button") == [SAVE], "the browser would stop it, and nothing would happen"
    posted = await stage.show(CONTROLLED.replace("BUTTON", "").replace("novalidate", "novalidate method=post"))
    assert await posted.events("button") == [SAVE], "what may be stored is valid"


async def test_a_real_mouse_sends_a_form_that_is_filled_in(stage: Stage) -> None:
    view = await stage.show(CONTROLLED.replace("BUTTON", ""), trusted=True)
    assert await view.log(SAVE) == [SAVED]


async def test_each_field_with_a_listener_keeps_one_event(stage: Stage) -> None:
    form = "<form><input type=number name=n min=1 max=9 oninput='x()'>{}</form>"
    assert await stage.events(form.format("<button>go</button>")) == [
        "input input[n] in form = 1",
        'click button "go" in form',
        'click button "go" in form = (empty)',
    ]
    both = ["input input[n] in form = 1", "input input[n] in form = 9"]
    assert await stage.events(form.format("")) == both, "nothing else tries the field"
    view = await stage.show(form.format("<button>go</button>"), agent={"values": (("^number", ("2", "3", "4")),)})
    assert [event[-1] for event in await view.events("input input")] == ["2", "3", "4"], "the user wants all of them"


async def test_what_is_in_a_field_stays_there(stage: Stage) -> None:
    view = await stage.show(
        "<form onsubmit='log(this.a.value, this.b.value); return false'><input name=a oninput='x()' value=mine>"
        "<input name=b oninput='x()'><button>go</button></form><script>var x = () => {}</script>"
    )
    assert await view.log('click button "go" in form') == ["minetest"]


REQUIRED = {
    "<input type=checkbox name=a required>": "a=on",
    "<input type=radio name=a value=1 required><input type=radio name=a value=2 required>": "a=1",
    "<select name=a required><option value=''>choose<option value=x>x</select>": "a=x",
    "<select name=a><option value=''>any<option value=x>x</select><input name=b>": "a=x&b=test",
    "<input name=a required oninput='x()'>": "a=test",
    "<input name=a required><input name=b style='display: none' oninput='x()'>": "a=test&b=",
    "<input name=a required pattern='[0-9]{5}' oninput='x()'>": "a=12345",
    "<input name=firstName oninput='x()' required><input name=other oninput='x()'>": "firstName=Ann&other=",
}


@pytest.mark.parametrize("fields", REQUIRED)
async def test_what_must_be_filled_in_is_filled_in(stage: Stage, fields: str) -> None:
    stage.serve("/send", "sent")
    view = await stage.show(
        f"<form action=/send method=post>{fields}<button>go</button></form><script>x = () => {{}}</script>"
    )
    assert await view.events("click button") == ['click button "go" in form'], "what may store something is sent once"
    await view.fire('click button "go" in form')
    [sent] = [asked.body for asked in stage.stand.asked if asked.path == "/send"]
    assert sent == REQUIRED[fields]


async def test_a_form_of_lists_is_sent_with_each_choice(stage: Stage) -> None:
    form = "<form method=post><select name=s><option>a<option>b</select>{}<button>go</button></form>"
    assert await (await stage.show(form.format(""))).events("click") == [
        'click button "go" in form = a',
        'click button "go" in form = b',
    ]
    assert await (await stage.show(form.format("<input name=q>"))).events("click") == ['click button "go" in form']


async def test_a_search_is_tried_with_text_without_and_with_the_most(stage: Stage) -> None:
    stage.serve("/find", "found")
    form = "<form id=f action=/find><input name=q maxlength=6>{}<button>go</button></form>"
    view = await stage.show(form.format(""))
    assert await view.events() == [
        'click button "go" in form#f = test',
        'click button "go" in form#f = testaa',
        'click button "go" in form#f = (empty)',
    ]
    await view.fire('click button "go" in form#f = (empty)')
    assert "/find?q=" in stage.stand.paths
    options = "<select name=s><option>1<option>2<option>3<option>4<option>5</select>"
    assert len(await stage.events(form.format(options))) == 3
    assert len(await stage.events("<form action=/find><input name=q required><button>go</button></form>")) == 1


async def test_what_a_form_was_filled_in_with_is_reported(stage: Stage) -> None:
    view = await stage.show(
        "<form method=post><input name=city oninput='x()'><input type=checkbox required name=c>"
        "<button id=b>go</button></form>"
    )
    seen = await view.look()
    given = dict(zip(seen.events, seen.given, strict=True))
    assert given["click button#b in form"] == (("input[name=city]", "Berlin"), ("input[name=c]", "on"))
