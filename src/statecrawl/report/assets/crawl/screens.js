'use strict';
// Screens: what a person would call the pages of the application. States that look alike are folded underneath.

(() => {
  const { el, button, select, search, count, counted, empty } = statecrawl;
  const CARDS = 60;
  const MOST_LISTED = 40; // look-alikes of one screen
  const view = { words: '', order: 'found', shown: CARDS };

  /** The state that stands for a screen: the first one with a screenshot. */
  const shownState = (screen) => screen.states.find((state) => statecrawl.hasPicture(state)) ?? screen.states[0];

  /** Where a screen is: the pattern of its URLs, without the server. */
  const placeOf = (screen) => screen.pattern.replace(/^https?:\/\/[^/]*/i, '') || screen.pattern;

  const severalPlaces = () => statecrawl.model.screens.some((screen) => screen.pattern !== statecrawl.model.screens[0].pattern);

  const marksOf = (screen, number) => {
    const kinds = new Set(screen.states.flatMap((state) => [...statecrawl.model.problems[state]]));
    kinds.delete('refused');
    const refused = statecrawl.model.refused[number];
    return [...statecrawl.marks(screen.states[0], kinds), ...(refused ? [el('span', { class: 'mark refused' }, counted(refused, 'refused control'))] : [])];
  };

  const lookAlikes = (screen, number) => {
    const others = screen.states.slice(1);
    if (!others.length) return null;
    const rest = others.length - MOST_LISTED;
    const list = el('ul', { class: 'links' });
    const fold = el('details', { class: 'fold' }, el('summary', {}, counted(others.length, 'look-alike')), list);
    fold.addEventListener('toggle', () => { // only then, since there may be thousands
      if (!fold.open || list.children.length) return;
      list.append(...others.slice(0, MOST_LISTED).map((state) => el('li', {}, statecrawl.stateLink(state))));
      if (rest > 0) list.append(el('li', {}, el('a', { href: '#/states/' + number }, `and ${count(rest)} more`)));
    });
    return fold;
  };

  /** What is listed below the picture of a screen. */
  const parts = (screen, number) => [partsOf(number), lookAlikes(screen, number)];

  /** The parts of the page on a screen, each with the number of its states there. */
  const partsOf = (number) => {
    const found = statecrawl.model.parts_of_screens[number] || [];
    if (!found.length) return null;
    const states = found.reduce((sum, [, shown]) => sum + shown, 0);
    const list = el('ul', { class: 'links' });
    const fold = el('details', { class: 'fold' }, el('summary', {}, `${counted(found.length, 'part')} with ${counted(states, 'state')}`), list);
    fold.addEventListener('toggle', () => {
      if (fold.open && !list.children.length) list.append(...found.map(([part, shown]) => el('li', {}, statecrawl.partLink(part), el('span', { class: 'soft' }, count(shown)))));
    });
    return fold;
  };

  /** A card with the picture and name of a screen, and what is known about it. */
  const card = (number) => {
    const screen = statecrawl.model.screens[number];
    const [first] = screen.states;
    const marks = marksOf(screen, number);
    return el('li', { class: 'card' },
      el('a', { href: '#/state/' + first }, statecrawl.thumbnail(shownState(screen)), el('span', { class: 'name' }, statecrawl.called(first))),
      severalPlaces() || marks.length ? el('p', { class: 'soft' }, severalPlaces() ? el('span', { class: 'address' }, placeOf(screen)) : null, ' ', marks) : null,
      parts(screen, number));
  };

  /** The first screens, for the overview. */
  statecrawl.screenStrip = (most) => el('ul', { class: 'strip' }, statecrawl.model.screens.slice(0, most).map((screen) =>
    el('li', {}, el('a', { href: '#/state/' + screen.states[0] }, statecrawl.thumbnail(shownState(screen)), el('span', { class: 'caption' }, statecrawl.called(screen.states[0]))),
      screen.states.length > 1 ? el('span', { class: 'soft' }, counted(screen.states.length, 'state')) : null)));

  const matches = (screen) => !view.words || screen.pattern.toLowerCase().includes(view.words) || screen.states.some((state) => statecrawl.called(state).toLowerCase().includes(view.words));

  statecrawl.pages.screens = () => {
    const { model } = statecrawl;
    const place = el('div');
    const summary = el('p', { class: 'soft', 'aria-live': 'polite' });
    const draw = () => {
      const numbers = [...model.screens.keys()].filter((number) => matches(model.screens[number]));
      if (view.order === 'states') numbers.sort((a, b) => model.screens[b].states.length - model.screens[a].states.length);
      const left = numbers.length - view.shown;
      summary.textContent = `${numbers.length < model.screens.length ? `${count(numbers.length)} of ` : ''}${counted(model.screens.length, 'screen')} with ${counted(model.size, 'state')}. A screen is a page as people see it: its states have similar URLs and the same structure.`;
      place.replaceChildren(
        numbers.length ? el('ul', { class: 'cards screens' }, numbers.slice(0, view.shown).map(card)) : empty('No screen matches.'),
        left > 0 ? el('p', { class: 'more' }, button(`Show ${count(Math.min(left, CARDS))} more of ${count(left)}`, () => { view.shown += CARDS; draw(); })) : '');
    };
    const set = (name) => (value) => { view[name] = value; view.shown = CARDS; draw(); };
    draw();
    return [
      el('header', { class: 'head' }, el('h1', {}, 'Screens'), summary),
      el('div', { class: 'tools' },
        search('Search names, URLs', set('words'), view.words),
        select('order', [['found', 'as found'], ['states', 'most states first']], set('order'), view.order)),
      place,
    ];
  };
})();
