'use strict';
// The first page: figures, completeness, the discovery curve, and what is unexplored.

(() => {
  const { el, count, counted, duration, panel } = statecrawl;
  const GALLERY = 8;

  const verdict = (summary) => {
    if (summary.complete) return 'complete';
    if (summary.completeness === 'components') return 'complete, part by part';
    if (summary.completeness === 'bounded') return 'complete, part by part, within bounds';
    if (['complete', 'components', 'bounded'].includes(summary.ended)) return 'explored, but not complete';
    return summary.ended ? 'partially explored' : 'unfinished';
  };

  /** The first sentence: whether the model is complete. */
  const lead = (summary) => {
    if (summary.complete) return 'Every event of every state was fired, and nothing limited what the crawl could see.';
    if (['components', 'bounded'].includes(summary.completeness)) return `${trust(summary.components)} What was left out:`;
    const sentence = summary.ending.charAt(0).toUpperCase() + summary.ending.slice(1);
    return `${sentence}. The model is not complete for ${summary.qualifications.length === 1 ? 'this reason' : `these ${summary.qualifications.length} reasons`}:`;
  };

  /** How far the parts of the page can be trusted to be independent. */
  const trust = (found) => {
    const checked = `${counted(found.independence_checked, 'random check')} found ${counted(found.independence_violated, 'deviation')}`;
    const claim = found.deviating_share < 0.5 ? `; with ${Math.round(100 * found.confidence)} % confidence, fewer than ${(100 * found.deviating_share).toFixed(1)} % of the events left out do something else` : '';
    return `Every event of every part of the page was fired. ${checked}${claim}.`;
  };

  const PARTS = 10; // that are shown at once

  /** The parts of the page that change by themselves, and what was cut. */
  const parts = (model) => {
    const found = model.summary.components;
    if (!model.parts.length) return null;
    const cut = [...new Set(model.parts.flatMap((part) => part.cut))];
    return panel('Parts of the page', el('a', { href: '#/parts' }, `all ${counted(found.components, 'part')} with ${counted(found.component_states, 'state')}`), [
      statecrawl.partList(PARTS),
      cut.length ? el('details', { class: 'cut', open: cut.length <= PARTS }, el('summary', {}, 'What was not distinguished'), el('ul', { class: 'plain-list' }, cut.map((each) => el('li', {}, each)))) : null,
    ]);
  };

  const SHOWN = 6; // qualifications on the first screen; the others are one click away

  const qualification = (each) => el('li', { class: `q-${each.kind}` },
    el('b', {}, each.text.charAt(0).toUpperCase() + each.text.slice(1)),
    each.examples.length ? el('ul', { class: 'examples' }, each.examples.map((example) => el('li', {}, el('code', {}, example))), each.count > each.examples.length ? el('li', { class: 'soft' }, `and ${count(each.count - each.examples.length)} more`) : null) : null);

  const qualifications = (summary) => {
    const all = summary.qualifications;
    if (!all.length) return null;
    return el('section', { class: 'qualifications', 'aria-label': 'What the model does not contain' },
      el('ul', {}, all.slice(0, SHOWN).map(qualification)),
      all.length > SHOWN ? el('details', {}, el('summary', {}, `${counted(all.length - SHOWN, 'more reason')}`), el('ul', {}, all.slice(SHOWN).map(qualification))) : null);
  };

  const tile = (name, value, note) => el('div', {}, el('dt', {}, name), el('dd', {}, value), note ? el('dd', { class: 'note' }, note) : null);

  const tiles = (summary) => {
    const known = summary.transitions + summary.unexplored;
    return el('dl', { class: 'tiles' },
      tile('states', count(summary.states), `on ${counted(statecrawl.model.screens.length, 'screen')}`),
      tile('transitions', count(summary.transitions), known === summary.transitions ? 'all known transitions' : `of ${count(known)} known`),
      tile('events fired', count(summary.events), summary.transitions ? `${(summary.events / summary.transitions).toFixed(1)} per transition` : null),
      tile('resets', count(summary.resets), `one costs as much as ${counted(summary.reset_cost, 'event')}`),
      tile('cost', count(Math.round(summary.cost)), summary.states ? `${count(summary.cost / summary.states)} per state` : null),
      summary.seconds === null ? tile('time', '–', 'not recorded in the journal') : tile('time', duration(summary.seconds), summary.seconds > 0 ? `${count(summary.events / summary.seconds)} events per second` : null));
  };

  const share = (part, all) => (all ? (100 * part) / all : 0);

  /** The share of known events that was explored. */
  const progress = (summary) => {
    const known = summary.transitions + summary.unexplored;
    const spare = summary.components.is_used ? summary.components.spare : 0;
    const open = Math.max(summary.unexplored - summary.closed - spare, 0);
    const parts = [['explored', summary.transitions], ['spare', spare], ['closed', summary.closed], ['open', open]].filter(([, value]) => value > 0);
    const bar = statecrawl.svg('svg', { viewBox: '0 0 100 3', preserveAspectRatio: 'none', class: 'progress', role: 'img' }, statecrawl.svg('title', {}, `${count(summary.transitions)} of ${count(known)} transitions explored`));
    let at = 0;
    for (const [name, value] of parts) {
      const width = Math.max(share(value, known), 0.4);
      bar.append(statecrawl.svg('rect', { x: at, y: 0, width, height: 3, class: name }));
      at += width;
    }
    const names = { explored: 'explored', spare: 'left out: an equal event of the same part was fired', closed: 'cannot or must not be fired', open: 'not explored' };
    return el('div', { class: 'completeness' }, bar, el('p', { class: 'legend' }, parts.map(([name, value]) => el('span', { class: name }, `${count(value)} ${names[name]}`))));
  };

  const left = (model) => {
    const { remaining } = model;
    if (!remaining.length) return statecrawl.empty('None: every event of every state was fired.');
    return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Unexplored events' }, el('table', { class: 'reasons' },
      el('thead', {}, el('tr', {}, ['reason', 'events', 'states', 'remedy'].map((title, i) => el('th', { scope: 'col', class: i === 1 || i === 2 ? 'number' : null }, title)))),
      el('tbody', {}, remaining.map((each) => el('tr', {}, el('td', {}, each.why), el('td', { class: 'number' }, count(each.pairs)), el('td', { class: 'number' }, count(each.states)), el('td', { class: 'soft' }, each.remedy || '–'))))));
  };

  const curves = (model) => {
    const timed = model.summary.seconds !== null && model.summary.seconds > 0;
    const by = (name) => model.curve.map((point) => ({ at: point[name], states: point.states, transitions: point.transitions }));
    return el('div', { class: 'pair' },
      statecrawl.curve(by('events'), { title: 'States and transitions by events', unit: 'events fired', label: count }),
      timed
        ? statecrawl.curve(by('seconds').map((point) => ({ ...point, transitions: null })), { title: 'States by time', unit: 'total time of all runs', label: duration })
        : statecrawl.empty('This journal does not record when states were found: it was written by a simulation or an older release.'));
  };

  const problems = (model) => {
    const errors = (kind) => model.incidents.filter((each) => each.kind === kind).length;
    const failed = (kind) => statecrawl.distinctFailures().filter((each) => each.kind === kind).length;
    const figures = [['exceptions', errors('exception')], ['console errors', errors('console')], ['failed requests', model.endpoints.filter((each) => each.trouble).length], ['nondeterministic events', model.diverged.length], ['hung events', failed('hung')], ['crashed pages', failed('crashed')], ['refused controls', failed('refused')], ['spontaneous changes', model.external.length]];
    return el('ul', { class: 'figures' }, figures.map(([name, value]) => el('li', { class: value ? 'some' : null }, el('a', { href: '#/problems' }, el('b', {}, count(value)), ' ', name))));
  };

  const runs = (summary) => {
    if (summary.runs.length < 2) return null;
    return panel('Runs', null, el('ol', { class: 'runs' }, summary.runs.map((run) => el('li', {}, `run ${run.number}: ${run.ended || 'running or killed'}`, run.seconds ? `, ${duration(run.seconds)}` : ''))));
  };

  statecrawl.pages.overview = () => {
    const { model } = statecrawl;
    const { summary } = model;
    return [
      el('header', { class: 'hero' },
        el('p', { class: 'eyebrow' }, 'Crawl report'),
        el('h1', {}, model.application || 'application', ' ', el('em', { class: summary.completeness === 'partial' ? 'mind' : 'good' }, verdict(summary))),
        el('p', { class: 'lead' }, lead(summary)),
        qualifications(summary),
        model.widget ? el('p', { class: 'lead' }, `${model.widget.charAt(0).toUpperCase()}${model.widget.slice(1)}.`) : null,
        tiles(summary),
        progress(summary)),
      model.size ? panel('Screens', el('a', { href: '#/screens' }, `all ${counted(model.screens.length, 'screen')}`), statecrawl.screenStrip(GALLERY)) : null,
      parts(model),
      panel('Discovery', null, curves(model)),
      panel('Unexplored events', null, left(model)),
      panel('Problems', el('a', { href: '#/problems' }, 'all problems'), problems(model)),
      runs(summary),
      summary.rules.length ? panel('Dynamic content', 'ignored when states are compared; learned by loading pages repeatedly', el('ul', { class: 'plain-list' }, summary.rules.map(([place, what]) => el('li', {}, el('code', {}, place), ' ', what)))) : null,
      panel('Settings', null, el('dl', { class: 'settings' }, summary.configuration.filter(([, value]) => value !== 'none' && value !== 'off').map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))))),
    ];
  };
})();
