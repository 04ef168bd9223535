'use strict';
// The page of one state: screenshot, shortest path, events, requests, forms, links and document.

(() => {
  const { el, button, count, counted, panel, empty, table } = statecrawl;
  const LONGEST = 400000; // characters of a document that are shown initially
  const MOST_ARRIVALS = 40;
  const DROPPED = 'script, link, meta, base, iframe, frame, frameset, object, embed, portal, template'; // removed from a preview

  /** Decompresses text. */
  const unpacked = async (packed) => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
  };

  /**
   * Preview of a document. The document is parsed without being shown, everything that could load or run something is
   * removed, and the rest is shown in a sandboxed frame that can run, load and open nothing.
   */
  const preview = (html) => {
    const parsed = new DOMParser().parseFromString(html, 'text/html');
    parsed.querySelectorAll(DROPPED).forEach((element) => element.remove());
    for (const element of parsed.querySelectorAll('*')) {
      for (const { name } of [...element.attributes]) if (/^on|^(?:xlink:)?href$|^src|^action$|^formaction$|^ping$|^poster$|^background$|^data$/i.test(name)) element.removeAttribute(name);
    }
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', '');
    frame.setAttribute('title', 'The document without scripts, images and style sheets');
    frame.className = 'preview';
    frame.srcdoc = '<!doctype html>' + parsed.documentElement.outerHTML;
    return frame;
  };

  const path = (state) => {
    const { graph } = statecrawl.model;
    if (state && graph.before[state] < 0) return empty('No event leads here reliably: the page changed by itself, or an event did not lead to its expected target.');
    const steps = statecrawl.path(state);
    const targets = [...steps.slice(1).map(([at]) => at), state];
    return el('ol', { class: 'way' },
      el('li', {}, 'open the application ', el('a', { class: 'dot', href: '#/state/0', 'aria-label': 'state 0' }, '0')),
      steps.map(([at, position], i) => el('li', { title: statecrawl.eventName(at, position) }, statecrawl.words(at, position), ' ', el('a', { class: 'dot', href: '#/state/' + targets[i], 'aria-label': 'state ' + targets[i] }, String(targets[i])))));
  };

  /** @param leftOut for each event that was left out, the state in which an equal one was fired */
  const outcome = (state, position, leftOut) => {
    const { model } = statecrawl;
    const target = model.graph.targets[state][position];
    const failure = model.failures.get(state + ':' + position);
    const mark = failure ? el('span', { class: 'mark ' + failure.kind }, failure.kind) : null;
    if (target === state) return el('span', { class: 'soft' }, 'stays in this state ', mark);
    if (target >= 0) return [statecrawl.stateLink(target), ' ', mark];
    if (leftOut.has(position)) return el('span', { class: 'soft' }, ['left out: an equal event was fired in ', el('a', { href: '#/state/' + leftOut.get(position) }, `state ${leftOut.get(position)}`)]);
    return failure ? [mark, ' ', failure.reason] : el('span', { class: 'soft' }, 'not explored');
  };

  const events = (state, leftOut) => {
    const { graph } = statecrawl.model;
    const rows = [...graph.enabled[state].keys()];
    return table(rows, [
      { title: 'event', cell: (position) => [el('span', {}, statecrawl.words(state, position)), el('code', { class: 'under' }, statecrawl.eventName(state, position))], text: (position) => statecrawl.eventName(state, position), wide: true },
      { title: 'leads to', cell: (position) => outcome(state, position, leftOut), text: (position) => graph.targets[state][position], wide: true },
    ], { caption: 'Events of this state', hint: 'Search events', none: 'This state has no events.' });
  };

  const arrivals = (state) => {
    const pairs = statecrawl.arrivals()[state].filter(([at]) => at !== state);
    if (!pairs.length) return empty('No explored event of another state.');
    return [
      el('ul', { class: 'links' }, pairs.slice(0, MOST_ARRIVALS).map(([at, position]) => el('li', {}, statecrawl.stateLink(at), el('span', { class: 'soft' }, statecrawl.words(at, position))))),
      pairs.length > MOST_ARRIVALS ? el('p', { class: 'soft' }, `and ${count(pairs.length - MOST_ARRIVALS)} more`) : null,
    ];
  };

  const requests = (state) => {
    const { model } = statecrawl;
    const id = model.graph.ids[state];
    const here = model.endpoints.filter((endpoint) => endpoint.seen.some(([at]) => at === id));
    if (!here.length) return empty('None.');
    return el('ul', { class: 'links' }, here.map((endpoint) => el('li', {}, el('b', { class: 'method' }, endpoint.method), statecrawl.address(endpoint.url), endpoint.trouble ? el('span', { class: 'mark hung' }, endpoint.trouble) : null)));
  };

  const errors = (state) => {
    const here = statecrawl.model.incidents.filter((each) => each.state === state);
    if (!here.length) return empty('None.');
    return el('ul', { class: 'messages' }, here.map((each) => el('li', {}, el('span', { class: 'mark ' + each.kind }, each.kind), el('span', {}, each.text), each.event ? el('span', { class: 'soft' }, 'at ', each.event) : null)));
  };

  const forms = (detail) => detail.forms.length
    ? el('ul', { class: 'forms' }, detail.forms.map((form) => el('li', {}, el('b', { class: 'method' }, form.method.toUpperCase()), statecrawl.address(form.action), el('ul', {}, form.fields.map(([tag, type, name]) => el('li', {}, el('code', {}, tag + (type ? ' ' + type : '')), ' ', name || el('span', { class: 'soft' }, 'unnamed')))))))
    : empty('None.');

  const links = (detail) => detail.links.length
    ? [el('ul', { class: 'links' }, detail.links.map((link) => el('li', {}, statecrawl.address(link)))), detail.more_links ? el('p', { class: 'soft' }, `and ${count(detail.more_links)} more`) : null]
    : empty('None.');

  const dom = (detail) => {
    if (!detail.dom) return empty('The document was not stored.');
    const place = el('div', { class: 'dom' });
    const text = async (whole) => {
      const html = await unpacked(detail.dom);
      const shown = whole ? html : html.slice(0, LONGEST);
      place.replaceChildren(el('pre', { tabindex: '0', 'aria-label': 'The document as text' }, shown), html.length > shown.length ? button(`Show all ${count(html.length)} characters`, () => text(true)) : '');
    };
    const draw = async () => place.replaceChildren(preview(await unpacked(detail.dom)));
    text(false);
    return [el('p', { class: 'tools' }, button('As text', () => text(false)), button('Preview', draw), el('span', { class: 'soft' }, 'The preview runs no scripts and loads nothing from the network.')), detail.cut ? el('p', { class: 'soft' }, 'The page was too large to store in full.') : null, place];
  };

  /** What the parts of the page show in a state. */
  const partsShown = (detail) => {
    if (!detail.parts.length) return null;
    const shown = detail.parts.map(([number, value]) => [number, statecrawl.model.parts[number].shown[value]]);
    return panel('Parts', counted(new Set(detail.parts.map(([number]) => number)).size, 'part'), el('ul', { class: 'links parts-shown' }, shown.map(([number, state]) => el('li', {}, statecrawl.partLink(number), el('span', { class: 'soft' }, state ? state.words : '')))));
  };

  /** How many states look like this one. */
  const screenLine = (state) => {
    const { screens, screenOf } = statecrawl.model;
    const others = screens[screenOf[state]].states.length - 1;
    return others ? el('p', { class: 'soft' }, el('a', { href: '#/states/' + screenOf[state] }, counted(others, 'look-alike')), ' on the same screen') : null;
  };

  statecrawl.pages.state = (name) => {
    const { model } = statecrawl;
    const state = Number(name);
    if (!Number.isInteger(state) || state < 0 || state >= model.size) return empty('This state does not exist.');
    const { graph } = model;
    const later = el('div', { class: 'later' }, empty('…'));
    const list = el('div', {}, events(state, new Map()));
    statecrawl.load(state).then((detail) => {
      if (!detail) {
        later.replaceChildren(empty('Only the journal has information about this state: no details were stored.'));
        return;
      }
      if (detail.left_out.length) list.replaceChildren(events(state, new Map(detail.left_out)));
      later.replaceChildren(
        partsShown(detail) || '',
        el('div', { class: 'pair' }, panel('Forms', count(detail.forms.length), forms(detail)), panel('Links', count(detail.links.length + detail.more_links), links(detail))),
        panel('Document', null, dom(detail)));
    });
    const step = (to, text, label) => (to >= 0 && to < model.size ? el('a', { class: 'button', href: '#/state/' + to, 'aria-label': label }, text) : null);
    return [
      el('header', { class: 'head state-head' },
        el('p', { class: 'steps' }, step(state - 1, '←', 'Previous state'), step(state + 1, '→', 'Next state'), el('a', { class: 'button', href: '#/graph' }, 'Graph')),
        el('h1', {}, el('span', { class: 'number' }, String(state)), statecrawl.called(state)),
        el('p', { class: 'lead' }, statecrawl.title(state) || 'untitled', ' — ', statecrawl.address(statecrawl.url(state))),
        screenLine(state),
        el('p', { class: 'soft' }, el('code', {}, graph.ids[state]), ' ', statecrawl.marks(state))),
      el('div', { class: 'pair top' },
        el('div', { class: 'large' }, statecrawl.picture(state, { loading: 'eager' })),
        panel('Shortest path', graph.depths[state] < 0 ? null : counted(graph.depths[state], 'event'), path(state))),
      panel('Events', counted(graph.enabled[state].length, 'event'), list),
      el('div', { class: 'pair' }, panel('Reached from', null, arrivals(state)), el('div', {}, panel('Requests first made here', null, requests(state)), panel('Errors and messages', null, errors(state)))),
      later,
    ];
  };
})();
