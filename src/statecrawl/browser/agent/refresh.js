// @ts-check
// Refreshes: `<meta http-equiv=refresh>` and the Refresh header load another document after a while.
//
// A refresh is a timer like any other: it runs in page time, within the horizon, counted from the event or load that
// started the chain, however many documents refresh each other on the way. The browser's own timer, which runs in real time,
// is stopped in the page. A document that only reloads itself is not refreshed.

const MOST_REFRESHES = 20; // in a row

/** The chain of refreshes that led here, as left by the previous documents. */
const chain = { hops: 0, until: -1 };

/** Start a new chain at an event. */
const endChain = () => {
  chain.hops = kernel.refreshes = 0;
  chain.until = -1;
};

let refreshesTo = ''; // the URL that this document loads after a while
let refreshing = false; // the next document belongs to the chain

/** Load a URL after a while. Whether it will be loaded. @param {number} delay milliseconds of page time @param {string} address */
const refresh = (delay, address) => {
  refreshesTo = absolute(address || location.href);
  if (chain.hops >= MOST_REFRESHES || (chain.until >= 0 && clock.now + delay > chain.until)) return false;
  return refreshIn(window, delay, refreshesTo);
};

/** @param {any} view @param {number} delay @param {string} target */
const refreshIn = (view, delay, target) => {
  if (withoutFragment(target) === withoutFragment(view.location.href) || delay > clock.horizon) return false;
  const doc = view.document;
  clock.set(() => {
    if (view.document !== doc) return;
    refreshing = true;
    quietly(() => view.location.replace(target));
    refreshing = false;
  }, delay, false, NONE, window);
  return true;
};

const CONTENT = /^\s*(?:(\d+)[\d.]*|\.[\d.]*)(?:$|\s*[;,\s]\s*(.*)$)/;
const PREFIX = /^url\s*=\s*/i;
const QUOTED = /^(["'])([^"']*)/;
const LONGEST_CONTENT = 2000; // characters

/** Parse "5; url='next.html'" as browsers do. @param {string} content @returns {{delay: number, address: string} | null} */
const readRefresh = (content) => {
  const found = native.exec(CONTENT, native.slice(content, 0, LONGEST_CONTENT));
  if (found === null) return null;
  const rest = found[2] || '';
  const prefix = native.exec(PREFIX, rest);
  const bare = prefix === null ? rest : native.slice(rest, prefix[0].length);
  const quoted = native.exec(QUOTED, bare);
  return { delay: +(found[1] || 0) * 1000, address: quoted === null ? bare : quoted[2] };
};

/** The refresh that a document contains. @param {any} doc @returns {{delay: number, address: string} | null} */
const refreshOf = (doc) => {
  const meta = dom.findIn(doc, 'meta[http-equiv="refresh" i]');
  return meta ? readRefresh(dom.attribute(meta, 'content') || '') : null;
};

const findRefresh = () => {
  const read = dom.ready(document) === 'complete' ? refreshOf(document) : null;
  if (read !== null) refresh(read.delay, read.address);
};

/** Documents of frames that were inspected. */
const inspectedFrames = new WeakSet();

/** Let the frames that a walk has visited refresh. Whether any will. @param {Walk | null} walk */
const refreshFrames = (walk) => {
  let some = false;
  for (let i = 0; walk !== null && i < walk.roots.length; i += 1) {
    const doc = walk.roots[i];
    if (dom.type(doc) !== 9 || hasWeakly(inspectedFrames, doc)) continue;
    addWeakly(inspectedFrames, doc);
    const view = dom.view(doc);
    const read = view && kernel.refreshes < MOST_REFRESHES ? refreshOf(doc) : null;
    if (read === null) continue;
    const target = quietly(() => native.href(new native.URL(read.address, doc.baseURI)));
    kernel.refreshes += 1;
    if (target && refreshIn(view, read.delay, target)) some = true;
  }
  return some;
};

const hasWeakly = uncurry(WeakSet.prototype.has);
const addWeakly = uncurry(WeakSet.prototype.add);

const SoleError = Error;

/** Whether the browser navigates by its own timer: to the refresh URL of this document, and not from a script. @param {string} url */
const isRefresh = (url) => {
  if (refreshing || refreshesTo === '' || url !== refreshesTo) return false;
  const stack = String(new SoleError().stack || '');
  let calls = 0;
  for (let at = native.indexOf(stack, '\n'); at >= 0; at = native.indexOf(stack, '\n', at + 1)) calls += 1;
  return calls === 2; // this function and the listener
};

const installRefresh = () => {
  if (window === window.top) guard(document, 'readystatechange', findRefresh);
};
