// @ts-check
// Dragging: the pointer is pressed on an element, moves in steps, and is released elsewhere. If the pressed element is
// draggable by then, the browser's own drag and drop takes over; otherwise the page follows the pointer itself.

const DRAG_START = 5; // pixels that a pressed pointer moves to start a drag
const STEPS = 4; // moves on the way
const STEP_TIME = 20; // milliseconds of page time between two moves

/** Where a drag leads: an element, or null for the room in which the dragged element moves; and a place in its box, as a share of
 * its width and height, or 0 for where a hit test finds it.
 * @typedef {{to: any, share: number}} Goal */

/** Let the page work for a while of its own time. @param {number} milliseconds */
const letWork = async (milliseconds) => {
  clock.rewind();
  const until = clock.now + milliseconds;
  clock.limit = until;
  do await yieldTurn();
  while (clock.step(true));
  if (clock.now < until) clock.now = until;
};

/** Let the page work between two moves of a real pointer. */
const passTime = () => letWork(STEP_TIME);

/** @param {any} element @param {Goal} goal */
const drag = async (element, goal) => {
  showBoth(element, goal);
  const { from, to } = endsOf(element, goal);
  const pressed = hitInside(element, from);
  const here = spotAt(pressed, from);
  movePointer(pressed, here);
  if (!dom.connected(pressed)) return;
  kernel.captor = null;
  if (touching) await safe(dragByFinger(pressed, from, to));
  else await safe(dragByMouse(pressed, goal, from, to));
  kernel.captor = undefined;
};

/** @param {any} pressed @param {Goal} goal @param {Point} from @param {Point} to */
const dragByMouse = async (pressed, goal, from, to) => {
  const here = spotAt(pressed, from);
  const held = press(pressed, here, 1, 0);
  await safe(letWork(PRESSED));
  if (!dom.connected(pressed)) return;
  const start = { __proto__: null, x: from.x + DRAG_START, y: from.y };
  const source = barred ? null : draggableAround(pressed);
  if (source === null) {
    await safe(moveHeld(pressed, from, to, held));
    return;
  }
  carryTo(pressed, spotAt(pressed, start));
  if (!dom.connected(source)) return;
  const more = { dataTransfer: new (makersOf(source).DataTransfer)(), button: 0, buttons: 1 };
  if (point(source, 'dragstart', here, more)) await safe(carry(pressed, source, hitInside(goal.to || dom.root(dom.owner(source)), to), spotAt(source, to), more));
  else await safe(moveHeld(pressed, start, to, held));
};

/** Move the pressed pointer in steps, as long as the page follows it, and release it. @param {any} pressed @param {Point} from @param {Point} to @param {any} held */
const moveHeld = async (pressed, from, to, held) => {
  const doc = dom.owner(pressed);
  carryTo(overAt(doc, pressed, { __proto__: null, x: from.x + DRAG_START, y: from.y }), spotAt(pressed, { __proto__: null, x: from.x + DRAG_START, y: from.y }));
  for (let step = 1; step <= STEPS; step += 1) {
    await safe(letWork(STEP_TIME));
    const at = { __proto__: null, x: between(from.x, to.x, step), y: between(from.y, to.y, step) };
    carryTo(overAt(doc, pressed, at), spotAt(pressed, at));
  }
  await safe(letWork(STEP_TIME));
  carryTo(overAt(doc, pressed, to), spotAt(pressed, to)); // the page may only now show where it would drop
  await safe(letWork(STEP_TIME));
  letGoAt(pressed, overAt(doc, pressed, to), spotAt(pressed, to), held);
};

/** @param {number} from @param {number} to @param {number} step */
const between = (from, to, step) => native.floor(from + ((to - from) * step) / STEPS);

/** One move of the pressed pointer. @param {any} over what is under it @param {Spot} spot */
const carryTo = (over, spot) => {
  const before = kernel.hovered && dom.connected(kernel.hovered) ? kernel.hovered : null;
  kernel.hovered = over;
  if (before !== over) cross('pointer', before, over, spot, -1, 1);
  if (before !== over) cross('mouse', before, over, spot, 0, 1);
  if (dom.connected(over)) point(over, 'pointermove', spot, { buttons: 1 });
  if (!muted && dom.connected(over)) point(over, 'mousemove', spot, { button: 0, buttons: 1 });
};

