'use strict';
// Labels in the graph: legible at every zoom level, and never overlapping.

(() => {
  const SIZE = 11; // of the font, in screen pixels, at least
  const WIDTH = 0.58; // of a letter, as a share of its height; slightly overestimated
  const LINE = 1.25;
  const MARGIN = 5; // between a vertex and its label, scaled with the zoom
  const SIDES = ['east', 'west', 'above'];

  /** The side of each vertex on which its label is: outside for leaves of the tree, below for all others. */
  statecrawl.labelSides = (places, edges, root, shape) => {
    const hasChildren = new Set(edges.filter((edge) => edge.tree).map((edge) => edge.from));
    return places.map((place, at) => {
      if (hasChildren.has(at) || at === root || shape === 'force') return 'below';
      return shape === 'layers' || place.x >= places[root].x ? 'east' : 'west';
    });
  };

  const boxOf = (node, side, size, margin) => {
    const { x, y } = node.renderedPosition();
    const lines = node.data('label').split('\n');
    const wide = Math.max(...lines.map((line) => line.length)) * size * WIDTH;
    const high = lines.length * size * LINE;
    const off = node.renderedWidth() / 2 + margin;
    if (side === 'east') return [x + off, y - high / 2, x + off + wide, y + high / 2];
    if (side === 'west') return [x - off - wide, y - high / 2, x - off, y + high / 2];
    if (side === 'above') return [x - wide / 2, y - off - high, x + wide / 2, y - off];
    return [x - wide / 2, y + off, x + wide / 2, y + off + high];
  };

  const discOf = (node) => {
    const { x, y } = node.renderedPosition();
    const far = node.renderedWidth() / 2;
    return [x - far, y - far, x + far, y + far];
  };

  const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

  /** The buttons in a corner of the drawing, under which no label is legible. */
  const buttonsOver = (made) => {
    const stage = made.container().getBoundingClientRect();
    return [...made.container().parentNode.querySelectorAll('button')].map((button) => {
      const { left, top, right, bottom } = button.getBoundingClientRect();
      return [left - stage.left, top - stage.top, right - stage.left, bottom - stage.top];
    });
  };

  /** Shows as many labels as there is room for, those of the largest vertices first. */
  statecrawl.label = (made) => {
    const size = SIZE * Math.max(1, made.zoom());
    const margin = MARGIN * made.zoom();
    const nodes = made.nodes().toArray().sort((a, b) => b.data('weight') - a.data('weight'));
    const discs = nodes.map(discOf);
    const taken = buttonsOver(made);
    const isInside = (box) => box[0] >= 0 && box[1] >= 0 && box[2] <= made.width() && box[3] <= made.height();
    made.batch(() => {
      made.nodes().style('font-size', size / made.zoom());
      nodes.forEach((node, at) => {
        const isFree = (box) => isInside(box) && !taken.some((other) => meet(box, other)) && !discs.some((disc, other) => other !== at && meet(box, disc));
        const side = [node.data('side'), 'below', 'above'].find((one) => isFree(boxOf(node, one, size, margin)));
        SIDES.forEach((one) => node.toggleClass(one, one === side));
        node.toggleClass('mute', !side);
        if (side) taken.push(boxOf(node, side, size, margin));
      });
    });
  };
})();
