// @ts-check
// The pointer: the events that a mouse, or a finger on a device with touch, causes in the browser, in the same order and at
// the same place. The tests compare all of them with Chromium's events for real input.
//
// The browser does not trust events that we dispatch. Applications that check `isTrusted` are crawled with trusted input,
// where the driver moves a real pointer; see `place` in places.js and `browser/trusted_input.py`.
//
// The position of an element requires a layout, which few listeners need. So an event gets its coordinates when a listener
// first reads one of them, and all events of one gesture get the same.

const PRESSED = 50; // milliseconds of page time between press and release of a click

/** @param {any} element */
const viewOf = (element) => dom.view(dom.owner(element)) || window;

/** The constructors of an element's own window. @param {any} element */
const makersOf = (element) => {
  const view = viewOf(element);
  return view === window ? makers : quietly(() => view.location[AGENT](SECRET, 'makers', NONE)) || view;
};

/** Where a gesture happens. @typedef {{element: any, known: boolean, x: number, y: number, left: number, top: number}} Spot */

/** @param {any} element @returns {any} */
const spotOn = (element) => ({ __proto__: null, element, known: false, x: 0, y: 0, left: 0, top: 0 });

/** @param {Spot} spot */
const located = (spot) => {
  if (!spot.known) {
    spot.known = true;
    const at = pointOf(spot.element);
    const frame = frameOffset(spot.element);
    spot.x = at.x;
    spot.y = at.y;
    spot.left = frame.x;
    spot.top = frame.y;
  }
  return spot;
};

/** The offset of the viewport of an element's document from that of the page. @param {any} element */
const frameOffset = (element) => {
  const offset = { x: 0, y: 0 };
  for (let view = viewOf(element); view !== window; view = view.parent) {
    const frame = quietly(() => view.frameElement);
    if (!frame) break;
    const box = dom.box(frame);
    offset.x += native.floor(box.left + dom.borderLeft(frame));
    offset.y += native.floor(box.top + dom.borderTop(frame));
  }
  return offset;
};

/** Events of ours, and where each happens. @type {WeakMap<any, any>} */
const spots = kernel.spots || (kernel.spots = new WeakMap());

const HORIZONTAL = ['clientX', 'pageX', 'offsetX', 'layerX', 'screenX', 'x'];
const VERTICAL = ['clientY', 'pageY', 'offsetY', 'layerY', 'screenY', 'y'];

/** Our events are created at (0, 0), so the values of the browser only lack the offset. */
const installCoordinates = () => {
  const define = (/** @type {string} */ name, /** @type {(spot: Spot) => number} */ move) => {
    const present = native.describe(MouseEvent.prototype, name);
    if (!present || !present.get) return;
    const real = uncurry(present.get);
    const get = /** @this {any} */ function () {
      const spot = native.weakGet(spots, this);
      return spot === undefined ? real(this) : real(this) + move(located(spot));
    };
    disguise(get, present.get);
    native.define(MouseEvent.prototype, name, { get, configurable: true, enumerable: present.enumerable });
  };
  for (const name of HORIZONTAL) define(name, name === 'screenX' ? (spot) => spot.x + spot.left : (spot) => spot.x);
  for (const name of VERTICAL) define(name, name === 'screenY' ? (spot) => spot.y + spot.top : (spot) => spot.y);
};

/** @type {any} events that neither bubble nor leave a shadow root, and cannot be cancelled */
const DIRECT_EVENTS = { __proto__: null, mouseenter: 1, mouseleave: 1, pointerenter: 1, pointerleave: 1 };
/** @type {any} events that report something past, and cannot be cancelled */
const FINAL = { __proto__: null, dragend: 1, dragleave: 1, pointercancel: 1 };
/** @type {any} constructor of an event whose type does not start with its name */
const MAKER = { __proto__: null, click: 'PointerEvent', auxclick: 'PointerEvent', contextmenu: 'PointerEvent', drop: 'DragEvent', wheel: 'WheelEvent' };

/** @type {any} labelable elements: a click on one is not copied, even inside its label */
const LABELLED_TAGS = { __proto__: null, input: 1, select: 1, textarea: 1, button: 1 };

/** @param {string} type */
const makerOf = (type) => MAKER[type] || (type[0] === 'p' ? 'PointerEvent' : native.indexOf(type, 'drag') === 0 ? 'DragEvent' : 'MouseEvent');

