// @ts-check
// Places: where the driver directs trusted input, and events that it leaves to the agent.

/** Where trusted input should go: to a point in view where a hit test finds the event's element. Where there is none, and
 * for what needs no pointer, the driver leaves the event to `fireOne`. The triggers that reveal
 * the element come first, one in each step. @param {string} name @param {number} step */
const place = (name, step) => {
  if (here === null) return null;
  const found = eventOf(here, name);
  if (found === undefined) return null;
  if (step === 0) beginPlacing(name);
  const { kind, element, extra } = found;
  if (kind === 'scroll') kernel.mustDraw = true;
  const answer = { __proto__: null, kind, x: 0, y: 0, to: null, extra: typeof extra === 'string' || typeof extra === 'number' ? extra : null };
  if (element === null) return answer;
  if (found.via !== null && step < found.via.length) return throughTrigger(found.via[step], answer);
  showPlace(element);
  if (kind === 'click' && extra) fillFields(extra);
  placed = element;
  if (kind === 'key' && element !== dom.body(document)) quietly(() => dom.focus(element, UNSCROLLED));
  if (kind === 'input' && isTyped(element)) quietly(() => (dom.focus(element, UNSCROLLED), selectAll(element)));
  else if (kind === 'input') answer.kind = DISPATCHED;
  const hit = hitOf(element);
  if (KINDS[kind].pointed && (hit === null || (kind === 'drag' && !isDroppable(element, extra)))) answer.kind = DISPATCHED;
  const at = inPage(element, hit || pointOf(element));
  answer.x = at.x;
  answer.y = at.y;
  if (kind === 'drag') placeDrag(element, extra, answer);
  return answer;
};

/** Whether a hit test finds the target of a drag. @param {any} element @param {Goal} goal */
const isDroppable = (element, goal) => {
  showBoth(element, goal);
  return goal.share > 0 || hitOf(goal.to) !== null;
};

/** Both ends of a drag. @param {any} element @param {Goal} goal @param {any} answer */
const placeDrag = (element, goal, answer) => {
  const { from, to } = endsOf(element, goal);
  const start = inPage(element, from);
  answer.x = start.x;
  answer.y = start.y;
  answer.to = inPage(element, to);
};

/** Prepare for an event that is fired by real input. @param {string} name */
const beginPlacing = (name) => {
  const walk = /** @type {Walk} */ (here);
  unwatch();
  chance.restart(walk.id + ' ' + name);
  clock.advance();
  kernel.entriesBefore = kernel.entries;
  progress = newProgress(); // the event may load another document
  endChain();
  kernel.answer = !isDismissing(walk, name);
  kernel.dialogs = 0;
};

/** The place of a trigger to hover or focus first. @param {Trigger} trigger @param {any} answer */
const throughTrigger = (trigger, answer) => {
  showPlace(trigger.element);
  if (trigger.how !== 'hover') quietly(() => dom.focus(focusFor(trigger), UNSCROLLED));
  const at = inPage(trigger.element, pointOf(trigger.element));
  answer.kind = THROUGH;
  answer.x = at.x;
  answer.y = at.y;
  return answer;
};

const THROUGH = 'through'; // the kind of a trigger's place
const DISPATCHED = 'dispatched'; // the kind of an event that real input cannot fire reliably

/** @type {any} */
const CENTRED = table({ block: 'center', inline: 'center', behavior: 'instant' });

/** @param {any} element */
const showPlace = (element) => dom.scrollIntoView(element, CENTRED);

/** @param {any} field */
const selectAll = (field) => (dom.tag(field) === 'textarea' ? dom.selectArea(field) : dom.select(field));

/** A point of an element's viewport, in the coordinates of the page. @param {any} element @param {{x: number, y: number}} at @returns {any} */
const inPage = (element, at) => {
  const frame = frameOffset(element);
  return { __proto__: null, x: at.x + frame.x, y: at.y + frame.y };
};

/** Leave the field that was placed last, so that it fires its change event. */
const letGo = () => {
  if (placed !== null && dom.connected(placed)) quietly(() => dom.blur(placed));
};

/** @type {any} */
let placed = null;

/** Fire one event without trusted input, and without waiting. @param {string} name */
const fireOne = async (name) => {
  const found = here === null ? undefined : eventOf(here, name);
  if (found === undefined) return;
  try {
    await safe(fire(found));
  } catch (error) {
    noteError(error);
  }
};
