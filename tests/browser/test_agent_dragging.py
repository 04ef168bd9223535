"""Dragging by pointer moves: which elements are dragged, where to, and that pages with sliders and boards follow."""

import pytest

from statecrawl.politeness.danger import danger_of
from tests.browser.stage import Stage

SLIDER = """<style>.track { position: relative; width: 400px; height: 20px } .thumb { position: absolute; width: 20px;
height: 20px; left: 0 }</style><div id=volume class=track><div class=thumb></div></div><script>
const track = byId('volume'), thumb = track.firstElementChild;
LISTEN
</script>"""
FOLLOW = """const follow = (e) => { thumb.style.left = (e.clientX - track.getBoundingClientRect().left - 10) + 'px'; };
"""
SLIDERS = {
    "moves are followed from the press on": FOLLOW
    + """thumb.addEventListener('mousedown', () => {
      document.addEventListener('mousemove', follow);
      document.addEventListener('mouseup', () => document.removeEventListener('mousemove', follow), { once: true });
    });""",
    "moves are always followed": FOLLOW
    + """let held = false; thumb.onpointerdown = () => { held = true; };
    onpointermove = (e) => { if (held) follow(e); }; onpointerup = () => { held = false; };""",
    "the pointer is captured": FOLLOW
    + """thumb.onpointerdown = (e) => { thumb.setPointerCapture(e.pointerId); };
    thumb.onpointermove = (e) => { if (thumb.hasPointerCapture(e.pointerId)) follow(e); };""",
    "a class hides how it works": FOLLOW
    + """class Slider {
      constructor() { thumb.addEventListener('mousedown', (event) => this._mouseDown(event)); }
      _mouseDown(event) { event.preventDefault(); const off = new AbortController();
        addEventListener('mousemove', follow, off); addEventListener('mouseup', () => off.abort(), off); }
    }; new Slider();""",
    "the track listens for the press": FOLLOW
    + """let held = false; track.addEventListener('pointerdown', () => { held = true; });
    track.addEventListener('pointermove', (e) => { if (held && e.buttons === 1) follow(e); });
    track.addEventListener('pointerup', () => { held = false; });""",
}


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("how", SLIDERS)
async def test_a_slider_is_dragged_to_two_places(stage: Stage, how: str, trusted: bool) -> None:
    view = await stage.show(SLIDER.replace("LISTEN", SLIDERS[how]), trusted=trusted)
    events = await view.events("drag")
    assert events == ["drag div.thumb in div#volume to 25 %", "drag div.thumb in div#volume to 75 %"]
    seen = []
    for event in (events[1], events[0]):
        await view.fire(event)
        style = next(line for line in (await view.look()).normal.split("\x1e") if "\x1f@style\x1f" in line)
        seen.append(style.partition("left: ")[2].partition("px")[0])
    assert seen == ["290", "90"], "the centre of the thumb is at three quarters, then at one quarter"
    assert await view.events("drag") == events


