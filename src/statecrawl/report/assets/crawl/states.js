'use strict';
// All states, as screenshots or as a list.

(() => {
  const { el, button, select, search, check, count, counted, empty } = statecrawl;
  const CARDS = 60;
  const view = { words: '', url: '', kind: '', screen: '', problem: '', left: false, as: 'pictures', shown: CARDS };

  const isShown = (state) => {
    const { graph, problems, unexplored, screenOf } = statecrawl.model;
    if (view.problem === 'any' && !problems[state].size) return false;
    if (view.problem && view.problem !== 'any' && !problems[state].has(view.problem)) return false;
    if (view.left && !unexplored[state]) return false;
    if (view.screen && screenOf[state] !== Number(view.screen)) return false;
    if (view.url && graph.url_of[state] !== Number(view.url)) return false;
    if (view.kind && !graph.enabled[state].some((event) => graph.kinds[event] === view.kind)) return false;
    if (!view.words) return true;
    const texts = [String(state), graph.ids[state], statecrawl.called(state), statecrawl.title(state), statecrawl.url(state)];
    return texts.some((text) => text.toLowerCase().includes(view.words)) || graph.enabled[state].some((event) => graph.names[event].toLowerCase().includes(view.words));
  };

  const card = (state) => {
    const { graph } = statecrawl.model;
    return el('li', { class: 'card' },
      el('a', { href: '#/state/' + state }, statecrawl.thumbnail(state), el('span', { class: 'name' }, el('b', {}, String(state)), statecrawl.called(state))),
      el('p', { class: 'soft' }, counted(graph.enabled[state].length, 'event'), graph.depths[state] < 0 ? '' : `, distance ${graph.depths[state]}`, ' ', statecrawl.fewMarks(state)));
  };

  const list = (states) => {
    const { graph, unexplored } = statecrawl.model;
    return statecrawl.table(states, [
      { title: 'state', cell: statecrawl.stateLink, text: (state) => state },
      { title: 'title', cell: statecrawl.title, text: statecrawl.title, wide: true },
      { title: 'URL', cell: (state) => el('span', { class: 'address' }, statecrawl.url(state)), text: statecrawl.url, wide: true },
      { title: 'distance', cell: (state) => (graph.depths[state] < 0 ? '–' : graph.depths[state]), text: (state) => graph.depths[state], number: true },
      { title: 'events', cell: (state) => count(graph.enabled[state].length), text: (state) => graph.enabled[state].length, number: true },
      { title: 'unexplored', cell: (state) => count(unexplored[state]), text: (state) => unexplored[state], number: true },
      { title: 'problems', cell: statecrawl.marks, text: (state) => [...statecrawl.model.problems[state]].join(' ') },
    ], { caption: 'States' });
  };

  statecrawl.pages.states = (screen) => {
    const { graph, screens } = statecrawl.model;
    if (screen !== undefined) view.screen = screen;
    const place = el('div');
    const summary = el('p', { class: 'soft', 'aria-live': 'polite' });
    const draw = () => {
      const states = [...graph.ids.keys()].filter(isShown);
      summary.textContent = states.length === graph.ids.length ? counted(states.length, 'state') : `${count(states.length)} of ${counted(graph.ids.length, 'state')}`;
      if (!states.length) place.replaceChildren(empty('No state matches.'));
      else if (view.as === 'list') place.replaceChildren(list(states));
      else {
        const left = states.length - view.shown;
        place.replaceChildren(
          el('ul', { class: 'cards' }, states.slice(0, view.shown).map(card)),
          left > 0 ? el('p', { class: 'more' }, button(`Show ${count(Math.min(left, CARDS))} more of ${count(left)}`, () => { view.shown += CARDS; draw(); })) : '');
      }
    };
    const set = (name) => (value) => { view[name] = value; view.shown = CARDS; draw(); };
    const kinds = [...new Set(graph.kinds)].sort();
    const urls = graph.urls.map((url, number) => [String(number), url]).slice(0, 300);
    draw();
    return [
      el('header', { class: 'head' }, el('h1', {}, 'States'), summary),
      el('div', { class: 'tools' },
        search('Search titles, URLs, events', set('words'), view.words),
        screens.length > 1 ? select('screen', [['', 'all'], ...screens.map(({ states }, number) => [String(number), statecrawl.called(states[0])]).slice(0, 300)], set('screen'), view.screen) : null,
        urls.length > 1 ? select('URL', [['', 'all'], ...urls], set('url'), view.url) : null,
        kinds.length > 1 ? select('with event', [['', 'any'], ...kinds.map((kind) => [kind, kind])], set('kind'), view.kind) : null,
        select('problem', [['', 'with and without'], ['any', 'any'], ['exception', 'exceptions'], ['console', 'console errors'], ['diverged', 'nondeterministic'], ['hung', 'hung'], ['crashed', 'crashed'], ['refused', 'refused']], set('problem'), view.problem),
        check('with unexplored events', set('left'), view.left),
        select('show', [['pictures', 'screenshots'], ['list', 'list']], set('as'), view.as)),
      place,
    ];
  };
})();
