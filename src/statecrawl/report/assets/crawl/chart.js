'use strict';
// The discovery curve: shares of states and transitions over events or time.

(() => {
  const { el, svg, count } = statecrawl;
  const WIDTH = 560, HEIGHT = 268, LEFT = 58, RIGHT = 14, TOP = 14, BOTTOM = 228;

  /** Round tick values for an axis from 0 to `most`. */
  const ticks = (most, wanted) => {
    const rough = most / wanted;
    const power = 10 ** Math.floor(Math.log10(rough || 1));
    const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) || 1;
    const values = [];
    for (let at = 0; at <= most * 1.0001; at += step) values.push(at);
    return values;
  };

  const stairs = (points, x, y) => points.map(([across, up], i) => (i ? 'H' + x(across).toFixed(1) + 'V' : 'M' + x(across).toFixed(1) + ',') + y(up).toFixed(1)).join('');

  /** `points`: [{at, states, transitions}], in order; `transitions` is null if their times are unknown. `label` formats a value of the axis. */
  statecrawl.curve = (points, { title, unit, label }) => {
    const most = Math.max(points[points.length - 1].at, 1e-9);
    const states = Math.max(...points.map((point) => point.states), 1);
    const transitions = Math.max(...points.map((point) => point.transitions), 0);
    const x = (at) => LEFT + ((WIDTH - LEFT - RIGHT) * at) / most;
    const y = (share) => BOTTOM - (BOTTOM - TOP) * share;
    const line = (x1, y1, x2, y2, name) => svg('line', { x1, y1, x2, y2, class: name });
    const words = (at, up, text, anchor) => svg('text', { x: at, y: up, 'text-anchor': anchor }, text);
    const rows = [0, 0.25, 0.5, 0.75, 1].map((share) => [line(LEFT, y(share), WIDTH - RIGHT, y(share), 'grid'), words(LEFT - 8, y(share) + 4, share * 100 + ' %', 'end')]);
    const columns = ticks(most, 5).map((at) => [line(x(at), BOTTOM, x(at), BOTTOM + 4, 'grid'), words(x(at), BOTTOM + 19, label(at), 'middle')]);
    const cursor = line(0, TOP, 0, BOTTOM, 'cursor');
    const readout = el('p', { class: 'readout', 'aria-hidden': 'true' }, '\u00a0');
    const drawing = svg(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', class: 'chart' },
      svg('title', {}, `${title}: ${count(states)} states after ${label(most)}`),
      rows,
      columns,
      words((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, unit, 'middle'),
      transitions ? svg('path', { d: stairs(points.map((point) => [point.at, point.transitions / transitions]), x, y), class: 'curve of-transitions' }) : null,
      svg('path', { d: stairs(points.map((point) => [point.at, point.states / states]), x, y), class: 'curve of-states' }),
      cursor,
    );
    const show = (event) => {
      const box = drawing.getBoundingClientRect();
      const at = Math.min(Math.max((((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT), 0), 1) * most;
      const point = points.filter((each) => each.at <= at).pop() || points[0];
      cursor.setAttribute('x1', x(at));
      cursor.setAttribute('x2', x(at));
      readout.textContent = `${label(at)} — ${count(point.states)} states` + (transitions ? `, ${count(point.transitions)} transitions` : '');
    };
    drawing.addEventListener('pointermove', show);
    drawing.addEventListener('pointerleave', () => {
      cursor.setAttribute('x1', 0);
      cursor.setAttribute('x2', 0);
      readout.textContent = '\u00a0';
    });
    const legend = el('p', { class: 'legend' }, el('span', { class: 'of-states' }, `states, ${count(states)} in total`), transitions ? el('span', { class: 'of-transitions' }, `transitions, ${count(transitions)} in total`) : null);
    return el('figure', {}, el('figcaption', {}, title), legend, drawing, readout);
  };
})();
