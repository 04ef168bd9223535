'use strict';
// The vertices of the graph page: single states while there are few, groups of states when there are many.
// A group opens into its states, or into smaller groups if there are still too many.

(() => {
  const MOST = 150; // vertices that a person can take in, and that a browser lays out without delay
  const WANTED = 40; // groups

  /** Returns for each state the root of its part of the tree of shortest paths. */
  const byPath = () => {
    const { graph, size } = statecrawl.model;
    const least = Math.max(Math.ceil(size / WANTED), 2);
    const order = [...graph.ids.keys()].sort((a, b) => graph.depths[b] - graph.depths[a]);
    const weight = new Array(size).fill(1);
    const isRoot = new Array(size).fill(false);
    for (const state of order) {
      const before = graph.before[state];
      if (before < 0 || weight[state] >= least) isRoot[state] = true;
      else weight[before] += weight[state];
    }
    const root = new Array(size).fill(0);
    for (const state of order.reverse()) root[state] = isRoot[state] ? state : root[graph.before[state]];
    return root;
  };

  const pathOf = (url) => {
    try {
      const { pathname, hash } = new URL(url);
      return pathname + (hash.startsWith('#/') || hash.startsWith('#!') ? hash : '');
    } catch {
      return url || 'no URL';
    }
  };

  /** state -> [key, label] */
  const KEYS = {
    path: () => {
      const root = byPath();
      return (state) => [root[state], root[state] === 0 ? 'near the first page' : `via state ${root[state]}, ${statecrawl.short(root[state])}`];
    },
    screen: () => {
      const { screens, screenOf } = statecrawl.model;
      return (state) => [screenOf[state], statecrawl.short(screens[screenOf[state]].states[0])];
    },
    url: () => (state) => [pathOf(statecrawl.url(state)), pathOf(statecrawl.url(state))],
    title: () => (state) => [statecrawl.title(state), statecrawl.title(state) || 'no title'],
    depth: () => (state) => {
      const depth = statecrawl.model.graph.depths[state];
      return [depth, depth < 0 ? 'no known path' : statecrawl.counted(depth, 'event') + ' away'];
    },
  };

  statecrawl.groupings = [['screen', 'screen'], ['auto', 'automatic'], ['path', 'shortest path'], ['url', 'URL'], ['title', 'title'], ['depth', 'distance'], ['none', 'nothing']];

  /** What the graph groups by at first: screens, if that makes it clearer. */
  statecrawl.firstGrouping = () => {
    const { screens, size } = statecrawl.model;
    return screens.length > 1 && screens.length < size ? 'screen' : 'auto';
  };

  const single = (state) => ({ id: 's' + state, states: [state], label: statecrawl.short(state), group: null });

  /** Vertices of an opened group: its states, or smaller groups. */
  const opened = (group, isOpen) => {
    if (group.states.length <= MOST) return group.states.map(single);
    const size = Math.max(Math.ceil(group.states.length / WANTED), 2); // states of each part
    const parts = [];
    for (let at = 0; at < group.states.length; at += size) {
      const states = group.states.slice(at, at + size);
      const part = { id: group.id + '/' + at, states, label: `${group.label}, ${at + 1}–${at + states.length}`, group: group.id };
      parts.push(...(isOpen(part.id) ? opened(part, isOpen) : [part]));
    }
    return parts;
  };

  /** Returns the vertices for the given states. */
  statecrawl.vertices = (states, grouping, isOpen) => {
    if (grouping === 'none' || (grouping === 'auto' && states.length <= MOST)) return states.length <= 4 * MOST ? states.map(single) : opened({ id: 'all', label: 'states', states, group: null }, isOpen);
    const key = KEYS[grouping === 'auto' ? 'path' : grouping]();
    const groups = new Map();
    for (const state of states) {
      const [name, label] = key(state);
      if (!groups.has(name)) groups.set(name, { id: 'g' + grouping + groups.size + ':' + name, states: [], label, group: null });
      groups.get(name).states.push(state);
    }
    let all = [...groups.values()];
    if (all.length > 2 * MOST) { // one group for all single states
      const rest = all.filter((group) => group.states.length === 1).flatMap((group) => group.states);
      all = [...all.filter((group) => group.states.length > 1), ...(rest.length ? [{ id: 'rest', states: rest, label: 'others', group: null }] : [])];
    }
    return all.flatMap((group) => (group.states.length === 1 ? group.states.map(single) : isOpen(group.id) ? opened(group, isOpen) : [group]));
  };

  /** Edges between vertices: [{from, to, count}], without loops; `keep` selects the events that count. */
  statecrawl.edges = (vertices, keep) => {
    const { graph } = statecrawl.model;
    const at = new Int32Array(graph.ids.length).fill(-1);
    vertices.forEach((vertex, number) => vertex.states.forEach((state) => { at[state] = number; }));
    const counts = new Map();
    vertices.forEach((vertex, from) => {
      for (const state of vertex.states) {
        const targets = graph.targets[state], events = graph.enabled[state];
        for (let position = 0; position < targets.length; position += 1) {
          const to = targets[position] < 0 ? -1 : at[targets[position]];
          if (to < 0 || to === from || !keep(events[position])) continue;
          const key = from * vertices.length + to;
          counts.set(key, (counts.get(key) || 0) + 1);
        }
      }
    });
    return [...counts].map(([key, count]) => ({ from: Math.floor(key / vertices.length), to: key % vertices.length, count }));
  };
})();
