'use strict';
// All states, as pictures or as a list.

(() => {
  const { el, button, select, search, check, count, counted, empty } = statecrawl;
  const CARDS = 60;
  const view = { words: '', address: '', kind: '', trouble: '', left: false, as: 'pictures', shown: CARDS };

  const isShown = (state) => {
    const { graph, troubled, unexplored } = statecrawl.model;
    if (view.trouble === 'any' && !troubled[state].size) return false;
    if (view.trouble && view.trouble !== 'any' && !troubled[state].has(view.trouble)) return false;
    if (view.left && !unexplored[state]) return false;
    if (view.address && graph.url_of[state] !== Number(view.address)) return false;
    if (view.kind && !graph.enabled[state].some((event) => graph.kinds[event] === view.kind)) return false;
    if (!view.words) return true;
    const said = [String(state), graph.ids[state], statecrawl.called(state), statecrawl.title(state), statecrawl.url(state)];
    return said.some((text) => text.toLowerCase().includes(view.words)) || graph.enabled[state].some((event) => graph.names[event].toLowerCase().includes(view.words));
  };

  const card = (state) => {
    const { graph } = statecrawl.model;
    return el('li', { class: 'card' },
      el('a', { href: '#/state/' + state }, statecrawl.picture(state), el('span', { class: 'name' }, el('b', {}, String(state)), statecrawl.called(state))),
      el('p', { class: 'soft' }, counted(graph.enabled[state].length, 'event'), graph.depths[state] < 0 ? '' : `, ${graph.depths[state]} deep`, ' ', statecrawl.marks(state)));
  };

  const list = (states) => {
    const { graph, unexplored } = statecrawl.model;
    return statecrawl.table(states, [
      { title: 'state', cell: statecrawl.stateLink, text: (state) => state },
      { title: 'title', cell: statecrawl.title, text: statecrawl.title, wide: true },
      { title: 'address', cell: (state) => el('span', { class: 'address' }, statecrawl.url(state)), text: statecrawl.url, wide: true },
      { title: 'distance', cell: (state) => (graph.depths[state] < 0 ? '–' : graph.depths[state]), text: (state) => graph.depths[state], number: true },
      { title: 'events', cell: (state) => count(graph.enabled[state].length), text: (state) => graph.enabled[state].length, number: true },
      { title: 'not explored', cell: (state) => count(unexplored[state]), text: (state) => unexplored[state], number: true },
      { title: 'trouble', cell: statecrawl.marks, text: (state) => [...statecrawl.model.troubled[state]].join(' ') },
    ], { caption: 'States' });
  };

  statecrawl.pages.states = () => {
    const { graph } = statecrawl.model;
    const place = el('div');
    const told = el('p', { class: 'soft', 'aria-live': 'polite' });
    const draw = () => {
      const states = [...graph.ids.keys()].filter(isShown);
      told.textContent = states.length === graph.ids.length ? counted(states.length, 'state') : `${count(states.length)} of ${counted(graph.ids.length, 'state')}`;
      if (!states.length) place.replaceChildren(empty('No state is like that.'));
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
    const addresses = graph.urls.map((url, number) => [String(number), url]).slice(0, 300);
    draw();
    return [
      el('header', { class: 'head' }, el('h1', {}, 'States'), told),
      el('div', { class: 'tools' },
        search('Search titles, addresses, events', set('words'), view.words),
        addresses.length > 1 ? select('address', [['', 'all'], ...addresses], set('address'), view.address) : null,
        kinds.length > 1 ? select('with event', [['', 'any'], ...kinds.map((kind) => [kind, kind])], set('kind'), view.kind) : null,
        select('trouble', [['', 'with and without'], ['any', 'any'], ['exception', 'exceptions'], ['console', 'console errors'], ['diverged', 'not deterministic'], ['hung', 'hung'], ['crashed', 'crashed'], ['refused', 'refused']], set('trouble'), view.trouble),
        check('not all explored', set('left'), view.left),
        select('show', [['pictures', 'pictures'], ['list', 'a list']], set('as'), view.as)),
      place,
    ];
  };
})();
