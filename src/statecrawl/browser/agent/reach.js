// @ts-check
// Reach: what a person can see, hit with the pointer, or scroll.

/** Whether nothing of an element is visible. @param {any} element @param {string} tag */
const isHidden = (element, tag) => ELSEWHERE[tag] !== 1 && !dom.visible(element, VISIBLE) && !isContents(element);

/** Whether an element has no box of its own, but its children do. @param {any} element @returns {boolean} */
const isContents = (element) => {
  if (dom.property(dom.style(element), 'display') !== 'contents') return false;
  const outer = drawnIn(element); // the parent may be a shadow root
  return Boolean(outer) && dom.type(outer) === 1 && (dom.visible(outer, VISIBLE) || isContents(outer));
};

/** The picture of an area; the area itself is never drawn. @param {any} area */
const pictureOf = (area) => {
  const map = dom.closest(area, 'map');
  const name = map ? dom.attribute(map, 'name') : null;
  return (name && quietly(() => dom.findIn(dom.owner(area), 'img[usemap="#' + name + '"]'))) || area;
};

/** @param {any} element @returns {string} */
const cursorOf = (element) => dom.property(dom.style(element), 'cursor');

const containsNode = uncurry(Node.prototype.contains);

/** Whether the pointer is over this element. @param {any} element */
const isHovered = (element) => kernel.hovered !== null && (kernel.hovered === element || containsNode(element, kernel.hovered));

/** @param {any} element */
const hasTwoChildren = (element) => {
  const first = dom.firstElement(element);
  return first !== null && dom.nextElement(first) !== null;
};

/** Whether there is more to see further down. @param {any} element @param {boolean} page */
const canScroll = (element, page) => {
  const seen = page ? native.height() + native.scrolled() : dom.seenHeight(element) + dom.scrollTop(element);
  if (dom.wholeHeight(element) <= seen + 2) return false;
  if (page) return true;
  const overflow = dom.property(dom.style(element), 'overflow-y');
  return overflow === 'auto' || overflow === 'scroll';
};

const assignedTo = uncurry(HTMLSlotElement.prototype.assignedElements);
const hasAssigned = (/** @type {any} */ slot) => assignedTo(slot).length > 0;

/** Whether neither a pointer nor the keyboard reaches an element. @param {any} element @param {string | undefined} control @param {number} marks */
const isOutOfReach = (element, control, marks) => {
  const tabbed = marks & TABBED ? +(dom.attribute(element, 'tabindex') || 0) : control === undefined ? -1 : 0;
  if (tabbed >= 0 || control === 'label' || allows(element, PASSING)) return false;
  for (let child = dom.firstElement(element); child !== null; child = dom.nextElement(child)) if (allows(child, PASSING)) return false;
  return true;
};

/** Whether a label is the visible handle of an invisible control. @param {any} label */
const isHandle = (label) => {
  const control = dom.labelled(label);
  if (!control || dom.visible(control, VISIBLE)) return false;
  const tag = dom.tag(control);
  return tag === 'button' || (tag === 'input' && CLICKED_INPUTS[dom.inputType(control)] === 1);
};

/** Whether an invisible box has a visible label. @param {any} element @param {string} tag */
const hasHandle = (element, tag) => {
  const labels = tag === 'input' && CLICKED_INPUTS[dom.inputType(element)] === 1 ? dom.labels(element) : null;
  for (let i = 0; labels && i < labels.length; i += 1) if (dom.visible(labels[i], VISIBLE)) return true;
  return false;
};
