// @ts-check
// Answers to the driver: report where the page is, walk a path of events, describe a state.

/** @type {Walk | null} */
let here = null; // the last walk, as long as nothing has changed since

const watcher = new MutationObserver(() => {
  hasChanged = true;
});
const WATCHED = table({ subtree: true, childList: true, attributes: true, characterData: true });
const observe = uncurry(MutationObserver.prototype.observe);
const takeRecords = uncurry(MutationObserver.prototype.takeRecords);
const disconnect = uncurry(MutationObserver.prototype.disconnect);
let hasChanged = false; // the page changed without an event

const watch = () => {
  hasChanged = false;
  observe(watcher, document, WATCHED);
  for (let i = 0; here !== null && i < here.roots.length; i += 1) observe(watcher, here.roots[i], WATCHED);
};

const unwatch = () => {
  if (takeRecords(watcher).length > 0) hasChanged = true;
  disconnect(watcher);
};

const MOST_ENDINGS = 4; // of animations and refreshes that start when others have ended

/** Whether something was pending in shadow trees and frames, which only a walk finds. @param {Walk} walk */
const isInnerUnderway = (walk) => {
  if (walk.roots.length === 0) return false;
  const refreshes = refreshFrames(walk);
  return endInnerAnimations(walk) || refreshes;
};

/** Settle, then walk; a frame that is still loading is waited for. @param {number} cap */
const settleAndWalk = async (cap) => {
  const begun = native.now();
  let quiet = await safe(settle(cap));
  let walk = walkPage(false);
  while (walk.unready.length > 0 && native.now() - begun < settings.patience) {
    if (settings.onDemand) await waitForFrame(); // a lazy frame starts to load when it is drawn
    await waitForChange(10);
    quiet = (await safe(settle(cap))) && quiet;
    walk = walkPage(false);
  }
  for (let i = 0; i < walk.unready.length; i += 1) addToSet(lateFrames, walk.unready[i]); // do not wait for these again
  here = walk;
  for (let i = 0; i < MOST_ENDINGS && isInnerUnderway(here); i += 1) {
    quiet = (await safe(settle(cap))) && quiet;
    here = walkPage(false);
  }
  return quiet;
};

/** The report of where the page is. @param {boolean} quiet */
const landing = (quiet) => {
  const walk = /** @type {Walk} */ (here);
  for (let i = 0; i < walk.boundaries.length; i += 1) noteOnce('boundary', walk.boundaries[i], walk.boundaries[i]);
  const report = { __proto__: null, state: walk.id, events: walk.events.length, quiet, cut: walk.cut, notes: kernel.notes, url: location.href, scripts: scriptsHere(), dialogs: kernel.dialogs, back: kernel.entries > kernel.entriesBefore && canGoBack(), lost: isLost(), draws: isDrawn(), status: pageStatus(), leaving: kernel.leaving, born: native.born, before: takePreviousReport() };
  kernel.notes = newList();
  watch();
  return report;
};

/** The HTTP status of this document; 0 when unknown. */
const pageStatus = () => {
  const entries = quietly(() => entriesOf(performance, 'navigation'));
  return (entries && entries.length > 0 && quietly(() => navigationStatus(entries[0]))) || 0;
};
const entriesOf = uncurry(Performance.prototype.getEntriesByType);
const navigationStatus = getterOf(/** @type {any} */ (window).PerformanceResourceTiming.prototype, 'responseStatus');

/** Whether the page depends on being drawn. */
const isDrawn = () => kernel.frames || reactKey !== '' || listenedTypes.transitionend === true || listenedTypes.animationend === true || listenedTypes.scroll === true || listenedTypes.wheel === true;

/** What the driver has to know before it continues, besides the state. */
const surroundings = () => scriptsHere() + isDrawn() + isLost();

/** Digest of the scripts of this document: the driver inspects equal scripts once. */
const scriptsHere = () => {
  const found = dom.findAllIn(document, 'script');
  const hash = new Hash();
  for (let i = 0; i < found.length && i < 2000; i += 1) {
    const source = dom.attribute(found[i], 'src');
    if (source !== null) hash.text(source);
    else {
      const text = dom.text(found[i]) || '';
      hash.code(text.length);
      hash.text(native.slice(text, 0, 100));
    }
  }
  return hash.digest();
};

