// @ts-check
// Gestures as a person makes them: the whole sequence of pointer, mouse, keyboard and focus events, and the browser's default
// actions. `KINDS` in kinds.js assigns them to the kinds of events.

const HOLD = 800; // milliseconds of page time that a long press lasts

/** The corner of the page, where there is no element. @type {any} */
const NOWHERE = { __proto__: null, element: null, known: true, x: 0, y: 0, left: 0, top: 0 };

/** Fill in a form and click the button that submits it, which may only then be enabled. @param {any} element @param {Spot} spot @param {Filling} filling */
const fillAndClick = async (element, spot, filling) => {
  await safe(fillOut(filling));
  if (!dom.connected(element) || dom.matches(element, ':disabled')) return;
  movePointer(element, spot);
  await safe(clickOnce(element, spot, 1));
};

/** @param {any} form @param {Filling} filling */
const fillAndSubmit = async (form, filling) => {
  await safe(fillOut(filling));
  if (dom.connected(form)) submit(form);
};

/** @param {any} element */
const scrollDown = (element) => {
  const page = element === null;
  const node = page ? dom.scroller(document) || dom.root(document) : element;
  const target = page ? dom.body(document) : element;
  native.dispatch(target, new (makersOf(target).WheelEvent)('wheel', { __proto__: null, bubbles: true, cancelable: true, deltaY: dom.wholeHeight(node) }));
  dom.setScrollTop(node, dom.wholeHeight(node));
  native.dispatch(page ? document : element, new (makersOf(target).Event)('scroll', { __proto__: null, bubbles: page }));
  kernel.mustDraw = true;
};

/** @param {any} field */
const upload = (field) => {
  const make = makersOf(field);
  const carried = new make.DataTransfer();
  carried.items.add(new make.File(sequence(['a file of text\n']), 'example.txt', { __proto__: null, type: 'text/plain', endings: 'transparent', lastModified: clock.epoch }));
  dom.setFiles(field, carried.files);
  native.dispatch(field, new make.Event('input', { __proto__: null, bubbles: true, composed: true }));
  changed(field);
};

/** Let the page work during a long press. */
const holdLong = () => {
  clock.rewind();
  const until = clock.now + HOLD;
  clock.limit = until;
  while (clock.step(true));
  if (clock.now < until) clock.now = until;
};

/** Open the context menu of an element: with the right button, or with a finger that stays. @param {any} element @param {Spot} spot */
const openContextMenu = async (element, spot) => {
  if (touching) {
    await safe(tap(element, spot, () => {
      holdLong();
      if (dom.connected(element)) point(element, 'contextmenu', spot, { button: 0, buttons: 0 });
    }));
    return;
  }
  const held = press(element, spot, 1, 2);
  if (!dom.connected(element)) return;
  point(element, 'contextmenu', spot, { ...held, buttons: 2, detail: 0 });
  if (dom.connected(element)) release(element, spot, held);
  if (dom.connected(element)) point(element, 'auxclick', spot, held);
};

/** @param {any} element @param {Spot} spot */
const pressLong = async (element, spot) => {
  if (touching) {
    await safe(tap(element, spot, holdLong));
    return;
  }
  const held = press(element, spot, 1, 0);
  holdLong();
  if (dom.connected(element)) release(element, spot, held);
};

/** Fire an event that a walk has found. @param {Found} found */
const fire = async (found) => {
  const { kind, element, via } = found;
  const spot = spotOn(via === null || dom.visible(element, VISIBLE) ? element : via[via.length - 1].element); // an undrawn element is nowhere
  if (via !== null) await safe(pull(via));
  const firing = KINDS[kind].fire(found, spot);
  if (firing) await safe(firing);
};

const historyBack = uncurry(History.prototype.back);

const goBack = () => {
  begin(); // until the page is notified
  let open = true;
  const arrived = () => {
    if (open) finish();
    open = false;
  };
  native.listen(window, 'popstate', arrived, ONCE);
  native.listen(window, 'hashchange', arrived, ONCE);
  native.setTimeout(arrived, 500);
  historyBack(window.history);
};
