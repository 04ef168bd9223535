'use strict';
// The crawl as stored in data.js, and what is derived from it.

(() => {
  const PICTURE = 1;
  const { el } = statecrawl;
  const chunks = new Map(); // state -> promise of its details
  const waiting = new Map(); // state -> function that receives its details

  /** For each screen, how many refused controls no earlier screen has: most are on every screen. */
  const refusedOn = ({ failed, graph, screens }, screenOf) => {
    const known = new Set();
    const counts = new Array(screens.length).fill(0);
    for (const { kind, state, position } of failed) {
      const name = graph.names[graph.enabled[state][position]];
      if (kind !== 'refused' || known.has(name)) continue;
      known.add(name);
      counts[screenOf[state]] += 1;
    }
    return counts;
  };

  /** Called by data.js. */
  statecrawl.data = (data) => {
    const { graph } = data;
    const size = graph.ids.length;
    const problems = Array.from({ length: size }, () => new Set());
    for (const each of data.incidents) if (each.state >= 0 && (each.kind === 'exception' || each.kind === 'console')) problems[each.state].add(each.kind);
    for (const each of data.failed) problems[each.state].add(each.kind);
    for (const each of data.diverged) problems[each.state].add('diverged');
    const unexplored = graph.targets.map((targets) => targets.filter((target) => target < 0).length);
    const screenOf = new Int32Array(size);
    data.screens.forEach((screen, number) => screen.states.forEach((state) => { screenOf[state] = number; }));
    statecrawl.model = { ...data, size, problems, unexplored, screenOf, refused: refusedOn(data, screenOf), failures: new Map(), arrivals: null };
    for (const each of data.failed) statecrawl.model.failures.set(each.state + ':' + each.position, each);
    statecrawl.show();
  };

  /** Called by states/ID.js. */
  statecrawl.detail = (detail) => {
    const resolve = waiting.get(detail.state);
    waiting.delete(detail.state);
    if (resolve) resolve(detail);
  };

  /** Loads the details of a state; null if there are none. */
  statecrawl.load = (state) => {
    const known = chunks.get(state);
    if (known) return known;
    const id = statecrawl.model.graph.ids[state];
    const promise = new Promise((resolve) => {
      if (!/^[0-9a-f]+$/.test(id)) {
        resolve(null);
        return;
      }
      waiting.set(state, resolve);
      const script = document.createElement('script');
      script.src = 'states/' + id + '.js';
      script.onerror = () => resolve(null);
      document.head.append(script);
    });
    chunks.set(state, promise);
    return promise;
  };

  statecrawl.words = (state, position) => {
    const { graph } = statecrawl.model;
    return graph.words[graph.enabled[state][position]];
  };

  statecrawl.eventName = (state, position) => {
    const { graph } = statecrawl.model;
    return graph.names[graph.enabled[state][position]];
  };

  statecrawl.title = (state) => statecrawl.model.graph.titles[statecrawl.model.graph.title_of[state]];
  statecrawl.url = (state) => statecrawl.model.graph.urls[statecrawl.model.graph.url_of[state]];

  /** The name of a state, after what distinguishes it. */
  statecrawl.called = (state) => statecrawl.model.graph.called[state];

  /** The same without the beginning that the names of all states have. */
  statecrawl.short = (state) => {
    const { called } = statecrawl.model.graph;
    const common = called[0] + ' - ';
    statecrawl.model.isOnePage ??= called.every((name, number) => !number || name.startsWith(common) || name.startsWith(called[0] + ' ('));
    return state && statecrawl.model.isOnePage && called[state].startsWith(common) ? called[state].slice(common.length) : called[state];
  };

  /** A link to a state. */
  statecrawl.stateLink = (state) => {
    if (state < 0) return el('span', { class: 'soft' }, '–');
    return el('a', { class: 'state', href: '#/state/' + state, title: statecrawl.model.graph.ids[state] }, el('b', {}, String(state)), el('span', {}, statecrawl.called(state)));
  };

  statecrawl.hasPicture = (state) => Boolean(statecrawl.model.graph.kept[state] & PICTURE);

  /** The screenshot of a state, or a placeholder. */
  statecrawl.picture = (state, attributes) => {
    const { graph } = statecrawl.model;
    if (!statecrawl.hasPicture(state)) return el('span', { class: 'picture none' }, 'no screenshot');
    const image = el('img', { src: '../states/' + graph.ids[state] + '.jpg', alt: 'State ' + state + ': ' + statecrawl.called(state), width: 1280, height: 800, loading: 'lazy', decoding: 'async', ...attributes });
    image.addEventListener('error', () => image.replaceWith(el('span', { class: 'picture none' }, 'no screenshot')));
    return el('span', { class: 'picture' }, image);
  };

  /** A small screenshot of a state, without what is blank. */
  statecrawl.thumbnail = (state) => {
    const place = statecrawl.picture(state);
    const thumbnail = statecrawl.model.graph.thumbnails[state];
    const image = place.querySelector('img');
    if (!image) return place;
    if (thumbnail) statecrawl.showPart(place, image, ...thumbnail);
    return place;
  };

  /** The pairs [state, position] on the shortest path to a state. */
  statecrawl.path = (state) => {
    const { graph } = statecrawl.model;
    const pairs = [];
    for (let at = state; graph.before[at] >= 0; at = graph.before[at]) pairs.unshift([graph.before[at], graph.by[at]]);
    return pairs;
  };

  /** For each state, the pairs that lead to it. */
  statecrawl.arrivals = () => {
    const { model } = statecrawl;
    if (!model.arrivals) {
      model.arrivals = Array.from({ length: model.size }, () => []);
      model.graph.targets.forEach((targets, state) => targets.forEach((target, position) => {
        if (target >= 0) model.arrivals[target].push([state, position]);
      }));
    }
    return model.arrivals;
  };

  const PROBLEMS = { exception: 'exception', console: 'console error', diverged: 'nondeterministic', hung: 'hung', crashed: 'crashed', refused: 'refused' };
  statecrawl.marks = (state, kinds = statecrawl.model.problems[state]) => [...kinds].map((kind) => el('span', { class: 'mark ' + kind }, PROBLEMS[kind] || kind));

  /** The same without refused events: in a list of states, most have the same ones. */
  statecrawl.fewMarks = (state) => statecrawl.marks(state, [...statecrawl.model.problems[state]].filter((kind) => kind !== 'refused'));
})();