/** Whether the element that shows a login is missing. */
const isLost = () => settings.session !== '' && !dom.findIn(document, settings.session);

/** Whether there is an element for each of these selectors. @param {string[]} selectors */
const hasAll = (selectors) => {
  for (let i = 0; i < selectors.length; i += 1) if (!dom.findIn(document, selectors[i])) return false;
  return true;
};

/** One login step. Whether the page has its element. @param {string} verb @param {string} selector @param {string} value */
const act = async (verb, selector, value) => {
  unwatch();
  here = null;
  const element = dom.findIn(document, selector);
  if (!element) return false;
  clock.advance();
  if (verb === 'fill' || verb === 'select') await safe(enter(element, value));
  else if (verb === 'submit') submit(element);
  else if (verb === 'press') pressKey(element, value);
  else {
    const spot = spotOn(element);
    movePointer(element, spot);
    await safe(clickOnce(element, spot, 1));
  }
  return true;
};

/** Report where the page is, once it has settled. @param {number} cap */
const arrive = async (cap) => {
  unwatch();
  progress = null;
  return landing(await safe(settleAndWalk(cap)));
};

/** Move the pointer away and take the focus off. Whether the page has settled afterwards. @param {number} cap */
const rest = async (cap) => {
  unwatch();
  const root = dom.root(document);
  if (root) movePointer(root, NOWHERE);
  const active = focused(document);
  if (active && active !== dom.body(document)) quietly(() => dom.blur(active));
  return safe(settleAndWalk(cap));
};

const styleSheets = getterOf(Document.prototype, 'styleSheets');
const cssRules = getterOf(CSSStyleSheet.prototype, 'cssRules');
const ruleText = getterOf(CSSRule.prototype, 'cssText');

/** Those attributes, and classes with a dot, that style sheets use, so that they may be visible. Unreadable sheets may use any.
 * @param {string[]} names */
const styled = (names) => {
  const sheets = styleSheets(document);
  /** @type {string[]} */
  const found = newList();
  for (let k = 0; k < names.length; k += 1) {
    let isUsed = false;
    for (let i = 0; i < sheets.length && !isUsed; i += 1) isUsed = usesName(sheets[i], names[k]);
    if (isUsed) append(found, names[k]);
  }
  return found;
};

/** @param {any} sheet @param {string} name */
const usesName = (sheet, name) => {
  /** @type {any} */
  const rules = quietly(() => cssRules(sheet));
  if (!rules) return true;
  for (let i = 0; i < rules.length; i += 1) {
    const text = quietly(() => ruleText(rules[i]));
    if (text === undefined || (name[0] === '.' && native.indexOf(text, name) >= 0) || native.indexOf(text, '[' + name) >= 0 || native.indexOf(text, 'attr(' + name) >= 0) return true;
  }
  return false;
};

/** Walk a path. Each step is an event and the state that it should lead to, or null when that is unknown. Steps after the
 * first `sure` are new: the walk ends with a new step about which there is more to report than its state.
 *
 * `done` is the number of steps taken; `why` the walk ended: "end", "surprise" (a step led elsewhere), "moved" (the page was
 * not where it should have been), "gone" (the state has no such event) or "late" (no event may start any more).
 * @param {string | null} from @param {[string, string | null][]} steps @param {number} cap for each step @param {number} sure
 * @param {number | null} left milliseconds until no event may start any more; null: there is no such limit */