/** Dispatch a pointer event. Whether its default action may follow. @param {any} element @param {string} type @param {Spot} spot @param {any} more */
const point = (element, type, spot, more) => {
  const calm = DIRECT_EVENTS[type] === 1;
  const kind = makerOf(type);
  const init = { __proto__: null, bubbles: !calm, cancelable: !calm && FINAL[type] !== 1, composed: !calm, view: viewOf(element), detail: 0, button: -1, ...more };
  if (kind === 'PointerEvent') {
    if (type[0] === 'p') init.detail = 0;
    init.isPrimary = type[0] === 'p';
    if (init.pointerId === undefined) init.pointerId = touching ? 1 + kernel.taps : 1;
    if (init.pointerType === undefined) init.pointerType = touching ? 'touch' : 'mouse';
    if (type[0] === 'p') init.pressure = init.buttons ? (touching ? 1 : 0.5) : 0;
  }
  const copied = type === 'click' && LABELLED_TAGS[dom.tag(element)] !== 1 && dom.closest(element, 'label') !== null; // the browser copies the click to the labelled control
  if (copied) {
    const { x, y, left, top } = located(spot);
    init.clientX = x;
    init.clientY = y;
    init.screenX = x + left;
    init.screenY = y + top;
  }
  const event = new (makersOf(element)[kind])(type, init);
  if (!copied) native.weakSet(spots, event, spot);
  return native.dispatch(element, event);
};

const touching = settings.touch === true; // whether the device has a touch screen instead of a mouse

/** @param {string[]} types */
const anyListener = (types) => {
  for (let i = 0; i < types.length; i += 1) if (listenedTypes[types[i]] === true) return true;
  return false;
};

const MOVES = ['pointerover', 'pointerenter', 'mouseover', 'mouseenter', 'pointermove', 'mousemove', 'pointerout', 'pointerleave', 'mouseout', 'mouseleave'];

/** The element that contains an element in the flat tree: its slot, its parent, or the host of its shadow root. @param {any} element @returns {any} */
const drawnIn = (element) => {
  const slot = dom.slot(element);
  if (slot) return slot;
  const parent = dom.parent(element);
  return parent && dom.type(parent) === 11 ? dom.host(parent) : parent;
};

/** The elements from one up to the top, in the flat tree. @param {any} element */
const ancestry = (element) => {
  /** @type {any[]} */
  const chain = newList();
  for (let node = element; node && dom.type(node) === 1; node = drawnIn(node)) append(chain, node);
  return chain;
};

/** @param {any[]} list @param {any} item */
const isAmong = (list, item) => {
  for (let i = 0; i < list.length; i += 1) if (list[i] === item) return true;
  return false;
};

/** The events of a pointer of one kind when it moves from one element to another. @param {string} device @param {any} from @param {any} element @param {Spot} spot @param {number} button @param {number} buttons that are held */
const cross = (device, from, element, spot, button = -1, buttons = 0) => {
  const left = from ? ancestry(from) : NONE;
  const entered = element ? ancestry(element) : NONE;
  const apart = from && element && dom.owner(from) !== dom.owner(element); // no document receives events of elements of another
  if (from) {
    const more = { button, buttons, relatedTarget: apart ? null : element };
    point(from, device + 'out', spot, more);
    for (let i = 0; i < left.length; i += 1) if (!isAmong(entered, left[i])) point(left[i], device + 'leave', spot, more);
  }
  if (element) {
    const more = { button, buttons, relatedTarget: apart ? null : from };
    point(element, device + 'over', spot, more);
    for (let i = entered.length - 1; i >= 0; i -= 1) if (!isAmong(left, entered[i])) point(entered[i], device + 'enter', spot, more);
  }
};

/** Move the pointer to an element, or away from everything. A finger does not hover. @param {any} element @param {Spot} spot */
const movePointer = (element, spot) => {
  if (touching) return;
  const from = kernel.hovered && dom.connected(kernel.hovered) ? kernel.hovered : null;
  kernel.hovered = element;
  if ((!from && !element) || !anyListener(MOVES)) return;
  if (from !== element) {
    cross('pointer', from, element, spot);
    cross('mouse', from, element, spot);
  }
  if (element) {
    point(element, 'pointermove', spot, {});
    point(element, 'mousemove', spot, {});
  }
};

