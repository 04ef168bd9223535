// @ts-check
// Installation: everything is in place before the first script of the page runs.

installDisguise();
installTime();
installChance();
installListeners();
installCoordinates();
installCapture();
installShadows();
installModals();
installNetwork();
installDialogs();
installWindows();
installRewriting();
installNavigation();
installRefresh();
installHistory();
installFailures();
installComplaints();
installLeaving();
installReport();

/** @type {any} */
const verbs = { __proto__: null, arrive, walk, howFar, describe, rest, styled, place, passTime, fireOne, letGo, stay, act, isLost, hasAll, rehash, leave: forget_, kernel: () => kernel, makers: () => makers, refresh };

/** @type {any} verbs whose answer is a promise */
const SLOW = table({ arrive: 1, walk: 1, rest: 1, act: 1, passTime: 1, fireOne: 1 });

/** @type {any} */
let underway = null; // the last question that is still being answered

/** @param {string} verb @param {any[]} values */
const answer = (verb, values) => {
  if (verb === 'drawn') return underway === null ? null : orFrame(underway);
  const answered = native.apply(verbs[verb], undefined, values);
  if (SLOW[verb] !== 1) return answered;
  if (!settings.onDemand) return forDriver(answered);
  underway = answered;
  return orFrame(answered);
};

// A property of the location itself, which no page can replace. A page could shadow a property of a prototype with its own and
// receive the secret; and pages inspect the properties of the window for unknown ones.
native.define(window.location, AGENT, {
  value: (/** @type {string} */ word, /** @type {string} */ verb, /** @type {any[]} */ values) => (word === SECRET ? answer(verb, values) : undefined),
  writable: false,
  configurable: false,
  enumerable: false,
});
