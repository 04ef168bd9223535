'use strict';
// The part of a screenshot that shows something. The pixels of a page from the same server can be read; the report, which
// is opened from the file system, gets the part from `report/crawl/thumbnails.py`, with the same sizes.

(() => {
  const WIDTH = 160; // at which pixels are compared
  const ALIKE = 10; // difference of a colour that counts as none
  const LEAST = 0.375, MARGIN = 0.02; // shares of the width
  const WIDEST = 3, NARROWEST = 1.6; // width to height

  /** The pixels that differ from the most frequent colour: [left, top, right, bottom], or null if there are none. */
  const contentOf = ({ data, width, height }) => {
    const counts = new Map();
    const colour = (at) => (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    for (let at = 0; at < data.length; at += 4) counts.set(colour(at), (counts.get(colour(at)) || 0) + 1);
    const [common] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most));
    const differs = (at) => [16, 8, 0].some((shift, i) => Math.abs(data[at + i] - ((common >> shift) & 255)) > ALIKE);
    let box = null;
    for (let at = 0; at < data.length; at += 4) {
      if (!differs(at)) continue;
      const x = (at / 4) % width, y = Math.floor(at / 4 / width);
      box = box ? [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x + 1), y + 1] : [x, y, x + 1, y + 1];
    }
    return box;
  };

  /** Shows the content of a loaded screenshot in the element around it. */
  statecrawl.showContent = (place, image) => {
    const canvas = document.createElement('canvas');
    const width = WIDTH, height = Math.max(Math.round((WIDTH * image.naturalHeight) / image.naturalWidth), 1);
    Object.assign(canvas, { width, height });
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    pen.drawImage(image, 0, 0, width, height);
    const box = contentOf(pen.getImageData(0, 0, width, height));
    if (!box) return;
    const margin = MARGIN * width;
    const left = Math.max(box[0] - margin, 0), top = Math.max(box[1] - margin, 0);
    const wide = Math.min(Math.max(box[2] + margin - left, LEAST * width), width);
    const high = Math.min(Math.max(box[3] + margin - top, wide / WIDEST), wide / NARROWEST, height);
    statecrawl.showPart(place, image, width, height, [Math.min(left, width - wide), Math.min(top, height - high), wide, high]);
  };
})();
