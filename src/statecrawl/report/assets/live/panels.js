'use strict';
// Figures, screenshots and nodes. Elements are reused; only their texts change.

(() => {
  const { el, svg, count, counted, duration } = statecrawl;
  const MEBI = 1 << 20;
  const MOST_ROWS = 60;
  const PICTURES = 6;
  const MOST_LOADING = 4; // screenshots at a time
  const NO_NEWS = 10; // seconds without a new state after which the page says so

  const find = (id) => document.getElementById(id);
  const say = (node, text) => {
    if (node.textContent !== text) node.textContent = text;
  };

  // name, value, note below the value
  const TILES = [
    ['states', (at) => count(at.states), (at) => (at.seconds_without >= NO_NEWS && !at.ended ? `no new state for ${duration(at.seconds_without)}` : '')],
    ['transitions explored', (at) => count(at.transitions), (at) => `of ${count(at.known)} known${at.spare ? `, ${count(at.spare)} left out` : ''}`],
    ['unexplored events', (at) => count(at.queue), (at) => (at.events_per_second > 0 && at.queue ? `at least ${duration(at.queue / at.events_per_second)}` : '')],
    ['events per second', (at) => count(at.events_per_second), () => 'in the last 10 s'],
    ['events fired', (at) => count(at.events), (at) => counted(at.resets, 'reset')],
    ['cost per new state', (at) => (at.cost_per_state === null ? '–' : count(at.cost_per_state)), () => 'events, last 10 states'],
    ['health', (at) => (at.hung + at.crashed ? counted(at.hung + at.crashed, 'problem') : 'healthy'), (at) => health(at)],
  ];

  const health = (at) => {
    const parts = [];
    if (at.hung) parts.push(`${count(at.hung)} hung`);
    if (at.crashed) parts.push(`${count(at.crashed)} crashed`);
    if (at.diverged) parts.push(`${count(at.diverged)} diverged`);
    parts.push(counted(at.pages, at.browsers ? 'page' : 'node'));
    if (at.browsers > 1) parts.push(`${at.browsers} browsers started`);
    if (at.browser_bytes) parts.push(`${count(Math.round(at.browser_bytes / MEBI))} MiB`);
    return parts.join(', ');
  };

  let tiles = null;
  const figures = (at) => {
    if (!tiles) {
      tiles = TILES.map(([name]) => [el('dd', {}), el('dd', { class: 'note' }), name]);
      find('tiles').replaceChildren(...tiles.map(([value, note, name]) => el('div', {}, el('dt', {}, name), value, note)));
    }
    tiles.forEach(([value, note], i) => {
      say(value, TILES[i][1](at));
      say(note, TILES[i][2](at));
    });
  };

  const limitWords = ({ limit, left, most }) => (limit === 'max-time' ? `${duration(left)} of ${duration(most)} left` : `${count(left)} of ${count(most)} ${limit.replace('max-', '')} left`);

  let bar = null, closed = null;
  const progress = (at) => {
    if (!bar) {
      bar = svg('rect', { x: 0, y: 0, width: 0, height: 3, class: 'explored' });
      closed = svg('rect', { y: 0, height: 3, class: 'closed' });
      find('progress').replaceChildren(svg('svg', { viewBox: '0 0 100 3', preserveAspectRatio: 'none', class: 'progress', 'aria-hidden': 'true' }, bar, closed));
    }
    const wanted = at.known - at.spare; // the others are left out
    const share = (part) => (wanted > 0 ? (100 * part) / wanted : 0);
    bar.setAttribute('width', share(at.transitions));
    closed.setAttribute('x', share(at.transitions));
    closed.setAttribute('width', share(Math.max(wanted - at.transitions - at.queue, 0))); // cannot or must not be fired
    say(find('limits'), [...at.limits.map(limitWords), at.parts].filter(Boolean).join(' · '));
  };

  const state = (at, isConnected) => {
    const pill = find('state');
    const doing = at.doing || 'crawling';
    pill.className = 'pill ' + (at.ended ? 'over' : isConnected ? 'on' : 'lost');
    say(pill, at.ended ? `ended: ${at.ended}, after ${duration(at.seconds)}` : isConnected ? `${doing}, ${duration(at.seconds)}` : 'disconnected, retrying');
    say(find('name'), at.application);
    document.title = `${count(at.states)} states — ${at.application}`;
  };

  const key = (model) => {
    const groups = [...model.vertices.values()].filter((vertex) => vertex.states > 1).length;
    const parts = [el('span', { class: 'k-first' }, 'first page'), el('span', { class: 'k-state' }, 'state')];
    if (groups) parts.push(el('span', { class: 'k-group' }, `${count(groups)} groups of states`));
    parts.push(el('span', { class: 'k-share' }, 'filled: share of explored events'), el('span', { class: 'k-new' }, 'new'));
    find('key').replaceChildren(...parts);
  };

  /** Shows the vertex under the pointer. */
  statecrawl.showVertex = (vertex) => {
    const what = vertex ? [vertex.label, vertex.address, counted(vertex.states, 'state'), `${count(vertex.explored)} of ${counted(vertex.enabled, 'event')} explored`].filter(Boolean).join(' · ') : '';
    say(find('details'), what);
  };

  const shown = new Map(); // id of a state whose screenshot was loaded -> [number, element]
  const loading = new Set(); // ids
  const place = () => {
    const newest = [...shown].sort(([, [a]], [, [b]]) => b - a);
    for (const [id] of newest.splice(PICTURES)) shown.delete(id);
    document.querySelector('#pictures .strip').replaceChildren(...newest.map(([, [, element]]) => element));
    find('pictures').hidden = false;
  };

  /** Loads new screenshots. The old ones stay until these are loaded. */
  const pictures = (list) => {
    for (const [id, number, label] of list.slice(0, PICTURES)) {
      if (shown.has(id) || loading.has(id) || loading.size >= MOST_LOADING) continue;
      loading.add(id);
      const image = el('img', { src: `../states/${id}.jpg`, alt: `State ${number}: ${label}`, width: 1280, height: 800, decoding: 'async' });
      const picture = el('span', { class: 'picture' }, image);
      const element = el('li', {}, picture, el('span', { class: 'name', title: label }, el('b', {}, String(number)), ' ' + statecrawl.short(label)));
      image.decode().then(() => {
        statecrawl.showContent(picture, image);
        shown.set(id, [number, element]);
        place();
      }, () => {}).finally(() => loading.delete(id));
    }
  };

  const COLUMNS = [['node', (node) => node.name], ['events/s', (node) => count(node.speed)], ['events', (node) => count(node.events)], ['tasks', (node) => count(node.tasks)], ['resets', (node) => count(node.resets)], ['idle', (node) => `${Math.round(node.idle * 100)} % (${duration(node.idle_seconds)})`], ['last message', (node) => `${duration(node.silent)} ago`], ['current event', (node) => node.at || '–']];
  let rows = [];
  const nodes = (at) => {
    const list = at.nodes.slice(0, MOST_ROWS);
    find('nodes').hidden = !list.length;
    document.body.classList.toggle('by-nodes', list.length > 0);
    if (rows.length !== list.length) {
      rows = list.map(() => COLUMNS.map((_, i) => el('td', { class: i && i < COLUMNS.length - 1 ? 'number' : null })));
      const more = at.nodes.length + at.more - list.length;
      document.querySelector('#nodes .scroll').replaceChildren(
        el('table', {}, el('thead', {}, el('tr', {}, COLUMNS.map(([title], i) => el('th', { scope: 'col', class: i && i < COLUMNS.length - 1 ? 'number' : null }, title)))), el('tbody', {}, rows.map((cells) => el('tr', {}, cells)))),
        more ? el('p', { class: 'soft' }, `and ${count(more)} more`) : '');
    }
    list.forEach((node, row) => COLUMNS.forEach(([, textOf], i) => say(rows[row][i], textOf(node))));
  };

  /** Where the report is: browsers open no local file from this page, so its path is shown to be copied. */
  const reportLine = (path) => {
    if (!path) return el('p', {}, 'No report was requested: ', el('code', {}, 'statecrawl report'), ' writes one.');
    const copy = statecrawl.button('Copy path', () => navigator.clipboard.writeText(path).then(() => say(copy, 'Copied'), () => {}));
    return el('p', {}, 'Report: ', el('code', {}, path), ' ', navigator.clipboard ? copy : null);
  };

  let ending = ''; // what the page says about the end
  const end = (at, isConnected) => {
    const now = at.ended ? 'ended ' + at.ended + statecrawl.live.report : isConnected ? '' : 'lost';
    if (now === ending) return;
    ending = now;
    find('end').hidden = !now;
    if (at.ended) find('end').replaceChildren(el('h2', {}, `The crawl has ended: ${at.ended}`), reportLine(statecrawl.live.report), el('p', { class: 'soft' }, 'This tab keeps what the crawl showed last, until it is closed or reloaded. The next crawl at this address appears here.'));
    else if (now) find('end').replaceChildren(el('h2', {}, 'No connection to the crawl'), el('p', { class: 'soft' }, 'This is what it showed last. If it was stopped, the same command resumes it, and this page continues.'));
  };

  /** Shows the figures; `isConnected` is whether the page receives messages from the crawl. */
  statecrawl.showFigures = (isConnected) => {
    const at = statecrawl.live.figures;
    if (!at) {
      say(find('state'), isConnected ? 'waiting for the crawl to start' : 'disconnected, retrying');
      return;
    }
    state(at, isConnected);
    figures(at);
    progress(at);
    nodes(at);
    key(statecrawl.live);
    end(at, isConnected);
  };
  statecrawl.showPictures = () => pictures(statecrawl.live.pictures);
})();
