"""Which events are on containers, and which containers are alike."""

from tests.browser.stage import Stage

PAGE = """<style>.card { cursor: pointer }</style>
<section id=s>some text <ul><li class='x y'><button id=a>a</button></li><li class='y x'><button id=b>b</button></li>
<li class=z><button id=c>c</button></li></ul></section>
<p id=p>nothing in it</p><div class=card><button id=d>d</button></div>
<div id=n onmouseenter='log(1)'><i id=i>i</i></div>
<script>
const nothing = (e) => log(0);
for (const li of document.querySelectorAll('li')) li.addEventListener('dblclick', nothing);
for (const each of document.querySelectorAll('section, p, .card')) each.addEventListener('dblclick', (e) => nothing(e));
byId('i').onclick = nothing;
</script>"""


async def test_containers_are_reported_with_a_template_of_what_they_are(stage: Stage) -> None:
    view = await stage.show(PAGE)
    seen = await view.look()
    told = {seen.events[place]: template for place, template in seen.containers}
    assert list(told) == [
        "dblclick section#s",
        'dblclick li "a" in section#s',
        'dblclick li "b" in section#s',
        'dblclick li "c" in section#s',
        "hover div#n",
    ]
    first, second, third = (told[f'dblclick li "{name}" in section#s'] for name in "abc")
    assert first == second != third
    assert len(set(told.values())) == 4
