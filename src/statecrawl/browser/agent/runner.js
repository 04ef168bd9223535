// @ts-check
// Answers to the driver: report where the page is, and walk a path of events.

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
  kernel.isUsed = true;
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
    kernel.isUsed = true;
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