/** Release the pointer. The browser clicks the innermost element around both ends. @param {any} pressed @param {any} over @param {Spot} spot @param {any} held */
const letGoAt = (pressed, over, spot, held) => {
  const captor = kernel.captor;
  release(over, spot, held);
  if (captor && dom.connected(captor)) point(captor, 'lostpointercapture', spot, { button: 0, buttons: 0 });
  kernel.captor = undefined;
  const clicked = captor || (dom.connected(pressed) ? commonAround(pressed, over) : null);
  if (clicked && dom.connected(clicked)) point(clicked, 'click', spot, held);
  if (captor) moveOff(captor, spot);
};

/** Move the released pointer from what had captured it to what is under it. @param {any} captor @param {Spot} spot */
const moveOff = (captor, spot) => {
  const from = dom.connected(captor) ? captor : null;
  const over = elementAt(dom.owner(captor), spot) || dom.root(dom.owner(captor));
  kernel.hovered = over;
  if (from === over) return;
  cross('pointer', from, over, spot, 0);
  cross('mouse', from, over, spot, 0);
};

/** The innermost element that contains both. @param {any} one @param {any} other */
const commonAround = (one, other) => {
  const above = ancestry(other);
  for (let node = one; node && dom.type(node) === 1; node = drawnIn(node)) if (isAmong(above, node)) return node;
  return null;
};

/** What the pressed pointer is over: the element that has captured it, else what a hit test finds. @param {any} doc @param {any} pressed @param {Point} at */
const overAt = (doc, pressed, at) => {
  if (kernel.captor && dom.connected(kernel.captor)) return kernel.captor;
  return elementAt(doc, at) || dom.root(doc);
};

/** Drag with a finger. @param {any} pressed @param {Point} from @param {Point} to */
const dragByFinger = async (pressed, from, to) => {
  const here = spotAt(pressed, from);
  kernel.taps += 1;
  point(pressed, 'pointerover', here, { button: 0, buttons: 1 });
  muted = !point(pressed, 'pointerdown', here, { button: 0, buttons: 1 });
  touch(pressed, 'touchstart', here);
  await safe(letWork(PRESSED));
  for (let step = 1; step <= STEPS && dom.connected(pressed); step += 1) {
    const spot = spotAt(pressed, { __proto__: null, x: between(from.x, to.x, step), y: between(from.y, to.y, step) });
    point(kernel.captor || pressed, 'pointermove', spot, { buttons: 1 }); // a finger stays with what it has touched
    if (dom.connected(pressed)) touch(pressed, 'touchmove', spot);
    await safe(letWork(STEP_TIME));
  }
  if (!dom.connected(pressed)) return;
  point(kernel.captor || pressed, 'pointerup', spotAt(pressed, to), { button: 0, buttons: 0 });
  if (dom.connected(pressed)) touch(pressed, 'touchend', spotAt(pressed, to));
};

/** The nearest element around one that the browser itself would drag. @param {any} element */
const draggableAround = (element) => {
  for (let node = element; node && dom.type(node) === 1; node = drawnIn(node)) if (dom.attribute(node, 'draggable') === 'true') return node;
  return null;
};

/** Carry a dragged element to another, and drop it there. @param {any} pressed @param {any} source @param {any} to @param {Spot} there @param {any} more */
const carry = async (pressed, source, to, there, more) => {
  const ended = { button: 0, buttons: 0, view: null };
  const above = ancestry(pressed);
  point(pressed, 'pointercancel', NOWHERE, ended); // from here on, there are only drag events
  point(pressed, 'pointerout', NOWHERE, ended);
  for (let i = 0; i < above.length; i += 1) point(above[i], 'pointerleave', NOWHERE, ended);
  await safe(letWork(STEP_TIME));
  if (dom.connected(source)) point(source, 'drag', there, more);
  if (dom.connected(to)) point(to, 'dragenter', there, more);
  let refused = !dom.connected(to) || point(to, 'dragover', there, more); // an element accepts a drag by preventing the default
  await safe(letWork(STEP_TIME));
  if (dom.connected(source)) point(source, 'drag', there, more);
  if (dom.connected(to)) refused = point(to, 'dragover', there, more);
  if (refused && dom.connected(source)) point(source, 'drag', there, more);
  if (dom.connected(to)) point(to, refused ? 'dragleave' : 'drop', there, more);
  if (dom.connected(source)) point(source, 'dragend', there, { ...more, buttons: 0 });
};

