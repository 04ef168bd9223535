// @ts-check
// Firing events as a person would: the whole sequence of pointer, mouse, keyboard and focus events, and what the
// browser does by default.

const HOLD = 800; // milliseconds of page time that a long press lasts

/** The corner of the page, where nothing is. @type {any} */
const NOWHERE = { __proto__: null, element: null, known: true, x: 0, y: 0, left: 0, top: 0 };

const TUG = 5; // pixels that a pressed pointer moves until a drag begins

/** Drag one element onto another. @param {any} from @param {any} to */
const drag = (from, to) => {
  const here = spotOn(from);
  const there = spotOn(to);
  movePointer(from, here);
  const held = press(from, here, 1, 0);
  /** @type {any} */
  const tugged = { __proto__: here, get x() { return located(here).x + TUG; }, get y() { return located(here).y; }, known: true };
  point(from, 'pointermove', tugged, { buttons: 1 });
  point(from, 'mousemove', tugged, { button: 0, buttons: 1 });
  if (!dom.connected(from)) return;
  const more = { dataTransfer: new (makersOf(from).DataTransfer)(), button: 0, buttons: 1 };
  if (!point(from, 'dragstart', here, more)) {
    movePointer(to, there);
    if (dom.connected(to)) release(to, there, held);
    return;
  }
  carry(from, to, there, more);
};

/** Carry what was taken to another element, and let it go there. @param {any} from @param {any} to @param {Spot} there @param {any} more */
const carry = (from, to, there, more) => {
  const ended = { button: 0, buttons: 0, view: null };
  const above = ancestry(from);
  point(from, 'pointercancel', NOWHERE, ended); // from here on, there are only events of dragging
  point(from, 'pointerout', NOWHERE, ended);
  for (let i = 0; i < above.length; i += 1) point(above[i], 'pointerleave', NOWHERE, ended);
  point(from, 'drag', there, more);
  point(to, 'dragenter', there, more);
  let refused = point(to, 'dragover', there, more); // a place accepts what is dragged by preventing the default
  if (dom.connected(from)) point(from, 'drag', there, more);
  if (dom.connected(to)) refused = point(to, 'dragover', there, more);
  if (refused && dom.connected(from)) point(from, 'drag', there, more);
  if (dom.connected(to)) point(to, refused ? 'dragleave' : 'drop', there, more);
  if (dom.connected(from)) point(from, 'dragend', there, { ...more, buttons: 0 });
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

/** What the page does while the pointer is held down for long. */
const holdLong = () => {
  clock.rewind();
  const until = clock.now + HOLD;
  clock.limit = until;
  while (clock.step(true));
  if (clock.now < until) clock.now = until;
};

/** Ask for the menu of an element: with the other button, or a finger that stays. @param {any} element @param {Spot} spot */
const askForMenu = async (element, spot) => {
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
  const { kind, element, extra, via } = found;
  const spot = spotOn(via === null || dom.visible(element, VISIBLE) ? element : via[via.length - 1].element); // what is not drawn is nowhere
  if (via !== null) await safe(pull(via));
  switch (kind) {
    case 'click':
      movePointer(element, spot);
      if (extra) fillFields(extra);
      if (dom.connected(element)) await safe(clickOnce(element, spot, 1));
      break;
    case 'dblclick':
      movePointer(element, spot);
      await safe(clickOnce(element, spot, 1));
      if (dom.connected(element)) await safe(clickOnce(element, spot, 2));
      if (dom.connected(element)) point(element, 'dblclick', spot, { button: 0, detail: 2 });
      break;
    case 'contextmenu':
      movePointer(element, spot);
      await safe(askForMenu(element, spot));
      break;
    case 'hover':
      if (kernel.hovered === element) kernel.hovered = null;
      if (touching) await safe(clickOnce(element, spot, 1)); // the only way to hover with a finger
      else movePointer(element, spot);
      break;
    case 'leave':
      movePointer(element, spot);
      movePointer(dom.root(dom.owner(element)), NOWHERE);
      break;
    case 'focus':
      if (focused(dom.owner(element)) === element) dom.blur(element);
      dom.focus(element);
      break;
    case 'blur':
      if (focused(dom.owner(element)) !== element) dom.focus(element);
      dom.blur(element);
      break;
    case 'key':
      pressKey(element, extra);
      break;
    case 'longpress':
      movePointer(element, spot);
      await safe(pressLong(element, spot));
      break;
    case 'drag':
      drag(element, extra);
      break;
    case 'select': {
      moveFocus(element);
      const option = dom.options(element)[extra];
      if (option) write(element, dom.optionValue(option), false);
      break;
    }
    case 'input':
      await safe(enter(element, extra));
      break;
    case 'upload':
      upload(element);
      break;
    case 'submit':
      fillFields(extra[0][extra[1]] || NONE);
      if (dom.connected(element)) submit(element);
      break;
    case 'scroll':
      scrollDown(element);
      break;
    case 'back':
      kernel.back -= 1;
      goBack();
      break;
    default:
      break;
  }
};

const historyBack = uncurry(History.prototype.back);

const goBack = () => {
  begin(); // until the page is told
  let open = true;
  const told = () => {
    if (open) finish();
    open = false;
  };
  native.listen(window, 'popstate', told, ONCE);
  native.listen(window, 'hashchange', told, ONCE);
  native.setTimeout(told, 500);
  historyBack(window.history);
};
