"""Virtual time: timers run at once and in order, and the clock advances by a fixed amount at each event."""

import time

import pytest

from tests.browser.slow_server import IN_TIME, serve_answers
from tests.browser.stage import Stage

# -- virtual time --


async def test_timers_run_in_the_order_of_their_times(stage: Stage) -> None:
    view = await stage.show(
        "<iframe srcdoc='<script>setTimeout(() => top.log(250), 250)</script>'></iframe><script>"
        "addEventListener('load', () => {"
        "setTimeout(log, 300, 300); setTimeout(log, 200, 200); setTimeout(() => { log(100);"
        " setTimeout(log, 50, 150); }, 100);"
        "const gone = setTimeout(log, 10, 'gone'); clearTimeout(gone);"
        " const gone2 = setInterval(log, 10, 'gone'); clearInterval(gone2);"
        "setTimeout(log, 0, 'first'); setTimeout(log, 0, 'second'); setTimeout(log, -5, 'third');"
        " setTimeout(log, NaN, 'fourth'); });</script>"
    )
    told = await view.log()
    assert [word for word in told if word != "250"] == [
        "first",
        "second",
        "third",
        "fourth",
        "100",
        "150",
        "200",
        "300",
    ]
    assert "250" in told


async def test_a_day_passes_in_no_time_and_what_is_beyond_the_horizon_never_comes(stage: Stage) -> None:
    html = "<button id=b onclick='setTimeout(log, 9999, 1); setTimeout(log, 10001, 2)'>b</button>"
    view = await stage.show(html)
    begun = time.perf_counter()
    assert await view.log("click button#b") == ["1"]
    assert time.perf_counter() - begun < IN_TIME
    view = await stage.show(html, agent={"horizon": 60_000})
    assert await view.log("click button#b") == ["1", "2"]


BOUNDED = {
    "setInterval(() => { n += 1; }, 1000)": range(9, 12),  # until the horizon
    "setInterval(() => { n += 1; }, 1)": range(100, 101),
    "const f = () => { n += 1; setTimeout(f, 1000); }; f()": range(9, 12),
    "const f = () => { n += 1; setTimeout(f); }; f()": range(100, 102),
    "const f = () => { n += 1; requestAnimationFrame(f); }; f()": range(100, 102),
    "const f = () => { n += 1; requestIdleCallback(f); }; f()": range(100, 102),
    "const f = () => { n += 1; setTimeout(() => f(), 5); }; f()": range(100, 2002),
    "for (let i = 0; i < 5000; i += 1) setTimeout(() => { n += 1; }, i)": range(2000, 2001),
}


@pytest.mark.parametrize("script", BOUNDED)
async def test_what_would_go_on_for_ever_is_cut_short(stage: Stage, script: str) -> None:
    view = await stage.show(
        f"<button id=b>b</button><script>let n = 0; byId('b').onclick = () => {{ {script} }};"
        " byId('log').onclick = () => log(n)</script>"
    )
    begun = time.perf_counter()
    await view.fire("click button#b")
    assert time.perf_counter() - begun < IN_TIME
    (count,) = await view.log("click pre#log")
    # the second event lets the same again run as long, after it was counted
    assert int(count) in BOUNDED[script]


async def test_an_interval_that_ends_itself(stage: Stage) -> None:
    view = await stage.show(
        "<button id=b>b</button><script>byId('b').onclick = () => { let n = 0; const i = setInterval(() => { log(++n);"
        "if (n === 3) clearInterval(i); }, 700); }</script>"
    )
    assert await view.log("click button#b") == ["1", "2", "3"]


async def test_an_answer_is_not_overtaken_by_a_time_out(stage: Stage) -> None:
    serve_answers(stage)
    view = await stage.show(
        "<button id=b>b</button><script>byId('b').onclick = async () => { const late = new Promise((_, no) =>"
        " setTimeout(no, 50, 'too late'));"
        "await Promise.race([fetch('/late').then((r) => r.text()), late]).then(log, log);"
        " setTimeout(log, 10, 'after'); }</script>"
    )
    assert await view.log("click button#b") == ["late", "after"]


async def test_time_stands_still_while_the_server_thinks(stage: Stage) -> None:
    serve_answers(stage)
    view = await stage.show(
        "<button id=b>b</button><script>byId('b').onclick = async () => { const t = performance.now();"
        " await fetch('/late');"
        "log(performance.now() - t); await new Promise((r) => setTimeout(r, 2000)); log(performance.now() - t);"
        " }</script>"
    )
    assert await view.log("click button#b") == ["0", "2000"]


async def test_a_slow_server_is_waited_for(stage: Stage) -> None:
    stage.serve_late("/slow", "slow", 1.0)
    view = await stage.show("<button id=b onclick=\"fetch('/slow').then((r) => r.text()).then(log)\">b</button>")
    assert await view.log("click button#b") == ["slow"]


# -- time between events --

STAMPS = "<button id=stamp onclick='log(Date.now() - born)'>stamp</button><script>var born = Date.now()</script>"


@pytest.mark.parametrize("trusted", [False, True])
async def test_time_passes_between_events(stage: Stage, trusted: bool) -> None:
    view = await stage.show(STAMPS, trusted=trusted)
    assert await view.log("click button#stamp") == ["1000"]
    assert await view.log("click button#stamp", "click button#stamp") == ["2000", "3000"]
    await view.reset()
    assert await view.log("click button#stamp") == ["1000"]


async def test_how_much_time_passes_can_be_set(stage: Stage) -> None:
    view = await stage.show(STAMPS, agent={"step": 61_000})
    assert await view.log("click button#stamp", "click button#stamp") == ["61000", "122000"]


@pytest.mark.parametrize("trusted", [False, True])
async def test_the_clock_goes_on_in_the_next_document(stage: Stage, trusted: bool) -> None:
    page = "<a id=next href=/next>next</a><script>log(Date.now() - 1700000000000, performance.now())</script>"
    stage.serve("/next", page)
    view = await stage.show(page, trusted=trusted)
    assert await view.text() == "00"
    await view.fire("click a#next")
    assert await view.text() == "10001000"
    await view.fire("click a#next")
    assert await view.text() == "20002000"


async def test_what_is_ignored_when_it_happens_twice_at_a_time(stage: Stage) -> None:
    view = await stage.show(
        "<button id=turn>turn</button><p id=face>0</p><script>let face = 0, before = 0; byId('turn').onclick = () => {"
        "if (Date.now() - before < 400) return; before = Date.now(); face = (face + 1) % 4;"
        " byId('face').textContent = face; }</script>"
    )
    walked = await view.fire(*["click button#turn"] * 4)
    assert len(set(walked.states)) == 4
    assert walked.landed == view.landing.state
