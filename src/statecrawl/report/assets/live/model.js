'use strict';
// Model of the crawl. A message extends or replaces it.

(() => {
  const VERTEX = ['number', 'parent', 'label', 'states', 'enabled', 'explored', 'loops', 'depth', 'address'];

  const model = { figures: null, vertices: new Map(), edges: new Map(), points: [], pictures: [], level: 0, report: '' };
  statecrawl.live = model;

  /** A short name of a state: the text of the element whose event led to it. */
  statecrawl.short = (label) => /“(.+?)”/.exec(label)?.[1] || label;

  /** Applies a message. Returns what changed: whether the graph was reset or grew, its changed edges, and whether there are new screenshots. */
  statecrawl.take = (message) => {
    if (message.reset) {
      model.vertices.clear();
      model.edges.clear();
    }
    const changed = { reset: message.reset, isLarger: false, edges: [], pictures: Boolean(message.pictures) };
    for (const values of message.vertices || []) {
      const vertex = Object.fromEntries(VERTEX.map((name, i) => [name, values[i]]));
      const known = model.vertices.get(vertex.number);
      if (known) Object.assign(known, vertex);
      else model.vertices.set(vertex.number, vertex);
      changed.isLarger ||= !known;
    }
    for (const [from, to, count] of message.edges || []) {
      const key = from + ' ' + to;
      const known = model.edges.get(key);
      if (known) known.count = count;
      else model.edges.set(key, { from, to, count });
      changed.isLarger ||= !known;
      changed.edges.push(known || model.edges.get(key));
    }
    if (message.curve) model.points = message.curve.reset ? message.curve.points : model.points.concat(message.curve.points);
    if (message.pictures) model.pictures = message.pictures;
    if (message.figures) model.figures = message.figures;
    model.level = message.level || 0;
    model.report = message.report || model.report;
    return changed;
  };

  /** Sums over the drawing. Tests compare them with the crawl. */
  statecrawl.totals = () => {
    const vertices = [...model.vertices.values()];
    const sum = (name) => vertices.reduce((all, vertex) => all + vertex[name], 0);
    return { vertices: vertices.length, edges: model.edges.size, states: sum('states'), explored: sum('explored'), between: [...model.edges.values()].reduce((all, edge) => all + edge.count, 0) + sum('loops') };
  };
})();
