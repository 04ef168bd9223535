'use strict';
// The graph on a canvas: the shortest paths lead outwards from the first page. Vertices are placed in rings, which a
// force-directed layout then relaxes. Vertices move to their places, new ones are highlighted, and an idle graph is not redrawn.

(() => {
  const FEW = 260; // edges outside of the tree that are drawn: the heaviest
  const MOST_FLASHES = 40; // highlighted edges at a time
  const STEPS = 50; // of the force-directed layout
  const NEW_MS = 1600, FLASH_MS = 1100;
  const ARRANGE_MS = 800; // between two layouts
  const MOST_LABELS = 26;
  const LONGEST_LABEL = 24;
  const REST = 0.4; // pixels from its place at which a vertex stops

  const canvas = document.getElementById('graph');
  const pen = canvas.getContext('2d');
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)');
  const shapes = new Map(); // number -> {x, y, toX, toY, born}
  const flashes = new Map(); // key of an edge -> when it changed
  let tree = []; // edges of the shortest paths
  let drawn = []; // other edges that are drawn
  let labelled = []; // vertices whose labels are drawn where there is room
  let colour = {};
  let size = { width: 0, height: 0 };
  let scale = 1; // factor of the size of discs, so that they do not overlap
  let chosen = null;
  let isScheduled = false; // a frame was requested

  const colours = () => {
    const style = getComputedStyle(document.documentElement);
    colour = Object.fromEntries(['ink', 'soft', 'faint', 'panel', 'accent', 's1', 's3', 's4'].map((name) => [name, style.getPropertyValue('--' + name).trim()]));
  };

  const radius = (vertex) => {
    const room = Math.min(1, 9 / Math.sqrt(statecrawl.live.vertices.size)); // the fewer there are, the larger they are drawn
    return (vertex.states > 1 ? 7.5 + 1.9 * Math.log2(vertex.states) : 7) * (0.55 + 0.75 * room) * scale;
  };

  /** Force-directed layout: places repel each other and edges attract, in steps of decreasing size. */
  const relax = (places, ways) => {
    const wide = Math.max(size.width / size.height, 0.6);
    const least = Math.sqrt(1 / places.length); // distance of neighbours, if the drawing has height 1
    const reach = Math.max(...places.map((place) => Math.hypot(place.x / wide, place.y)), 1e-9);
    const at = places.map((place) => ({ x: (0.5 * place.x) / reach, y: (0.5 * place.y) / reach }));
    for (let step = 0; step < STEPS; step += 1) {
      const heat = 0.06 * (1 - step / STEPS);
      const push = at.map((place) => ({ x: -place.x * 0.4 * least / wide, y: -place.y * 0.4 * least })); // towards the centre
      for (let i = 0; i < at.length; i += 1) {
        for (let j = 0; j < i; j += 1) {
          const x = at[i].x - at[j].x, y = at[i].y - at[j].y;
          const near = Math.max(x * x + y * y, 1e-6);
          const by = (least * least * least) / near;
          push[i].x += x * by / least; push[i].y += y * by / least;
          push[j].x -= x * by / least; push[j].y -= y * by / least;
        }
      }
      for (const { from, to } of ways) {
        const x = at[to].x - at[from].x, y = at[to].y - at[from].y;
        const by = Math.hypot(x, y) / least;
        push[from].x += x * by; push[from].y += y * by;
        push[to].x -= x * by; push[to].y -= y * by;
      }
      push.forEach(({ x, y }, i) => {
        const far = Math.hypot(x, y) || 1;
        at[i].x += (x / far) * Math.min(far, heat);
        at[i].y += (y / far) * Math.min(far, heat);
      });
    }
    return at;
  };

  /** Computes the places of all vertices. */
  const arrange = () => {
    const all = [...statecrawl.live.vertices.values()].sort((a, b) => a.number - b.number);
    arranged = performance.now();
    if (!all.length || !size.width) return;
    scale = 1;
    const at = new Map(all.map((vertex, i) => [vertex.number, i]));
    const ways = [...statecrawl.live.edges.values()].map((edge) => ({ from: at.get(edge.from), to: at.get(edge.to), edge })).sort((a, b) => a.from - b.from || a.to - b.to);
    const root = Math.max(all.findIndex((vertex) => vertex.parent === vertex.number), 0);
    const widest = Math.max(...all.map(radius));
    const pad = widest + 22;
    const rings = statecrawl.layout(all.length, ways, root, { shape: 'radial', gap: 2 * widest + 8, stretch: Math.min(Math.max(size.width / size.height, 0.8), 2) });
    const places = relax(rings, ways.filter((way) => way.tree));
    const xs = places.map((place) => place.x), ys = places.map((place) => place.y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const scaleX = (size.width - 2 * pad) / Math.max(right - left, 0.2), scaleY = (size.height - 2 * pad) / Math.max(bottom - top, 0.2);
    tree = ways.filter((way) => way.tree).map((way) => way.edge);
    const others = ways.filter((way) => !way.tree).map((way) => way.edge);
    drawn = others.length > FEW ? others.sort((a, b) => b.count - a.count).slice(0, FEW) : others;
    const now = performance.now();
    const gone = new Set(shapes.keys());
    all.forEach((vertex, i) => {
      gone.delete(vertex.number);
      const toX = size.width / 2 + (places[i].x - (left + right) / 2) * scaleX, toY = size.height / 2 + (places[i].y - (top + bottom) / 2) * scaleY;
      const known = shapes.get(vertex.number);
      if (known) Object.assign(known, { toX, toY });
      else {
        const from = shapes.get(vertex.parent); // the vertex from which it was found
        shapes.set(vertex.number, { x: from ? from.x : toX, y: from ? from.y : toY, toX, toY, born: now });
      }
    });
    for (const number of gone) shapes.delete(number);
    const room = (a, b) => Math.hypot(a.toX - b.toX, a.toY - b.toY);
    const radii = all.map(radius), ends = all.map((vertex) => shapes.get(vertex.number));
    ends.forEach((end, i) => { for (let j = 0; j < i; j += 1) scale = Math.min(scale, room(end, ends[j]) / (radii[i] + radii[j] + 5)); });
    scale = Math.max(scale, 0.55);
    labelled = all.length <= MOST_LABELS ? all : [...all].sort((a, b) => b.states - a.states || a.depth - b.depth).slice(0, MOST_LABELS);
  };

  /** Schedules a layout, at most once per interval, because each one moves the vertices. */
  let arranged = -ARRANGE_MS, arranging = 0;
  const arrangeSoon = () => {
    if (arranging) return;
    arranging = setTimeout(() => {
      arranging = 0;
      arrange();
      draw();
    }, Math.max(ARRANGE_MS - (performance.now() - arranged), 0));
  };

  const line = (from, to, width, style, alpha) => {
    pen.globalAlpha = alpha;
    pen.strokeStyle = style;
    pen.lineWidth = width;
    pen.beginPath();
    pen.moveTo(from.x, from.y);
    pen.lineTo(to.x, to.y);
    pen.stroke();
  };

  const disc = (vertex, shape, now) => {
    const r = radius(vertex);
    const fill = vertex.parent === vertex.number ? colour.ink : vertex.states > 1 ? colour.s4 : colour.s3;
    const share = vertex.enabled ? vertex.explored / vertex.enabled : 1;
    pen.globalAlpha = 1;
    pen.fillStyle = colour.panel;
    pen.beginPath();
    pen.arc(shape.x, shape.y, r + 1.5, 0, 2 * Math.PI);
    pen.fill();
    pen.globalAlpha = 0.25;
    pen.fillStyle = fill;
    pen.beginPath();
    pen.arc(shape.x, shape.y, r, 0, 2 * Math.PI);
    pen.fill();
    pen.globalAlpha = 1;
    pen.beginPath();
    pen.moveTo(shape.x, shape.y);
    pen.arc(shape.x, shape.y, r, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * Math.min(share, 1));
    pen.fill();
    const age = now - shape.born;
    if (age < NEW_MS && !calm.matches) {
      pen.globalAlpha = 1 - age / NEW_MS;
      pen.strokeStyle = colour.s1;
      pen.lineWidth = 2;
      pen.beginPath();
      pen.arc(shape.x, shape.y, r + 3 + (age / NEW_MS) * 12, 0, 2 * Math.PI);
      pen.stroke();
    }
    if (chosen === vertex.number) {
      pen.globalAlpha = 1;
      pen.strokeStyle = colour.accent;
      pen.lineWidth = 2.5;
      pen.beginPath();
      pen.arc(shape.x, shape.y, r + 4, 0, 2 * Math.PI);
      pen.stroke();
    }
  };

  const labels = () => {
    const taken = [];
    pen.font = '12px system-ui, sans-serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'top';
    pen.lineJoin = 'round';
    for (const vertex of labelled) {
      const shape = shapes.get(vertex.number);
      if (!shape) continue;
      const label = statecrawl.short(vertex.label);
      const text = (label.length > LONGEST_LABEL ? label.slice(0, LONGEST_LABEL - 1) + '…' : label) + (vertex.states > 1 ? ` · ${vertex.states}` : '');
      const half = pen.measureText(text).width / 2 + 3, y = shape.y + radius(vertex) + 3;
      const x = Math.min(Math.max(shape.x, half), size.width - half);
      if (y + 15 > size.height || taken.some((box) => Math.abs(box.x - x) < box.half + half && Math.abs(box.y - y) < 15)) continue;
      taken.push({ x, y, half });
      pen.globalAlpha = 0.85;
      pen.strokeStyle = colour.panel;
      pen.lineWidth = 3.5;
      pen.strokeText(text, x, y);
      pen.globalAlpha = 1;
      pen.fillStyle = colour.ink;
      pen.fillText(text, x, y);
    }
  };

  const frame = (now) => {
    isScheduled = false;
    const { vertices, edges } = statecrawl.live;
    const ratio = window.devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, size.width, size.height);
    let moves = false;
    for (const shape of shapes.values()) {
      const [x, y] = [shape.toX - shape.x, shape.toY - shape.y];
      const far = Math.abs(x) + Math.abs(y);
      if (far > REST && !calm.matches) {
        shape.x += x * 0.14;
        shape.y += y * 0.14;
        moves = true;
      } else Object.assign(shape, { x: shape.toX, y: shape.toY });
      moves ||= now - shape.born < NEW_MS && !calm.matches;
    }
    const ends = (edge) => [shapes.get(edge.from), shapes.get(edge.to)];
    for (const edge of drawn) {
      const [from, to] = ends(edge);
      if (from && to) line(from, to, Math.min(0.6 + Math.log2(edge.count) * 0.25, 2.5), colour.soft, 0.13);
    }
    for (const edge of tree) {
      const [from, to] = ends(edge);
      if (from && to) line(from, to, Math.min(1.2 + Math.log2(edge.count) * 0.35, 5), colour.soft, 0.55);
    }
    for (const [key, since] of flashes) {
      const edge = edges.get(key);
      const left = 1 - (now - since) / FLASH_MS;
      if (!edge || left <= 0) {
        flashes.delete(key);
        continue;
      }
      const [from, to] = ends(edge);
      if (from && to) line(from, to, 1.6, colour.s1, 0.65 * left);
      moves = true;
    }
    for (const vertex of vertices.values()) {
      const shape = shapes.get(vertex.number);
      if (shape) disc(vertex, shape, now);
    }
    labels();
    if (moves) draw();
  };

  const draw = () => {
    if (isScheduled || !size.width) return;
    isScheduled = true;
    requestAnimationFrame(frame);
  };

  /** Draws what has changed. */
  statecrawl.draw = (changed) => {
    if (changed.reset) arrange();
    else if (changed.isLarger) arrangeSoon();
    const now = performance.now();
    if (!changed.reset && !calm.matches) for (const edge of changed.edges.slice(0, MOST_FLASHES)) flashes.set(edge.from + ' ' + edge.to, now);
    for (const key of [...flashes.keys()].slice(0, Math.max(flashes.size - MOST_FLASHES, 0))) flashes.delete(key);
    draw();
  };

  const nearest = (event) => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best = null, least = Infinity;
    for (const vertex of statecrawl.live.vertices.values()) {
      const shape = shapes.get(vertex.number);
      const far = shape ? Math.hypot(shape.x - x, shape.y - y) - radius(vertex) : Infinity;
      if (far < Math.min(least, 8)) [best, least] = [vertex, far];
    }
    return best;
  };
  const point = (event) => {
    const vertex = nearest(event);
    chosen = vertex ? vertex.number : null;
    statecrawl.showVertex(vertex);
    draw();
  };
  canvas.addEventListener('pointermove', point);
  canvas.addEventListener('pointerdown', point);
  canvas.addEventListener('pointerleave', () => {
    chosen = null;
    statecrawl.showVertex(null);
    draw();
  });

  const measure = () => {
    const ratio = window.devicePixelRatio || 1;
    size = { width: canvas.clientWidth, height: canvas.clientHeight };
    canvas.width = Math.round(size.width * ratio);
    canvas.height = Math.round(size.height * ratio);
    arrange();
    draw();
  };
  new ResizeObserver(measure).observe(canvas);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    colours();
    draw();
  });
  colours();
})();
