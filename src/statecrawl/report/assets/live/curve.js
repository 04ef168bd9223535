'use strict';
// The discovery curve of a running crawl: states and transitions, each with its own axis, over events or time.

(() => {
  const { el, svg, button, count, duration } = statecrawl;
  const WIDTH = 460, HEIGHT = 240, LEFT = 44, RIGHT = 52, TOP = 12, BOTTOM = 204;
  const EVERY_MS = 500;
  const SECONDS = 0, EVENTS = 1, STATES = 2, TRANSITIONS = 3; // their indices in a point
  const NOUNS = { [SECONDS]: 'time', [EVENTS]: 'events' };

  let by = EVENTS;
  let last = 0, waiting = 0;

  /** A round upper bound of an axis, and its ticks. */
  const axis = (most, steps) => {
    const rough = Math.max(most, 1) / steps;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max([1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough), most < 1 ? 0.25 : 0);
    return { most: step * steps, ticks: Array.from({ length: steps + 1 }, (_, i) => i * step) };
  };
  const short = (value) => (value >= 10000 ? count(value / 1000) + 'k' : count(value));

  const drawn = (points) => {
    const across = Math.max(points[points.length - 1][by], 1e-9);
    const states = axis(Math.max(...points.map((point) => point[STATES])), 4), transitions = axis(Math.max(...points.map((point) => point[TRANSITIONS])), 4);
    const x = (at) => LEFT + ((WIDTH - LEFT - RIGHT) * at) / across;
    const y = (value, scale) => BOTTOM - (BOTTOM - TOP) * (value / scale.most);
    const path = (what, scale) => points.map((point, i) => (i ? 'L' : 'M') + x(point[by]).toFixed(1) + ',' + y(point[what], scale).toFixed(1)).join('');
    const words = (at, up, text, anchor, name) => svg('text', { x: at, y: up, 'text-anchor': anchor, class: name }, text);
    const label = by === SECONDS ? duration : (at) => short(Math.round(at));
    const rows = states.ticks.map((value, i) => [
      svg('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value, states), y2: y(value, states), class: 'grid' }),
      words(LEFT - 7, y(value, states) + 4, short(value), 'end', 'of-states'),
      words(WIDTH - RIGHT + 7, y(value, states) + 4, short(transitions.ticks[i]), 'start', 'of-transitions')]);
    const columns = [0, 0.5, 1].map((share) => words(x(share * across), BOTTOM + 18, label(share * across), share === 0 ? 'start' : share === 1 ? 'end' : 'middle'));
    const area = path(STATES, states) + `L${x(across).toFixed(1)},${BOTTOM}L${x(points[0][by]).toFixed(1)},${BOTTOM}Z`;
    return svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', class: 'chart' },
      svg('title', {}, `${count(points[points.length - 1][STATES])} states after ${label(across)}${by === EVENTS ? ' events' : ''}`),
      rows, columns, words((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, by === EVENTS ? 'events fired' : 'time in this run', 'middle'),
      svg('path', { d: area, class: 'area' }),
      svg('path', { d: path(TRANSITIONS, transitions), class: 'curve of-transitions' }),
      svg('path', { d: path(STATES, states), class: 'curve of-states' }));
  };

  const show = () => {
    const { points, figures } = statecrawl.live;
    const place = document.getElementById('curve');
    last = performance.now();
    waiting = 0;
    if (!figures) return;
    const all = [...points, [figures.seconds, figures.events, figures.states, figures.transitions]];
    const choice = [EVENTS, SECONDS].map((each) => button(NOUNS[each], () => { by = each; show(); }, { 'aria-pressed': String(by === each) }));
    const legend = el('p', { class: 'legend' }, el('span', { class: 'of-states' }, 'states'), el('span', { class: 'of-transitions' }, 'transitions'));
    const focused = place.contains(document.activeElement);
    place.replaceChildren(el('div', { class: 'head' }, el('h2', {}, 'Discovery'), el('div', { class: 'choice', role: 'group', 'aria-label': 'x axis' }, choice)), drawn(all), legend);
    if (focused) place.querySelector('[aria-pressed="true"]').focus();
  };

  /** Schedules drawing the curve, at most once per interval. */
  statecrawl.drawCurve = () => {
    if (waiting) return;
    waiting = setTimeout(show, Math.max(EVERY_MS - (performance.now() - last), 0));
  };
})();