const ONE_MOVE = ['pointermove', 'mousemove'];

/** Move the pointer by one pixel on an element: a hand makes many moves, and some pages believe only the second. @param {any} element @param {Spot} spot */
const moveOn = (element, spot) => {
  if (!anyListener(ONE_MOVE) || !dom.connected(element)) return;
  const { x, y, left, top } = located(spot);
  const next = { __proto__: null, element, known: true, x: x + 1, y, left, top };
  point(element, 'pointermove', next, {});
  if (dom.connected(element)) point(element, 'mousemove', next, {});
};

const FOCUSABLE = 'a[href],area[href],button,input,select,textarea,summary,[tabindex],[contenteditable],iframe';

/** The focused element, inside shadow roots, too. @param {any} doc */
const focused = (doc) => {
  let active = dom.active(doc);
  for (let shadow = active && shadowOf(active); shadow; shadow = shadowOf(active)) {
    const inner = dom.activeIn(shadow);
    if (!inner) break;
    active = inner;
  }
  return active;
};

/** Move the focus as a press of the pointer would. @param {any} element */
const moveFocus = (element) => {
  let node = element;
  while (node && dom.type(node) === 1 && !(dom.matches(node, FOCUSABLE) && !dom.matches(node, ':disabled'))) node = drawnIn(node);
  const active = focused(dom.owner(element));
  if (node && dom.type(node) === 1) {
    if (active !== node) quietly(() => dom.focus(node, UNSCROLLED));
  } else if (active && active !== dom.body(dom.owner(element))) quietly(() => dom.blur(active));
};

/** Press a mouse button. @param {any} element @param {Spot} spot @param {number} detail @param {number} button */
const press = (element, spot, detail, button) => {
  const held = { detail, button, buttons: button === 2 ? 2 : 1 };
  muted = !point(element, 'pointerdown', spot, held);
  barred = !muted && !point(element, 'mousedown', spot, held);
  if (!muted && !barred) moveFocus(element);
  return { ...held, buttons: 0 };
};

let muted = false; // the page has cancelled pointerdown: there are no mouse events until the pointer is released
let barred = false; // the page has cancelled mousedown: the browser's own drag and drop does not start

/** @param {any} element @param {Spot} spot @param {any} held */
const release = (element, spot, held) => {
  point(element, 'pointerup', spot, held);
  if (!muted) point(element, 'mouseup', spot, held);
};

/** Dispatch a touch event. Whether its default action may follow. @param {any} element @param {string} type @param {Spot} spot */
const touch = (element, type, spot) => {
  const make = makersOf(element);
  const at = located(spot);
  const scroll = viewOf(element);
  const touched = new make.Touch({ __proto__: null, identifier: 0, target: element, clientX: at.x, clientY: at.y, pageX: at.x + scroll.scrollX, pageY: at.y + scroll.scrollY, screenX: at.x + at.left, screenY: at.y + at.top, radiusX: 1, radiusY: 1, force: 1 });
  const down = type === 'touchend' ? NONE : [touched];
  return native.dispatch(element, new make.TouchEvent(type, { __proto__: null, bubbles: true, cancelable: true, composed: true, view: viewOf(element), touches: sequence(down), targetTouches: sequence(down), changedTouches: sequence([touched]) }));
};

/** Let the page work while the pointer is down: it draws, and may only then listen for the release. */
const hold = async () => {
  if (!listenedTypes.mousedown && !listenedTypes.pointerdown && !listenedTypes.touchstart) return;
  clock.rewind();
  clock.limit = clock.now + PRESSED;
  do await yieldTurn();
  while (clock.step(true));
};

/** Click once with the mouse, or tap. @param {any} element @param {Spot} spot @param {number} detail */
const clickOnce = async (element, spot, detail) => {
  if (touching) {
    await safe(tap(element, spot, hold));
    return;
  }
  const held = press(element, spot, detail, 0);
  await safe(hold());
  if (!dom.connected(element)) return;
  release(element, spot, held);
  if (dom.connected(element)) point(element, 'click', spot, held);
};

/** Touch and release: first the touch events, then, unless the page cancels them, the mouse events at the same place.
 * @param {any} element @param {Spot} spot @param {() => any} wait while the finger is down */