const walk = async (from, steps, cap, sure, left) => {
  const late = left === null ? Infinity : native.now() + left;
  unwatch();
  if (here === null || hasChanged) await safe(settleAndWalk(cap));
  progress = newProgress();
  let quiet = true;
  let why = 'end';
  let current = /** @type {Walk} */ (/** @type {any} */ (here));
  if (from !== null && current.id !== from) why = 'moved';
  const usual = sure < steps.length - 1 ? surroundings() : '';
  for (let i = 0; why === 'end' && i < steps.length; i += 1) {
    const name = steps[i][0];
    const expected = steps[i][1];
    if (native.now() >= late) {
      why = 'late';
      break;
    }
    const dismiss = isDismissing(current, name);
    const found = eventOf(current, name);
    if (found === undefined) {
      why = 'gone';
      break;
    }
    chance.restart(current.id + ' ' + name);
    clock.advance();
    kernel.entriesBefore = kernel.entries;
    kernel.answer = !dismiss;
    kernel.dialogs = 0;
    kernel.departed = false;
    endChain();
    append(progress.fired, native.born + native.now());
    try {
      await safe(fire(found));
    } catch (error) {
      noteError(error);
    }
    quiet = await safe(settleAndWalk(cap));
    current = /** @type {Walk} */ (/** @type {any} */ (here));
    kernel.answer = true;
    progress.done = i + 1;
    progress.dialogs = kernel.dialogs;
    append(progress.states, current.id);
    if (!quiet || (expected !== null && current.id !== expected)) {
      why = i + 1 === steps.length && expected === null ? 'end' : 'surprise';
      break;
    }
    if (i >= sure && i + 1 < steps.length && (kernel.notes.length > 0 || kernel.dialogs > 0 || kernel.departed || surroundings() !== usual)) {
      why = 'surprise';
      break;
    }
  }
  const report = { ...landing(quiet), __proto__: null, done: progress.done, states: progress.states, fired: progress.fired, dialogs: progress.dialogs, why };
  progress = null;
  return report;
};

/** @type {any} of the current walk */
let progress = null;
const newProgress = () => ({ done: 0, states: newList(), dialogs: 0, fired: newList() });

/** The number of steps taken so far: any answer shows that the page is not stuck. */
const howFar = () => (progress === null ? 0 : progress.done);

/** Whether an event id asks to dismiss the dialogs. @param {Walk} walk @param {string} name */
const isDismissing = (walk, name) => endsWith(name, DISMISSED) && !native.mapHas(walk.byId, name);

/** The event with an id, if the state has it. @param {Walk} walk @param {string} name @returns {Found | undefined} */
const eventOf = (walk, name) => native.mapGet(walk.byId, isDismissing(walk, name) ? native.slice(name, 0, name.length - DISMISSED.length) : name);

/** @param {string} text @param {string} end */
const endsWith = (text, end) => text.length >= end.length && native.slice(text, text.length - end.length) === end;

const outerHTML = getterOf(Element.prototype, 'outerHTML');

/** The HTML of a document, which may be empty. @param {any} doc */
const htmlOf = (doc) => {
  const root = dom.root(doc);
  return root ? outerHTML(root) : '';
};

/** The full description of the current state. @param {boolean} lines whether to add the normal form */
const describe = (lines) => {
  unwatch();
  forgetCensus();
  const detailed = walkPage(lines, true);
  here = detailed; // the next walk starts from what the driver knows
  watch();
  /** @type {string[]} */
  const events = newList();
  /** @type {string[]} */
  const labels = newList();
  /** @type {string[]} */
  const selectors = newList();
  /** @type {any[]} */
  const given = newList();
  /** @type {any[]} */
  const controls = newList();
  const evidence = new Evidence();
  for (let i = 0; i < detailed.events.length; i += 1) {
    const { id, element } = detailed.events[i];
    append(controls, evidence.of(detailed.events[i]));
    append(given, inputsOf(detailed.events[i]));
    append(events, id);
    append(labels, element === null ? '' : labelOf(element));
    append(selectors, element === null ? '' : selectorOf(element));
  }
  const { linked, submits } = lateEvents(detailed.events);
  const details = {
    state: detailed.id, events, labels, selectors, given, controls, addresses: addresses(detailed), denied: deniedAddresses(detailed), linked, submits, strings: globalStrings(), url: location.href, title: tidy(dom.title(document) || '', 300),
    links: links(detailed), forms: forms(), cut: detailed.cut, hidden: detailed.unrevealed, containers: containersOf(detailed.events),
  };
  return { __proto__: null, details: packed(details), lines: detailed.lines === null ? null : joined(detailed.lines), html: native.slice(htmlOf(document), 0, settings.longest) };
};