BOARD = """<style>.list { float: left; width: 200px; height: 300px; background: #eee } .card { height: 40px;
margin: 5px; background: #ccc }</style><main id=board><div class=list id=todo><p class=card>one</p><p class=card>two
</p></div><div class=list id=done></div></main><script>
const insert = (card, x, y) => {
  card.style.pointerEvents = 'none';
  const under = document.elementFromPoint(x, y);
  card.style.pointerEvents = '';
  const list = under && under.closest('.list'), other = under && under.closest('.card');
  if (!list) return;
  const after = other && y > other.getBoundingClientRect().top + 20;
  list.insertBefore(card, other ? (after ? other.nextElementSibling : other) : null);
};
LISTEN
</script>"""
BOARDS = {
    "the whole page listens": """(() => {
      let card = null, moved = false;
      const start = (e) => { if (e.buttons === 0) return stop(); moved = true; insert(card, e.clientX, e.clientY); };
      const stop = () => { document.documentElement.removeEventListener('mousemove', start); card = null; };
      document.documentElement.addEventListener('mousedown', function grab(e) {
        const x = e.clientX; card = e.target.closest('p'); if (!card) return;
        listenForMoves(); e.preventDefault();
      });
      function listenForMoves() { document.documentElement.addEventListener('mousemove', start); }
      document.documentElement.addEventListener('mouseup', stop);
    })();""",
    "a bound function listens": """for (const list of document.querySelectorAll('.list')) {
      const sorter = { card: null,
        start(e) { this.card = e.target.closest('.card'); if (this.card) this.card.draggable = true; },
        handleEvent(e) { if (window.carried) { e.preventDefault(); insert(window.carried, e.clientX, e.clientY); } } };
      list.addEventListener('pointerdown', sorter.start.bind(sorter));
      list.addEventListener('dragstart', () => { setTimeout(() => { window.carried = sorter.card; }); });
      list.addEventListener('dragover', sorter);
      list.addEventListener('dragend', () => { window.carried.removeAttribute('draggable'); window.carried = null; });
    }""",
}


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("how", BOARDS)
async def test_a_card_is_dragged_beside_another_and_to_another_list(stage: Stage, how: str, trusted: bool) -> None:
    view = await stage.show(BOARD.replace("LISTEN", BOARDS[how]), trusted=trusted)
    events = await view.events("drag")
    assert events == ["drag p.card in div#todo to the next", "drag p.card in div#todo to div#done in main#board"]
    await view.fire(events[0])
    html = (await view.look()).html
    assert html.index("two") < html.index(">one")
    await view.fire(events[1])
    html = (await view.look()).html
    assert html.index('id="done"') < html.index(">two"), "the first card is in the second list"
    assert html.index(">one") < html.index('id="done"')


async def test_a_canvas_is_drawn_on_with_one_stroke(stage: Stage) -> None:
    view = await stage.show(
        "<canvas id=c width=400 height=200 style='position: fixed; top: 50px'></canvas>"
        "<script>let down = false; const c = byId('c');"
        "c.onmousedown = (e) => { down = true; log('from', e.offsetX, ',', e.offsetY); };"
        "c.onmousemove = (e) => { if (down) window.last = [e.offsetX, e.offsetY]; };"
        "c.onmouseup = () => { down = false; log('to', window.last); };</script>"
    )
    assert await view.events("drag") == ["drag canvas#c to 75 %"]
    assert await view.log("drag canvas#c to 75 %") == ["from100,50", "to300,150"]


async def test_a_splitter_is_dragged_in_what_it_divides(stage: Stage) -> None:
    view = await stage.show(
        "<div style='display: flex; width: 400px; height: 100px'><div id=left style='width: 200px'></div>"
        "<div role=separator tabindex=0 id=split style='width: 6px'></div></div><script>"
        "byId('split').addEventListener('pointerdown', (e) => { const move = (e) => {"
        "byId('left').style.width = e.clientX - 3 + 'px'; }; addEventListener('pointermove', move);"
        "addEventListener('pointerup', () => { removeEventListener('pointermove', move);"
        "log(Math.round(byId('left').offsetWidth / 100)); }, { once: true }); });</script>"
    )
    assert await view.log("drag div#split to 75 %") == ["3"]
    assert await view.log("drag div#split to 25 %") == ["1"]


async def test_things_are_dragged_to_where_they_can_be_dropped(stage: Stage) -> None:
    view = await stage.show(
        "<style>div { width: 80px; height: 60px; margin: 20px }</style><div id=coin class=draggable>coin</div>"
        "<div id=purse class=dropzone>purse</div><script>document.addEventListener('pointerdown', (down) => {"
        "if (!down.target.matches('.draggable')) return; addEventListener('pointerup', (up) => {"
        "const at = document.elementFromPoint(up.clientX, up.clientY); log(at.id, up.clientY > down.clientY); },"
        "{ once: true }); addEventListener('pointermove', () => {}); });</script>"
    )
    assert await view.events("drag") == ["drag div#coin to div#purse"]
    assert await view.log("drag div#coin to div#purse") == ["pursetrue"]


