// @ts-check
// Where an element is, as a CSS selector: for programs that want to find it without the agent.

/** A selector that finds this element and no other now; nothing when it stands in a frame or a shadow. @param {any} element */
const selectorOf = (element) => {
  let path = '';
  for (let node = element; node && dom.type(node) === 1; node = dom.parent(node)) {
    if (dom.owner(node) !== document) return '';
    if (node === dom.root(document)) return 'html' + path;
    const id = dom.id(node);
    const named = '#' + native.escape(id);
    if (id && !isGenerated(id) && dom.findAllIn(document, named).length === 1) return named + path;
    path = ' > ' + native.escape(dom.tag(node)) + ':nth-of-type(' + placeAmongAlike(node) + ')' + path;
  }
  return '';
};

/** The how manieth of its tag an element is in its parent. @param {any} element */
const placeAmongAlike = (element) => {
  const tag = dom.tag(element);
  const parent = dom.parent(element);
  if (!parent || dom.type(parent) !== 1) return 1;
  let place = 1;
  for (let other = dom.firstElement(parent); other && other !== element; other = dom.nextElement(other)) if (dom.tag(other) === tag) place += 1;
  return place;
};