/** What an event needs besides its element: values, each with the selector of its field; a key; a drop target.
 * @param {Found} found @returns {any[]} pairs of a selector and a text, or null for a password that the agent did not invent */
const inputsOf = ({ kind, element, extra }) => {
  /** @type {any[]} */
  const pairs = newList();
  if (kind === 'input') append(pairs, ['', valueGiven(element, extra)]);
  else if (kind === 'select') append(pairs, ['', dom.optionValue(dom.options(element)[extra])]);
  else if (kind === 'key') append(pairs, ['', extra]);
  else if (kind === 'drag') append(pairs, [selectorOf(extra), '']);
  const fields = kind === 'submit' ? extra[0][extra[1]] : kind === 'click' ? extra : null;
  for (let i = 0; fields && i < fields.length; i += 1) append(pairs, [selectorOf(fields[i][0]), valueGiven(fields[i][0], fields[i][1])]);
  return pairs;
};

/** @param {any} field @param {string} value */
const valueGiven = (field, value) => (dom.tag(field) === 'input' && dom.inputType(field) === 'password' && value !== VALUES.password[0] ? null : value);

const FIELD = '\x1f', LINE = '\x1e'; // end a field and a line; the browser transfers one text much faster than many

/** @param {any[]} lines of texts, perhaps with a mark at the end */
const joined = (lines) => {
  let text = '';
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i];
    text += apart(line[0]) + FIELD + line[1] + FIELD + apart(line[2]) + (line.length > 3 ? FIELD + '1' + LINE : LINE);
  }
  return text;
};

/** The ids of states, from their normal forms and URLs: hashed in the same way as by a walk over the page. Content that is
 * not in a form changes the id. @param {[string, string][]} forms */
const rehash = (forms) => {
  /** @type {string[]} */
  const ids = newList();
  for (let i = 0; i < forms.length; i += 1) {
    const hash = new Hash();
    if (settings.site) hash.text(placeShown(forms[i][0]));
    /** @type {number[]} */
    const shadows = newList(); // of each open element, whether it is the root of a shadow tree
    append(shadows, 0);
    const form = forms[i][1];
    for (let from = 0, to = native.indexOf(form, LINE); to >= 0; from = to + 1, to = native.indexOf(form, LINE, from)) {
      const line = native.slice(form, from, to);
      const what = native.indexOf(line, FIELD) + 1;
      const value = native.indexOf(line, FIELD, what) + 1;
      const end = native.indexOf(line, FIELD, value);
      hashLine(hash, native.slice(line, what, value - 1), native.slice(line, value, end < 0 ? line.length : end), shadows);
    }
    append(ids, hash.digest());
  }
  return ids;
};

/** @param {Hash} hash @param {string} what @param {string} value @param {number[]} shadows */
const hashLine = (hash, what, value, shadows) => {
  if (what === '<') {
    const shadow = value === SHADOW_ROOT;
    append(shadows, shadow ? 1 : 0);
    hash.code(shadow ? SHADOW : OPEN);
    if (!shadow) hash.text(value);
  } else if (what === '>') {
    if (shadows[shadows.length - 1] === 0) hash.code(CLOSE);
    shadows.length -= 1;
  } else if (what === HIDDEN) {
    // It describes the layout, and is no part of the state.
  } else if (what === FOREIGN_FRAME) {
    hash.code(INNER);
  } else if (what === '!') {
    hash.code(EVENT);
    hash.text(value);
  } else if (what === '"') {
    hash.code(TEXT);
    hash.text(value);
  } else {
    hash.code(NAME);
    hash.text(native.slice(what, 1));
    hash.code(VALUE);
    hash.text(what === '@style' && !EXACT && !STRUCTURE && ignoredPatterns.length === 0 ? styleDigest(value) : value);
  }
};

/** A text without the separators. @param {string} text */
const apart = (text) => {
  if (native.indexOf(text, FIELD) < 0 && native.indexOf(text, LINE) < 0) return text;
  let result = '';
  for (let i = 0; i < text.length; i += 1) result += text[i] === FIELD || text[i] === LINE ? ' ' : text[i];
  return result;
};

