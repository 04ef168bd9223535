'use strict';
// Parts of the page: what each of them shows, where that can be seen, and which events lead there.

(() => {
  const { el, count, counted, panel, empty, search } = statecrawl;
  const FEW = 5; // states of a part among others
  const FLAT = 5; // width to height
  const ALIKE = 1; // parts beside each other that are told as one

  /** A link to a part. */
  statecrawl.partLink = (number) => el('a', { href: '#/parts/' + number }, statecrawl.model.parts[number].name);

  /** How many states a part has. */
  const size = (part) => `${counted(part.values, 'state')}${part.alike > ALIKE ? ` of ${count(part.alike)} equal parts` : ''}`;

  /** The place of a part in the page, in small print. */
  const place = (part) => (part.place ? el('code', { class: 'place' }, part.place.replaceAll('>', ' > ')) : null);

  /** The first parts, for the overview. */
  statecrawl.partList = (most) => {
    const { parts } = statecrawl.model;
    return el('ul', { class: 'part-list' }, parts.slice(0, most).map((part, number) => el('li', {},
      el('a', { class: 'part-name', href: '#/parts/' + number }, part.name), ' ', el('span', { class: 'soft' }, size(part)),
      el('p', { class: 'soft shows' }, part.shown.slice(0, 3).map((state) => el('span', {}, state.words))))));
  };

  const crop = (shown) => {
    if (!shown.picture || !statecrawl.hasPicture(shown.state)) return null;
    const place = statecrawl.picture(shown.state);
    const image = place.querySelector('img');
    if (image) statecrawl.showPart(place, image, ...shown.picture);
    return place;
  };

  /** What led to a state of a part. */
  const way = (each, part, number) => el('li', {},
    el('a', { href: '#/state/' + each.state }, each.event),
    each.part >= 0 && each.part !== number ? [' in ', statecrawl.partLink(each.part)] : null,
    each.before >= 0 && part.values > 2 ? el('span', { class: 'soft' }, [' from ', part.shown[each.before].words]) : null);

  const shownState = (shown, part, number) => el('li', { class: 'card' },
    el('a', { href: '#/state/' + shown.state }, crop(shown), el('span', { class: 'name' }, shown.words)),
    el('p', { class: 'soft' }, `in ${counted(shown.states, 'state')}`),
    shown.ways.length ? el('ul', { class: 'ways' }, shown.ways.map((each) => way(each, part, number))) : null);

  /** Whether pictures of a part need more width than others to be read. */
  const isFlat = (part) => part.shown.some(({ picture }) => picture && picture[2][2] > FLAT * picture[2][3]);

  const section = (number, isAlone) => {
    const part = statecrawl.model.parts[number];
    const shown = isAlone ? part.shown : part.shown.slice(0, FEW);
    const more = part.values - shown.length;
    return el('section', { class: 'panel part', id: 'part-' + number },
      el('h2', {}, part.name, el('span', {}, size(part))),
      place(part),
      part.cut.map((each) => el('p', { class: 'lead' }, each.startsWith(part.name + ': ') ? each.slice(part.name.length + 2) : each)),
      el('ul', { class: isFlat(part) ? 'cards part-states flat' : 'cards part-states' }, shown.map((each) => shownState(each, part, number))),
      more > 0 ? el('p', { class: 'more' }, isAlone ? `and ${counted(more, 'more state')}` : el('a', { href: '#/parts/' + number }, `and ${counted(more, 'more state')}`)) : null);
  };

  const MOST = 20; // sections that are shown at once
  const view = { words: '', shown: MOST };
  const matches = (part) => !view.words || [part.name, part.place, ...part.shown.map((each) => each.words)].some((text) => text.toLowerCase().includes(view.words));

  statecrawl.pages.parts = (chosen) => {
    const { parts } = statecrawl.model;
    if (!parts.length) return [el('header', { class: 'head' }, el('h1', {}, 'Parts of the page')), empty('This crawl went state by state: it did not divide the page into parts.')];
    const number = chosen === undefined || chosen === '' ? -1 : Number(chosen);
    if (parts[number]) return [el('p', { class: 'steps' }, el('a', { class: 'button', href: '#/parts' }, 'All parts')), section(number, true)];
    const list = el('div');
    const draw = () => {
      const numbers = [...parts.keys()].filter((each) => matches(parts[each]));
      const left = numbers.length - view.shown;
      list.replaceChildren(
        ...(numbers.length ? numbers.slice(0, view.shown).map((each) => section(each, false)) : [empty('No part matches.')]),
        left > 0 ? el('p', { class: 'more' }, statecrawl.button(`Show ${count(Math.min(left, MOST))} more of ${count(left)}`, () => { view.shown += MOST; draw(); })) : '');
    };
    draw();
    return [
      el('header', { class: 'head' }, el('h1', {}, 'Parts of the page'), el('p', { class: 'soft' }, `${counted(parts.length, 'part')}. A part changes on its own: each event of it was fired once for each of its states, wherever that was cheapest.`)),
      el('div', { class: 'tools' }, search('Search names, states', (words) => { view.words = words; view.shown = MOST; draw(); }, view.words)),
      list,
    ];
  };
})();
