'use strict';
// Which vertices the graph page draws: states as they are while they are few, and groups of states while they are many.
// A group opens into its states, or into parts when even those are many.

(() => {
  const MOST = 150; // vertices that a person can look at, and that a browser lays out at once
  const WANTED = 40; // groups

  /** For each state, the root of the part of the tree of shortest ways that it belongs to. */
  const byWays = () => {
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

  const path = (url) => {
    try {
      const { pathname, hash } = new URL(url);
      return pathname + (hash.startsWith('#/') || hash.startsWith('#!') ? hash : '');
    } catch {
      return url || 'no address';
    }
  };

  /** state -> [key, label] */
  const KEYS = {
    way: () => {
      const root = byWays();
      return (state) => [root[state], root[state] === 0 ? 'near the first page' : `behind ${root[state]}, ${statecrawl.called(root[state])}`];
    },
    address: () => (state) => [path(statecrawl.url(state)), path(statecrawl.url(state))],
    title: () => (state) => [statecrawl.title(state), statecrawl.title(state) || 'no title'],
    depth: () => (state) => {
      const depth = statecrawl.model.graph.depths[state];
      return [depth, depth < 0 ? 'no way known' : statecrawl.counted(depth, 'event') + ' away'];
    },
  };

  statecrawl.groupings = [['auto', 'automatic'], ['way', 'way to them'], ['address', 'address'], ['title', 'title'], ['depth', 'distance'], ['none', 'nothing']];

  const single = (state) => ({ id: 's' + state, states: [state], label: statecrawl.called(state), group: null });

  /** A group that was opened: its states, or parts of it. */
  const opened = (group, isOpen) => {
    if (group.states.length <= MOST) return group.states.map(single);
    const parts = Math.max(Math.ceil(group.states.length / WANTED), 2); // states in each part
    const found = [];
    for (let at = 0; at < group.states.length; at += parts) {
      const states = group.states.slice(at, at + parts);
      const part = { id: group.id + '/' + at, states, label: `${group.label}, ${at + 1}–${at + states.length}`, group: group.id };
      found.push(...(isOpen(part.id) ? opened(part, isOpen) : [part]));
    }
    return found;
  };

  /** The vertices for these states. */
  statecrawl.vertices = (states, grouping, isOpen) => {
    if (grouping === 'none' || (grouping === 'auto' && states.length <= MOST)) return states.length <= 4 * MOST ? states.map(single) : opened({ id: 'all', label: 'states', states, group: null }, isOpen);
    const key = KEYS[grouping === 'auto' ? 'way' : grouping]();
    const groups = new Map();
    for (const state of states) {
      const [name, label] = key(state);
      if (!groups.has(name)) groups.set(name, { id: 'g' + grouping + groups.size + ':' + name, states: [], label, group: null });
      groups.get(name).states.push(state);
    }
    let all = [...groups.values()];
    if (all.length > 2 * MOST) { // one group for all that are alone
      const rest = all.filter((group) => group.states.length === 1).flatMap((group) => group.states);
      all = [...all.filter((group) => group.states.length > 1), ...(rest.length ? [{ id: 'rest', states: rest, label: 'others', group: null }] : [])];
    }
    return all.flatMap((group) => (group.states.length === 1 ? group.states.map(single) : isOpen(group.id) ? opened(group, isOpen) : [group]));
  };

  /** What leads from one vertex to another: [{from, to, count}], without loops; `keep` says which pairs count. */
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