/** All words by which a person would recognise an element. @param {any} element */
const labelOf = (element) => {
  let label = wordsOf(element, dom.tag(element), ANY_MARK);
  for (let i = 0; i < TELLING.length; i += 1) {
    const value = dom.attribute(element, TELLING[i]);
    if (value) label += ' ' + tidy(value, 100);
  }
  return label;
};

const TELLING = ['title', 'value', 'name', 'href', 'aria-label', 'id', 'formaction'];

const forms = () => {
  const found = dom.findAllIn(document, 'form');
  /** @type {any[]} */
  const descriptions = newList();
  for (let i = 0; i < found.length && i < 200; i += 1) {
    if (!isHtml(found[i])) continue;
    const fields = dom.elements(found[i]);
    /** @type {any[]} */
    const names = newList();
    for (let j = 0; j < fields.length && j < 200; j += 1) append(names, [dom.tag(fields[j]), dom.attribute(fields[j], 'type') || '', dom.attribute(fields[j], 'name') || '']);
    append(descriptions, { action: absolute(dom.attribute(found[i], 'action') || ''), method: dom.attribute(found[i], 'method') || 'get', fields: names });
  }
  return descriptions;
};

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
  const target = kind === 'drag' ? hitOf(extra) : null;
  const hit = hitOf(element);
  if (KINDS[kind].pointed && (hit === null || (kind === 'drag' && target === null))) answer.kind = DISPATCHED;
  const at = inPage(element, hit || pointOf(element));
  answer.x = at.x;
  answer.y = at.y;
  if (target) answer.to = inPage(extra, target);
  return answer;
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

/** The report of the previous document about the walk that left it. @type {any} */
let previousReport = null;

const REPORT_PREFIX = AGENT + ' ';
/** @type {string | null} the window's own name while the window carries a report */
let ownName = null;

/** Leave a report for the next document, which has to know how far a walk had come. The name of the window is the only thing
 * that survives, and it has to be set before the next document starts, which may be before this one receives `pagehide`. The
 * agent of the next document restores the window's own name before any script of the page runs. */
const leaveReport = () => {
  const left = progress === null ? previousReport : progress; // or this document is only passed through
  if ((left === null && !refreshing) || window !== window.top) return;
  if (ownName === null) ownName = native.name();
  const notes = left === null ? NONE : left === previousReport ? previousReport.notes : kernel.notes;
  const dialogs = left === previousReport && left !== null ? previousReport.dialogs : kernel.dialogs;
  const refreshed = refreshing ? [chain.hops + 1, chain.until < 0 ? clock.limit : chain.until] : null;
  native.setName(REPORT_PREFIX + '{"name":' + encoded(ownName) + ',"refreshed":' + encoded(refreshed) + ',"states":' + encoded(left === null ? null : left.states) + ',"fired":' + encoded((left && left.fired) || NONE) + ',"dialogs":' + encoded(dialogs) + ',"clock":' + encoded(clock.now) + ',"notes":' + encoded(notes) + '}');
};

/** JSON of texts, numbers and lists, even if a page defines "toJSON". @param {any} value @returns {string} */
const encoded = (value) => {
  if (typeof value !== 'object' || value === null) return native.json(value) || 'null';
  let items = '';
  for (let i = 0; i < value.length; i += 1) items += (i ? ',' : '') + encoded(value[i]);
  return '[' + items + ']';
};

/** Remove the report: the document stays after all. */
const withdrawReport = () => {
  if (ownName === null) return;
  native.setName(ownName);
  ownName = null;
};

const installReport = () => {
  if (window !== window.top || native.indexOf(window.name, REPORT_PREFIX) !== 0) return;
  previousReport = quietly(() => native.parse(native.slice(window.name, REPORT_PREFIX.length)));
  if (previousReport && previousReport.clock > 0) clock.now = +previousReport.clock;
  window.name = previousReport ? String(previousReport.name) : '';
  if (previousReport && previousReport.refreshed) {
    chain.hops = +previousReport.refreshed[0] || 0;
    chain.until = +previousReport.refreshed[1] || 0;
  }
  if (previousReport && previousReport.states === null) previousReport = null; // there was no walk
};

/** The report of the previous document, once. */
const takePreviousReport = () => {
  const report = previousReport;
  previousReport = null;
  return report;
};
