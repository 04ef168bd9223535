'use strict';
// Layout of the graph: a tree that grows from the first page, to the right or in all directions. The layout is
// deterministic and computed in one step.

(() => {
  /** The tree of shortest paths: for each vertex its predecessor and distance. Marks the edges of the tree. */
  const treeOf = (size, edges, root) => {
    const after = Array.from({ length: size }, () => []);
    edges.forEach((edge) => after[edge.from].push(edge));
    const before = new Array(size).fill(-1), depth = new Array(size).fill(-1);
    const children = Array.from({ length: size }, () => []);
    const roots = [];
    const search = (start) => {
      roots.push(start);
      depth[start] = 0;
      let edge = [start];
      while (edge.length) {
        const ahead = [];
        for (const at of edge) {
          for (const way of after[at]) {
            if (depth[way.to] >= 0) continue;
            depth[way.to] = depth[at] + 1;
            before[way.to] = at;
            children[at].push(way.to);
            way.tree = true;
            ahead.push(way.to);
          }
        }
        edge = ahead;
      }
    };
    if (size) search(root);
    for (let at = 0; at < size; at += 1) if (depth[at] < 0) search(at);
    return { roots, children, depth };
  };

  /** Places the leaves one after the other, and each inner vertex in the middle of its children. */
  const slotsOf = ({ roots, children }) => {
    const slots = [];
    let next = 0;
    const place = (at) => {
      const pending = [[at, 0]];
      while (pending.length) {
        const top = pending[pending.length - 1];
        const [vertex, done] = top;
        if (done < children[vertex].length) {
          top[1] += 1;
          pending.push([children[vertex][done], 0]);
          continue;
        }
        pending.pop();
        const own = children[vertex];
        slots[vertex] = own.length ? (slots[own[0]] + slots[own[own.length - 1]]) / 2 : next++;
      }
    };
    roots.forEach(place);
    return { slots, width: Math.max(next, 1) };
  };

  /** The radius that a ring needs so that its vertices do not overlap. */
  const least = (ring, slots, width, { gap, stretch }) => {
    const places = ring.map((at) => slots[at]).sort((a, b) => a - b);
    const nearest = places.reduce((near, place, i) => Math.min(near, (i ? place : place + width) - places[i ? i - 1 : places.length - 1]), width);
    return (gap * width) / (2 * Math.PI * Math.max(nearest, 0.5) * Math.sqrt(stretch));
  };

  /**
   * Positions for vertices; marks the edges of the tree. `root` holds the first page. `room`: {shape, gap: between
   * vertices, stretch: how much wider than high it may be}.
   */
  statecrawl.layout = (size, edges, root, room) => {
    const tree = treeOf(size, edges, root);
    const { slots, width } = slotsOf(tree);
    if (room.shape === 'layers') return slots.map((slot, at) => ({ x: tree.depth[at] * (room.gap + 170), y: (slot - width / 2) * room.gap }));
    const rings = [];
    tree.depth.forEach((depth, at) => { (rings[depth] = rings[depth] || []).push(at); });
    const radius = [0];
    for (let ring = 1; ring < rings.length; ring += 1) radius[ring] = Math.max(radius[ring - 1] + 1.7 * room.gap, least(rings[ring], slots, width, room));
    const out = radius[radius.length - 1] + 1.7 * room.gap; // for vertices without a known path
    return slots.map((slot, at) => {
      const angle = (2 * Math.PI * (slot + 0.5)) / width - Math.PI / 2;
      const far = tree.depth[at] ? radius[tree.depth[at]] : at === tree.roots[0] ? 0 : out;
      return { x: far * room.stretch * Math.cos(angle), y: far * Math.sin(angle) };
    });
  };
})();
