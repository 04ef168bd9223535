// @ts-check
// Lists: items of one template beside each other, and lists of one template beside each other, such as the columns of a board.

const GRIPPED = /handle|thumb|knob|dot|grip/i;
const MOST_LEVELS = 4; // from an item to what is repeated beside its list

/** @param {any} element */
const templateOfElement = (element) => {
  const parent = dom.parent(element);
  return stepOf(element, dom.tag(element)) + (parent && dom.type(parent) === 1 ? '<' + stepOf(parent, dom.tag(parent)) : '');
};

/** Whether two elements have one template. @param {any} one @param {any} other */
const isAlike = (one, other) => stepOf(one, dom.tag(one)) === stepOf(other, dom.tag(other));

/** The next sibling of the same template, or null. @param {any} element */
const nextAlike = (element) => {
  for (let other = dom.nextElement(element); other; other = dom.nextElement(other)) if (isAlike(element, other) && dom.visible(other, VISIBLE)) return other;
  return null;
};

/** Whether an element has a sibling of the same template. @param {any} element */
const isRepeated = (element) => {
  const parent = dom.parent(element);
  if (!parent || dom.type(parent) !== 1) return false;
  for (let other = dom.firstElement(parent); other; other = dom.nextElement(other)) if (other !== element && isAlike(element, other)) return true;
  return false;
};

/** The item of a list around a handle, or null. The only item of a list beside another one has no sibling. @param {any} element */
const rowAround = (element) => {
  const isGrip = native.exec(GRIPPED, dom.attribute(element, 'class') || '') !== null;
  for (let node = element, up = 0; node && dom.type(node) === 1 && up < MOST_LEVELS; node = dom.parent(node), up += 1) {
    if (isRepeated(node) || (up === 0 && !isGrip && nextList(node) !== null)) return node;
  }
  return null;
};

/** The handle of an item, or the item. @param {any} row */
const handleIn = (row) => {
  const handle = dom.find(row, '[class*=handle i],[class*=grip i]');
  return handle && dom.visible(handle, VISIBLE) ? handle : row;
};

/** The first item of a list: of its children the first of the most frequent template. @param {any} list */
const firstItem = (list) => {
  /** @type {any} */
  let first = null;
  for (let child = dom.firstElement(list), i = 0; child && i < MOST_CHILDREN; child = dom.nextElement(child), i += 1) {
    if (CONTROLS[dom.tag(child)] !== undefined && dom.tag(child) !== 'a') continue;
    if (isRepeated(child)) return child;
    if (first === null) first = child;
  }
  return first !== null && nextList(first) !== null ? first : null;
};

/** Whether an element is a list of items beside another such list. @param {any} element */
const isBoard = (element) => {
  const item = firstItem(element);
  const other = item !== null && dom.attribute(item, 'class') !== null ? nextList(item) : null;
  return other !== null && (isRepeated(item) || hasAlike(other, item));
};

/** Whether an element has a child of the same template as an item. @param {any} element @param {any} item */
const hasAlike = (element, item) => {
  for (let child = dom.firstElement(element), i = 0; child && i < MOST_CHILDREN; child = dom.nextElement(child), i += 1) if (isAlike(child, item)) return true;
  return false;
};

/** The next list of the same template as the one around an item, or null. @param {any} row */
const nextList = (row) => {
  const list = dom.parent(row);
  if (!list || dom.type(list) !== 1 || dom.tag(list) === 'body') return null;
  const inner = '.' + native.escape(firstClass(list) || ' ');
  for (let node = list, up = 0; node && dom.type(node) === 1 && dom.tag(node) !== 'body' && up < MOST_LEVELS; node = dom.parent(node), up += 1) {
    const beside = nextAlike(node) || firstAlike(node);
    if (beside === null) continue;
    if (node === list) return beside;
    return quietly(() => dom.find(beside, dom.tag(list) + (firstClass(list) ? inner : ''))) || null;
  }
  return null;
};

/** The first sibling of the same template, or null. @param {any} element */
const firstAlike = (element) => {
  const parent = dom.parent(element);
  if (!parent || dom.type(parent) !== 1) return null;
  for (let other = dom.firstElement(parent); other && other !== element; other = dom.nextElement(other)) if (isAlike(element, other) && dom.visible(other, VISIBLE)) return other;
  return null;
};

/** The first class of an element, unless it looks generated; else "". @param {any} element */
const firstClass = (element) => native.slice(stepOf(element, dom.tag(element)), dom.tag(element).length + 1);
