'use strict';
// The first page: what was found, how complete it is, how it was found, and what is left.

(() => {
  const { el, count, counted, duration, panel } = statecrawl;
  const GALLERY = 8;

  const verdict = (summary) => {
    if (summary.complete) return 'complete';
    if (summary.ended === 'complete') return 'explored, but not complete';
    return summary.ended ? 'explored in part' : 'not ended';
  };

  /** The first sentence: whether one may rely on the model, and why not. */
  const lead = (summary) => {
    if (summary.complete) return 'Every event of every state was fired, and nothing kept the crawl from seeing the application as it is.';
    const sentence = summary.ending.charAt(0).toUpperCase() + summary.ending.slice(1);
    return `${sentence}. ${summary.qualifications.length === 1 ? 'One reason keeps' : `${summary.qualifications.length} reasons keep`} the model from being complete:`;
  };

  const SHOWN = 6; // qualifications on the first screen; the others are one click away

  const qualification = (each) => el('li', { class: `q-${each.kind}` },
    el('b', {}, each.text),
    each.examples.length ? el('ul', { class: 'examples' }, each.examples.map((example) => el('li', {}, el('code', {}, example))), each.count > each.examples.length ? el('li', { class: 'soft' }, `and ${count(each.count - each.examples.length)} more`) : null) : null);

  const qualifications = (summary) => {
    const all = summary.qualifications;
    if (!all.length) return null;
    return el('section', { class: 'qualifications', 'aria-label': 'Why the model is not complete' },
      el('ul', {}, all.slice(0, SHOWN).map(qualification)),
      all.length > SHOWN ? el('details', {}, el('summary', {}, `${counted(all.length - SHOWN, 'more reason')}`), el('ul', {}, all.slice(SHOWN).map(qualification))) : null);
  };

  const tile = (name, value, note) => el('div', {}, el('dt', {}, name), el('dd', {}, value), note ? el('dd', { class: 'note' }, note) : null);

  const tiles = (summary) => {
    const known = summary.transitions + summary.unexplored;
    return el('dl', { class: 'tiles' },
      tile('states', count(summary.states)),
      tile('transitions', count(summary.transitions), known === summary.transitions ? 'all that are known' : `of ${count(known)} known`),
      tile('events fired', count(summary.events), summary.transitions ? `${(summary.events / summary.transitions).toFixed(1)} for each transition` : null),
      tile('resets', count(summary.resets), `one costs as much as ${counted(summary.reset_cost, 'event')}`),
      tile('cost', count(Math.round(summary.cost)), summary.states ? `${count(summary.cost / summary.states)} for each state` : null),
      summary.seconds === null ? tile('time', '–', 'not in the journal') : tile('time', duration(summary.seconds), summary.seconds > 0 ? `${count(summary.events / summary.seconds)} events a second` : null));
  };

  const share = (part, all) => (all ? (100 * part) / all : 0);

  /** How much of what is known was explored. */
  const progress = (summary) => {
    const known = summary.transitions + summary.unexplored;
    const open = summary.unexplored - summary.closed;
    const parts = [['explored', summary.transitions], ['closed', summary.closed], ['open', open]].filter(([, value]) => value > 0);
    const bar = statecrawl.svg('svg', { viewBox: '0 0 100 3', preserveAspectRatio: 'none', class: 'progress', role: 'img' }, statecrawl.svg('title', {}, `${count(summary.transitions)} of ${count(known)} transitions explored`));
    let at = 0;
    for (const [name, value] of parts) {
      const width = Math.max(share(value, known), 0.4);
      bar.append(statecrawl.svg('rect', { x: at, y: 0, width, height: 3, class: name }));
      at += width;
    }
    const names = { explored: 'explored', closed: 'cannot or must not be fired', open: 'not explored' };
    return el('div', { class: 'completeness' }, bar, el('p', { class: 'legend' }, parts.map(([name, value]) => el('span', { class: name }, `${count(value)} ${names[name]}`))));
  };

  const left = (model) => {
    const { remaining } = model;
    if (!remaining.length) return statecrawl.empty('Nothing: every event of every state was fired.');
    return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'What was not explored' }, el('table', { class: 'reasons' },
      el('thead', {}, el('tr', {}, ['why', 'events', 'in states', 'what helps'].map((title, i) => el('th', { scope: 'col', class: i === 1 || i === 2 ? 'number' : null }, title)))),
      el('tbody', {}, remaining.map((each) => el('tr', {}, el('td', {}, each.why), el('td', { class: 'number' }, count(each.pairs)), el('td', { class: 'number' }, count(each.states)), el('td', { class: 'soft' }, each.remedy || '–'))))));
  };

  const curves = (model) => {
    const timed = model.summary.seconds !== null && model.summary.seconds > 0;
    const by = (name) => model.curve.map((point) => ({ at: point[name], states: point.states, transitions: point.transitions }));
    return el('div', { class: 'pair' },
      statecrawl.curve(by('events'), { title: 'Found after so many events', unit: 'events fired', told: count }),
      timed
        ? statecrawl.curve(by('seconds').map((point) => ({ ...point, transitions: null })), { title: 'Found after so much time', unit: 'time of all runs', told: duration })
        : statecrawl.empty('This journal does not tell when states were found: a simulation wrote it, or an older release.'));
  };

  const troubles = (model) => {
    const errors = (kind) => model.incidents.filter((each) => each.kind === kind).length;
    const failed = (kind) => model.failed.filter((each) => each.kind === kind).length;
    const figures = [['exceptions', errors('exception')], ['console errors', errors('console')], ['requests that failed', model.endpoints.filter((each) => each.trouble).length], ['not deterministic', model.diverged.length], ['hung', failed('hung')], ['crashed', failed('crashed')], ['refused', failed('refused')], ['moved by itself', model.external.length]];
    return el('ul', { class: 'figures' }, figures.map(([name, value]) => el('li', { class: value ? 'some' : null }, el('a', { href: '#/trouble' }, el('b', {}, count(value)), ' ', name))));
  };

  const runs = (summary) => {
    if (summary.runs.length < 2) return null;
    return panel('Runs', null, el('ol', { class: 'runs' }, summary.runs.map((run) => el('li', {}, `run ${run.number}: ${run.ended || 'killed, or goes on'}`, run.seconds ? `, ${duration(run.seconds)}` : ''))));
  };

  statecrawl.pages.overview = () => {
    const { model } = statecrawl;
    const { summary, graph } = model;
    const shown = graph.ids.map((_, state) => state).filter((state) => graph.kept[state] & 1).slice(0, GALLERY);
    return [
      el('header', { class: 'hero' },
        el('p', { class: 'eyebrow' }, 'A crawl, state by state'),
        el('h1', {}, model.application || 'an application', ' ', el('em', { class: summary.complete ? 'good' : 'mind' }, verdict(summary))),
        el('p', { class: 'lead' }, lead(summary)),
        qualifications(summary),
        model.widget ? el('p', { class: 'lead' }, `${model.widget.charAt(0).toUpperCase()}${model.widget.slice(1)}.`) : null,
        tiles(summary),
        progress(summary)),
      shown.length ? panel('What it looks like', el('a', { href: '#/states' }, `all ${counted(model.size, 'state')}`), el('ul', { class: 'strip' }, shown.map((state) => el('li', {}, el('a', { href: '#/state/' + state }, statecrawl.picture(state), el('span', {}, statecrawl.called(state))))))) : null,
      panel('How it was found', null, curves(model)),
      panel('What was not explored, and why', null, left(model)),
      panel('Trouble', el('a', { href: '#/trouble' }, 'all of it'), troubles(model)),
      runs(summary),
      summary.rules.length ? panel('Left out as dynamic content', 'learnt by comparing loads', el('ul', { class: 'plain-list' }, summary.rules.map(([place, what]) => el('li', {}, el('code', {}, place), ' ', what)))) : null,
      panel('How it was asked for', null, el('dl', { class: 'settings' }, summary.configuration.filter(([, value]) => value !== 'none' && value !== 'off').map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))))),
    ];
  };
})();