const tap = async (element, spot, wait) => {
  const held = { button: 0, buttons: 1 };
  const up = { button: 0, buttons: 0 };
  const above = ancestry(element);
  kernel.taps += 1;
  point(element, 'pointerover', spot, held);
  for (let i = above.length - 1; i >= 0; i -= 1) point(above[i], 'pointerenter', spot, held);
  muted = !point(element, 'pointerdown', spot, held);
  let goesOn = touch(element, 'touchstart', spot);
  const waiting = wait();
  if (waiting) await safe(waiting);
  if (!dom.connected(element)) return;
  point(element, 'pointerup', spot, up);
  point(element, 'pointerout', spot, up);
  for (let i = 0; i < above.length; i += 1) point(above[i], 'pointerleave', spot, up);
  goesOn = touch(element, 'touchend', spot) && goesOn;
  if (!goesOn || !dom.connected(element)) return;
  const from = kernel.hovered && dom.connected(kernel.hovered) ? kernel.hovered : null;
  kernel.hovered = element;
  if (from !== element) cross('mouse', from, element, spot, muted ? 0 : -1);
  if (!muted) {
    point(element, 'mousemove', spot, {});
    if (point(element, 'mousedown', spot, { ...held, detail: 1 })) moveFocus(element);
    point(element, 'mouseup', spot, { ...up, detail: 1 });
  }
  if (dom.connected(element)) point(element, 'click', spot, { ...up, detail: 1 });
};

/** Where a pointer hits an element: in its centre, or where a hit test finds it. @param {any} element */
const pointOf = (element) => hitOf(element) || centreOf(dom.box(element));

/** @param {any} box */
const centreOf = (box) => ({ x: native.floor(box.left + box.width / 2), y: native.floor(box.top + box.height / 2) });

const MOST_CHILDREN = 20; // of an element that are tried
const INSET = 3; // pixels from the corners of an element

/** A point in view where a hit test finds the element, rather than something inside it; null where there is none.
 * @param {any} element @returns {{x: number, y: number} | null} */
const hitOf = (element) => {
  if (dom.tag(element) === 'area') return areaPoint(element);
  const box = dom.box(element);
  /** @type {any} */
  let inside = null;
  const attempt = (/** @type {{x: number, y: number}} */ at) => {
    const hit = elementAt(dom.owner(element), at);
    if (hit === element) return true;
    if (hit && inside === null && isAmong(ancestry(hit), element)) inside = at;
    return false;
  };
  const middle = centreOf(box);
  if (attempt(middle) || inside) return middle;
  const rects = dom.boxes(element);
  for (let i = 0; i < rects.length && i < MOST_CHILDREN; i += 1) if (attempt(centreOf(rects[i]))) return centreOf(rects[i]);
  for (let i = 0; i < 4; i += 1) {
    const corner = { x: native.floor(i % 2 ? box.right - INSET : box.left + INSET), y: native.floor(i < 2 ? box.top + INSET : box.bottom - INSET) };
    if (attempt(corner)) return corner;
  }
  let child = dom.firstElement(element);
  for (let i = 0; child && !inside && i < MOST_CHILDREN; i += 1, child = dom.nextElement(child)) attempt(centreOf(dom.box(child)));
  return inside;
};

/** The innermost element at a point of a document's viewport. @param {any} doc @param {{x: number, y: number}} at */
const elementAt = (doc, at) => {
  let hit = dom.at(doc, at.x, at.y);
  for (let shadow = hit && shadowOf(hit); shadow; shadow = shadowOf(hit)) {
    const inner = dom.atIn(shadow, at.x, at.y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
};

/** The centre of an area of a picture; the area itself has no box. @param {any} area */
const areaPoint = (area) => {
  const picture = pictureOf(area);
  const box = dom.box(picture);
  if (picture === area) return null;
  const given = dom.attribute(area, 'coords') || '';
  let sums = [0, 0];
  let count = 0;
  NUMBERS.lastIndex = 0;
  for (let found = native.exec(NUMBERS, given); found && count < 200; found = native.exec(NUMBERS, given), count += 1) {
    if (native.lower(dom.attribute(area, 'shape') || '')[0] === 'c' && count > 1) break; // the radius
    sums[count % 2] += +found[0];
  }
  if (count < 2) return centreOf(box);
  const pairs = native.floor(count / 2);
  return { x: native.floor(box.left + sums[0] / pairs), y: native.floor(box.top + sums[1] / pairs) };
};

const NUMBERS = /\d+/g;