/** @typedef {{__proto__?: null, x: number, y: number}} Point */

/** A known spot. @param {any} element @param {Point} at @returns {any} */
const spotAt = (element, at) => {
  const frame = frameOffset(element);
  return { __proto__: null, element, known: true, x: at.x, y: at.y, left: frame.x, top: frame.y };
};

/** What a hit test finds at a point, if it is inside the element; else the element. @param {any} element @param {Point} at */
const hitInside = (element, at) => {
  const hit = elementAt(dom.owner(element), at);
  return hit && isAmong(ancestry(hit), element) ? hit : element;
};

/** Scroll as far as needed to see both ends. @param {any} element @param {Goal} goal */
const showBoth = (element, goal) => {
  if (goal.to && goal.to !== element && !isInView(goal.to)) dom.scrollIntoView(goal.to, NEAREST);
  if (!isInView(element)) dom.scrollIntoView(element, NEAREST);
};

/** @type {any} */
const NEAREST = table({ block: 'nearest', inline: 'nearest', behavior: 'instant' });

/** @param {any} element */
const isInView = (element) => {
  const middle = centreOf(dom.box(element));
  const root = dom.root(dom.owner(element));
  return middle.x >= 0 && middle.y >= 0 && middle.x < viewWidth(root) && middle.y < viewHeight(root);
};
const viewWidth = getterOf(Element.prototype, 'clientWidth');
const viewHeight = (/** @type {any} */ root) => (dom.owner(root) === document ? native.height() : dom.seenHeight(root));

/** Both ends of a drag. A drag inside of one element starts at the opposite place. @param {any} element @param {Goal} goal @returns {{from: Point, to: Point}} */
const endsOf = (element, goal) => {
  const to = goal.to || roomOf(element);
  if (goal.share === 0) return { from: pointOf(element), to: pointOf(to) };
  return { from: to === element ? shareOf(element, 1 - goal.share) : pointOf(element), to: shareOf(to, goal.share) };
};

/** A point in the visible part of an element's box. @param {any} element @param {number} share @returns {any} */
const shareOf = (element, share) => {
  const box = dom.box(element);
  const root = dom.root(dom.owner(element));
  const left = box.left > 0 ? box.left : 0;
  const top = box.top > 0 ? box.top : 0;
  const right = box.right < viewWidth(root) ? box.right : viewWidth(root);
  const bottom = box.bottom < viewHeight(root) ? box.bottom : viewHeight(root);
  return { __proto__: null, x: native.floor(left + (right - left) * share), y: native.floor(top + (bottom - top) * share) };
};

const BROAD = 150; // pixels in both directions from which an element is rather drawn on than dragged
const ROOMY = 3; // times as long as a handle is the room in which it moves, in one direction at least

/** The room in which an element is dragged: the track of a handle, what a splitter divides, for anything else what is larger in both
 * directions, or the element itself where nothing around it is much larger. @param {any} element */
const roomOf = (element) => {
  const own = dom.box(element);
  if (isSurface(dom.tag(element)) || (own.width >= BROAD && own.height >= BROAD && !isHandled(element))) return element;
  const slides = isSlid(element);
  let room = element;
  for (let node = drawnIn(element); node && dom.type(node) === 1 && dom.tag(node) !== 'html'; node = drawnIn(node)) {
    const box = dom.box(node);
    const wide = box.width >= ROOMY * own.width;
    const high = box.height >= ROOMY * own.height;
    if ((!wide && !high) || isCoat(node, element, box)) continue;
    room = node;
    if (slides || (wide && high)) break;
  }
  return room;
};

/** Whether an element only positions the one inside it. @param {any} node @param {any} element @param {any} box */
const isCoat = (node, element, box) => box.width === 0 || box.height === 0 || (dom.firstElement(node) === element && dom.property(dom.style(node), 'position') === 'absolute');
