// @ts-check
// Departure: the report that a document leaves for the next one, so that a walk can continue there.

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