# Pages that do more or less with the pointer, but where nothing is dragged.
ORDINARY = {
    "a ripple": "<button id=b>b</button><script>byId('b').addEventListener('mousedown', (e) => {"
    "const x = e.clientX; log(x); }); addEventListener('mousemove', (e) => { window.x = e.clientX; });</script>",
    "a ripple in an element with a role": "<div role=button id=b>b</div><script>"
    "byId('b').addEventListener('pointerdown', (e) => log(e.clientX));</script>",
    "an element that is pressed": "<div id=d onmousedown='log(1)'>d</div>",
    "a click elsewhere closes a menu": "<ul><li>a</li><li>b</li></ul><ul><li>c</li></ul><script>"
    "document.addEventListener('mousedown', (e) => { if (!e.target.closest('ul')) log(1); })</script>",
    "moves that keep a session alive": "<div id=d onmousedown='log(1)'>d</div><script>"
    "document.addEventListener('mousemove', () => { window.alive = true; })</script>",
    "a rule between two texts": "<p>a</p><div role=separator></div><p>b</p><script>onpointerdown = () => {}</script>",
    "a range, which is a field": "<input type=range id=r onmousedown='log(1)'>",
    "a button that is called like a handle": "<button class=drag-handle id=b onmousedown='log(1)'>b</button>",
}


@pytest.mark.parametrize("what", ORDINARY)
async def test_other_pages_have_no_drags(stage: Stage, what: str) -> None:
    assert await (await stage.show(ORDINARY[what])).events("drag") == []


async def test_no_more_than_one_item_of_a_kind_is_dragged(stage: Stage) -> None:
    cards = "".join(f"<p class=card id=card-{n}>{n}</p>" for n in range(30))
    lists = f"<div class=list id=a>{cards}</div>" + "".join(f"<div class=list id=l{n}></div>" for n in "bcdef")
    view = await stage.show(
        f"{lists}<script>for (const list of document.querySelectorAll('.list'))"
        "list.onpointerdown = (e) => { window.dragged = e.target; }; onpointermove = (e) => e.clientX;</script>"
    )
    assert await view.events("drag") == ["drag p.card in div#a to the next", "drag p.card in div#a to div#lb"]


async def test_an_item_is_dragged_by_its_handle(stage: Stage) -> None:
    row = "<li style='height: 30px'><span class=drag-handle>::</span> {}"
    view = await stage.show(
        f"<ul id=u>{row.format('one')}{row.format('two')}</ul><script>byId('u').addEventListener('mousedown', (e) => {{"
        "const handle = e.target.closest('.drag-handle'); if (!handle) return;"
        "const move = (e) => { window.over = document.elementFromPoint(e.clientX, e.clientY).closest('li'); };"
        "const end = () => { removeEventListener('mousemove', move); log(over === byId('u').lastElementChild); };"
        "addEventListener('mousemove', move); addEventListener('mouseup', end, { once: true }); });</script>"
    )
    assert await view.events("drag") == ["drag li in ul#u to the next"]
    assert await view.log("drag li in ul#u to the next") == ["true"]


async def test_what_is_dropped_where_it_is_deleted_is_dangerous(stage: Stage) -> None:
    html = (
        "<div id=a draggable=true>Pay the bills</div><div id=b ondrop='x()'>Done</div>"
        "<div id=c ondrop='x()'>Delete</div><div id=trash ondrop='x()'></div>"
    )
    seen = await (await stage.show(html)).look()
    dangerous = [event for event, control in zip(seen.events, seen.controls, strict=True) if danger_of(control)]
    assert dangerous == ["drag div#a to div#c", "drag div#a to div#trash"]
