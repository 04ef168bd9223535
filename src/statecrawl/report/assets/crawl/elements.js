'use strict';
// Creates all elements of the report. Text from crawled pages is inserted as text, never as markup: the report does not
// use innerHTML, rejects attributes that run code, and links only to its own pages or to http(s) URLs.

const statecrawl = { pages: {} };

(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const OURS = /^#\//; // a page of the report
  const WEB = /^https?:\/\//i;
  const PICTURE = /^\.\.\/states\/[0-9a-f]+\.jpg$/;

  const fill = (node, attributes, children) => {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (/^on/i.test(name) || name === 'srcdoc' || name === 'style') throw new Error('attribute not allowed in a report: ' + name);
      if (name === 'href' && !OURS.test(value) && !WEB.test(value)) continue;
      if (name === 'src' && !PICTURE.test(value)) continue;
      node.setAttribute(name, value === true ? '' : String(value));
    }
    node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return node;
  };

  /** Creates an element; children are elements or text. */
  statecrawl.el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  statecrawl.svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  /** Creates a button that calls `act`. */
  statecrawl.button = (text, act, attributes) => {
    const made = statecrawl.el('button', { type: 'button', ...attributes }, text);
    made.addEventListener('click', act);
    return made;
  };

  /** Creates a drop-down list; `options` are [[value, text], …]. */
  statecrawl.select = (label, options, act, chosen) => {
    const list = statecrawl.el('select', {}, options.map(([value, text]) => statecrawl.el('option', { value, selected: value === chosen }, text)));
    list.addEventListener('change', () => act(list.value));
    return statecrawl.el('label', { class: 'choice' }, statecrawl.el('span', {}, label), list);
  };

  /** Creates a search field that calls `act` shortly after the last keystroke. */
  statecrawl.search = (label, act, value) => {
    const field = statecrawl.el('input', { type: 'search', placeholder: label, 'aria-label': label, value });
    let waiting = 0;
    field.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => act(field.value.trim().toLowerCase()), 120);
    });
    return field;
  };

  statecrawl.check = (label, act, checked) => {
    const box = statecrawl.el('input', { type: 'checkbox', checked });
    box.addEventListener('change', () => act(box.checked));
    return statecrawl.el('label', { class: 'check' }, box, label);
  };

  const whole = new Intl.NumberFormat('en');
  statecrawl.count = (value) => whole.format(Math.round(value * 10) / 10);
  statecrawl.counted = (value, noun) => statecrawl.count(value) + ' ' + noun + (value === 1 ? '' : 's');

  statecrawl.duration = (seconds) => {
    const whole = Math.round(seconds);
    if (whole < 60) return (seconds < 9.95 ? seconds.toFixed(1) : whole) + ' s';
    if (whole < 3600) return Math.floor(whole / 60) + ' min' + (whole % 60 ? ` ${whole % 60} s` : '');
    return Math.floor(whole / 3600) + ' h' + (whole % 3600 >= 60 ? ` ${Math.floor((whole % 3600) / 60)} min` : '');
  };

  /** Shows a URL: as a link if it is http(s), else as text. */
  statecrawl.address = (url) =>
    WEB.test(url)
      ? statecrawl.el('a', { class: 'address', href: url, target: '_blank', rel: 'noopener noreferrer' }, url)
      : statecrawl.el('span', { class: 'address' }, url);

  /** Shows a part of an image in the element around it; sizes are in pixels of the image. */
  statecrawl.showPart = (place, image, width, height, [left, top, wide, high]) => {
    place.style.aspectRatio = `${wide} / ${high}`;
    Object.assign(image.style, { width: `${(100 * width) / wide}%`, height: `${(100 * height) / high}%`, left: `${(-100 * left) / wide}%`, top: `${(-100 * top) / high}%` });
  };

  statecrawl.panel = (title, note, ...children) => {
    const { el } = statecrawl;
    return el('section', { class: 'panel' }, el('h2', {}, title, note === undefined || note === null ? null : el('span', {}, note)), ...children);
  };

  statecrawl.empty = (text) => statecrawl.el('p', { class: 'empty' }, text);
})();
