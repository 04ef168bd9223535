'use strict';
// The graph page. Cytoscape draws it; clusters.js, layout.js and labels.js decide what is drawn, and where.

(() => {
  const { el, button, select, search, check, count, counted } = statecrawl;
  const BUSY = 400; // edges; if there are more, only the shortest paths are drawn by default
  const MOST_LISTED = 60;
  const LONGEST_LABEL = 26;
  const FEW = 16; // vertices, whose labels may be longer
  const LONGEST_OF_FEW = 44;
  const LEAST_BARE = 0.8; // of the size that the drawing would have without labels

  /** Search, filters and selection; they survive a visit to other pages. */
  const view = { words: '', url: '', kind: '', depth: '', problems: false, grouping: '', shape: 'radial', all: null, open: new Set(), chosen: '' };

  const colours = () => {
    const style = getComputedStyle(document.documentElement);
    return Object.fromEntries(['ink', 'soft', 'faint', 'panel', 'accent', 's0', 's1', 's3', 's4', 's5'].map((name) => [name, style.getPropertyValue('--' + name).trim()]));
  };

  const styleOf = (colour) => [
    { selector: 'node', style: { width: 'data(size)', height: 'data(size)', 'background-color': colour.s3, label: 'data(label)', color: colour.ink, 'font-family': 'system-ui, sans-serif', 'text-valign': 'bottom', 'text-margin-y': 5, 'text-wrap': 'wrap', 'text-background-color': colour.panel, 'text-background-opacity': 0.7, 'text-background-padding': 2 } },
    { selector: 'node.east', style: { 'text-halign': 'right', 'text-valign': 'center', 'text-margin-x': 5, 'text-margin-y': 0 } },
    { selector: 'node.west', style: { 'text-halign': 'left', 'text-valign': 'center', 'text-margin-x': -5, 'text-margin-y': 0 } },
    { selector: 'node.above', style: { 'text-valign': 'top', 'text-margin-y': -5 } },
    { selector: 'node.mute', style: { label: '' } },
    { selector: 'node.group', style: { 'background-color': colour.s4, 'border-width': 4, 'border-color': colour.s4, 'border-opacity': 0.3, 'font-weight': 600 } },
    { selector: 'node.first', style: { 'background-color': colour.ink } },
    { selector: 'node.left', style: { 'background-opacity': 0.45, 'border-width': 2, 'border-style': 'dashed', 'border-color': colour.s1, 'border-opacity': 1 } },
    { selector: 'node.problem', style: { 'background-color': colour.s0 } },
    { selector: 'edge', style: { width: 'data(width)', 'line-color': colour.soft, opacity: 0.16, 'curve-style': 'straight', 'target-arrow-shape': 'none', events: 'no' } },
    { selector: 'edge.tree', style: { opacity: 0.7, 'target-arrow-shape': 'triangle', 'target-arrow-color': colour.soft, 'arrow-scale': 0.8 } },
    { selector: 'edge.hidden', style: { display: 'none' } },
    { selector: 'node.match, node:selected', style: { label: 'data(label)', 'z-index': 10 } },
    { selector: 'node.match', style: { 'border-width': 5, 'border-color': colour.s1, 'border-opacity': 1, 'border-style': 'solid' } },
    { selector: '.faded', style: { opacity: 0.12, 'text-opacity': 0.25 } },
    { selector: 'edge.out', style: { display: 'element', opacity: 0.95, 'line-color': colour.s3, 'target-arrow-color': colour.s3, 'target-arrow-shape': 'triangle', 'z-index': 9 } },
    { selector: 'edge.in', style: { display: 'element', opacity: 0.8, 'line-color': colour.s5, 'target-arrow-color': colour.s5, 'target-arrow-shape': 'triangle', 'z-index': 8 } },
    { selector: 'node:selected', style: { 'border-width': 6, 'border-color': colour.accent, 'border-opacity': 1, 'border-style': 'solid' } },
  ];

  const isShown = (state) => {
    const { graph, problems } = statecrawl.model;
    if (view.problems && !problems[state].size) return false;
    if (view.depth !== '' && graph.depths[state] > Number(view.depth)) return false;
    return !view.url || statecrawl.url(state).toLowerCase().includes(view.url);
  };

  /** Whether a state matches the search. */
  const matches = (state) => {
    const { graph } = statecrawl.model;
    const texts = [String(state), graph.ids[state], statecrawl.called(state), statecrawl.title(state), statecrawl.url(state)];
    return texts.some((text) => text.toLowerCase().includes(view.words));
  };

  const sizeOf = (vertex) => (vertex.states.length > 1 ? 26 + 5 * Math.log2(vertex.states.length) : 22);
  const labelOf = (vertex, longest) => {
    const label = vertex.label.length > longest ? vertex.label.slice(0, longest - 1) + '…' : vertex.label;
    return vertex.states.length > 1 ? `${label}\n${counted(vertex.states.length, 'state')}` : label;
  };

  let drawn = null; // {cytoscape, vertices, edges}

  const build = (canvas, onSelect) => {
    const { graph } = statecrawl.model;
    const states = [...graph.ids.keys()].filter(isShown);
    const vertices = statecrawl.vertices(states, view.grouping, (id) => view.open.has(id));
    const edges = statecrawl.edges(vertices, (event) => !view.kind || graph.kinds[event] === view.kind);
    const root = Math.max(vertices.findIndex((vertex) => vertex.states.includes(0)), 0);
    const gap = vertices.length ? Math.max(...vertices.map(sizeOf)) + 40 : 0;
    const stretch = Math.min(Math.max(canvas.clientWidth / canvas.clientHeight, 0.8), 1.8);
    const places = statecrawl.layout(vertices.length, edges, root, { shape: view.shape, gap, stretch });
    const sides = statecrawl.labelSides(places, edges, root, view.shape);
    const branches = new Map();
    edges.forEach((edge) => { if (edge.tree) branches.set(edge.from, (branches.get(edge.from) || 0) + 1); });
    const all = view.all === null ? edges.length <= BUSY : view.all;
    const elements = vertices.map((vertex, number) => ({
      group: 'nodes',
      data: { id: 'v' + number, number, label: labelOf(vertex, vertices.length > FEW ? LONGEST_LABEL : LONGEST_OF_FEW), size: sizeOf(vertex), side: sides[number], weight: vertex.states.length + (branches.get(number) || 0) },
      position: places[number],
      classes: classesOf(vertex),
    }));
    edges.forEach((edge, number) => elements.push({
      group: 'edges',
      data: { id: 'e' + number, source: 'v' + edge.from, target: 'v' + edge.to, width: 1 + Math.log2(edge.count) * 0.6 },
      classes: edge.tree ? 'tree' : all ? '' : 'hidden',
    }));
    if (drawn) drawn.cytoscape.destroy();
    const made = cytoscape({
      container: canvas,
      elements,
      style: styleOf(colours()),
      layout: view.shape === 'force' && vertices.length <= 300
        ? { name: 'cose', animate: false, randomize: false, nodeRepulsion: () => 40000, idealEdgeLength: () => 80, numIter: 400 }
        : { name: 'preset', padding: 40 },
      minZoom: 0.02,
      maxZoom: 4,
      boxSelectionEnabled: false,
      autoungrabify: true,
      textureOnViewport: elements.length > 1500,
      hideEdgesOnViewport: elements.length > 4000,
    });
    made.fit(undefined, 40);
    const bare = made.zoom();
    for (let again = 0; again < 3; again += 1) { // the smaller the drawing, the more room its labels need
      statecrawl.label(made);
      made.fit(undefined, 12);
    }
    if (made.zoom() < LEAST_BARE * bare) { // then leave some labels out
      made.fit(undefined, 40);
      made.zoom(LEAST_BARE * bare);
      made.center();
    }
    if (made.zoom() > 1.4) made.zoom({ level: 1.4, renderedPosition: { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 } });
    drawn = { cytoscape: made, vertices, edges };
    statecrawl.label(made);
    let waits = 0;
    made.on('zoom resize', () => {
      cancelAnimationFrame(waits);
      waits = requestAnimationFrame(() => { if (!made.destroyed()) statecrawl.label(made); });
    });
    made.on('select', 'node', (event) => onSelect(vertices[event.target.data('number')]));
    made.on('unselect', 'node', () => onSelect(null));
    made.on('dblclick dbltap', 'node', (event) => enter(vertices[event.target.data('number')]));
    emphasise();
    return { states: states.length, vertices, edges, all };
  };

  const classesOf = (vertex) => {
    const { problems, unexplored } = statecrawl.model;
    const classes = [];
    if (vertex.states.length > 1) classes.push('group');
    if (vertex.states[0] === 0) classes.push('first');
    if (vertex.states.some((state) => unexplored[state])) classes.push('left');
    if (vertex.states.some((state) => problems[state].has('exception') || problems[state].has('hung') || problems[state].has('crashed') || problems[state].has('diverged'))) classes.push('problem');
    return classes.join(' ');
  };

  /** Highlights the matches of the search, and the neighbours of the selected vertex. */
  const emphasise = () => {
    const { cytoscape: made, vertices } = drawn;
    made.batch(() => {
      made.elements().removeClass('faded match in out');
      if (view.words) {
        made.nodes().forEach((node) => {
          node.addClass(vertices[node.data('number')].states.some(matches) ? 'match' : 'faded');
        });
      }
      const chosen = made.nodes(':selected');
      if (chosen.length) {
        chosen.connectedEdges().forEach((edge) => { edge.addClass(edge.source().same(chosen) ? 'out' : 'in'); });
        made.nodes().difference(chosen.neighborhood().nodes()).difference(chosen).addClass('faded');
      }
    });
  };

  let redraw = () => {};

  const enter = (vertex) => {
    if (vertex.states.length === 1) {
      location.hash = '#/state/' + vertex.states[0];
      return;
    }
    view.open.add(vertex.id);
    redraw();
  };

  /** Details of a vertex, for the side panel. */
  const about = (vertex) => {
    const { graph } = statecrawl.model;
    if (vertex.states.length > 1) {
      const first = vertex.states.slice(0, MOST_LISTED);
      return [
        el('a', { href: '#/state/' + first[0], class: 'thumb' }, statecrawl.thumbnail(first[0])),
        el('h2', {}, vertex.label),
        el('p', { class: 'soft' }, counted(vertex.states.length, 'state')),
        button('Open this group', () => enter(vertex), { class: 'primary' }),
        el('ul', { class: 'links' }, first.map((state) => el('li', {}, statecrawl.stateLink(state)))),
        vertex.states.length > first.length ? el('p', { class: 'soft' }, `and ${count(vertex.states.length - first.length)} more`) : null,
      ];
    }
    const [state] = vertex.states;
    return [
      el('a', { href: '#/state/' + state, class: 'thumb' }, statecrawl.thumbnail(state)),
      el('h2', {}, el('a', { href: '#/state/' + state }, `${state} · ${statecrawl.called(state)}`)),
      el('p', { class: 'soft address' }, statecrawl.url(state)),
      el('p', {}, `${counted(graph.enabled[state].length, 'event')}, ${graph.depths[state] < 0 ? 'no known path' : counted(graph.depths[state], 'event') + ' from the first page'}`),
      el('p', {}, statecrawl.marks(state)),
      el('a', { class: 'button primary', href: '#/state/' + state }, 'Open this state'),
    ];
  };

  statecrawl.pages.graph = () => {
    const { model } = statecrawl;
    const { graph } = model;
    const kinds = [...new Set(graph.kinds)].sort();
    const deepest = Math.max(...graph.depths, 0);
    const canvas = el('div', { class: 'canvas', role: 'img', 'aria-label': 'The graph of states; the list next to it has the same content' });
    const summary = el('p', { class: 'summary soft', 'aria-live': 'polite' });
    const side = el('aside', { class: 'side', 'aria-label': 'Selection' });

    const choose = (number) => {
      const node = drawn.cytoscape.getElementById('v' + number);
      drawn.cytoscape.nodes().unselect();
      node.select();
      drawn.cytoscape.center(node);
    };

    const list = () => {
      const listed = drawn.vertices.map((vertex, number) => [vertex, number]).filter(([vertex]) => !view.words || vertex.states.some(matches)).slice(0, MOST_LISTED);
      return [
        el('h2', {}, view.words ? 'Matches' : view.grouping === 'screen' ? 'Screens' : 'States'),
        listed.length ? null : statecrawl.empty('No matches.'),
        el('ul', { class: 'links' }, listed.map(([vertex, number]) => el('li', {}, button(`${vertex.states.length > 1 ? '◉' : vertex.states[0]} ${vertex.label}${vertex.states.length > 1 ? ` (${count(vertex.states.length)})` : ''}`, () => choose(number), { class: 'plain' })))),
        drawn.vertices.length > listed.length && !view.words ? el('p', { class: 'soft' }, `and ${count(drawn.vertices.length - listed.length)} more in the graph`) : null,
      ];
    };

    const show = (vertex) => {
      side.replaceChildren(...(vertex ? about(vertex) : list()).filter(Boolean));
      emphasise();
    };

    redraw = () => {
      if (!canvas.isConnected) return;
      const made = build(canvas, show);
      const groups = made.vertices.filter((vertex) => vertex.states.length > 1).length;
      const grouped = view.grouping === 'screen' ? ` on ${counted(made.vertices.length, 'screen')}` : groups ? `, ${counted(groups, 'group')}` : '';
      summary.textContent = `${counted(made.states, 'state')}${made.states < model.size ? ' of ' + count(model.size) : ''}${grouped}, ${counted(made.edges.length, 'connection')}${made.all ? '' : ', only the shortest paths are drawn'}`;
      show(null);
    };

    const set = (name, again = true) => (value) => {
      view[name] = value;
      if (again) redraw();
      else show(null);
    };
    const zoom = (factor) => () => drawn.cytoscape.zoom({ level: drawn.cytoscape.zoom() * factor, renderedPosition: { x: canvas.clientWidth / 2, y: canvas.clientHeight / 2 } });
    const depths = Array.from({ length: Math.min(deepest, 30) + 1 }, (_, depth) => [String(depth), `at most ${depth}`]);
    setTimeout(redraw, 0);
    view.grouping ||= statecrawl.firstGrouping();
    const regroup = (grouping) => { view.open.clear(); view.grouping = grouping; statecrawl.show(); };
    const choice = (text, grouping, isOn) => button(text, () => regroup(grouping), { 'aria-pressed': String(isOn) });
    return [
      el('h1', { class: 'unseen' }, 'Graph'),
      el('div', { class: 'tools graph-tools' },
        model.screens.length > 1 && model.screens.length < model.size ? el('span', { class: 'switch', role: 'group', 'aria-label': 'What is drawn' }, choice(counted(model.screens.length, 'screen'), 'screen', view.grouping === 'screen'), choice(counted(model.size, 'state'), 'auto', view.grouping !== 'screen')) : null,
        search('Search states', set('words', false), view.words),
        search('URL contains', set('url'), view.url),
        select('distance', [['', 'any'], ...depths], set('depth'), view.depth),
        kinds.length > 1 ? select('events', [['', 'all'], ...kinds.map((kind) => [kind, kind])], set('kind'), view.kind) : null,
        select('group by', statecrawl.groupings, regroup, view.grouping),
        select('shape', [['radial', 'rings'], ['layers', 'layers'], ['force', 'springs']], set('shape'), view.shape),
        check('only with problems', set('problems'), view.problems),
        check('all connections', (value) => set('all')(value), view.all === true)),
      el('div', { class: 'graph' },
        el('div', { class: 'stage' }, canvas,
          el('div', { class: 'zoom' },
            button('+', zoom(1.4), { 'aria-label': 'Zoom in' }),
            button('−', zoom(1 / 1.4), { 'aria-label': 'Zoom out' }),
            button('Fit', () => drawn.cytoscape.fit(undefined, 40)),
            button('Close groups', () => { view.open.clear(); redraw(); }))),
        side),
      el('div', { class: 'under' }, summary,
        el('p', { class: 'legend' }, el('span', { class: 'k-state' }, 'state'), el('span', { class: 'k-first' }, 'first page'), el('span', { class: 'k-group' }, view.grouping === 'screen' ? 'screen with several states (double-click to open)' : 'group (double-click to open)'), el('span', { class: 'k-left' }, 'has unexplored events'), el('span', { class: 'k-problem' }, 'problem'), el('span', { class: 'k-out' }, 'outgoing'), el('span', { class: 'k-in' }, 'incoming'))),
    ];
  };

  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (drawn) drawn.cytoscape.style(styleOf(colours()));
  });
})();
