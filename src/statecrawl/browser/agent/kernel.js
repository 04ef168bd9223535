// @ts-check
// What all documents of one page share: the frames of a page have an agent each, and one kernel.
//
// The kernel lives in the agent of the topmost document that may be looked into. An agent in a frame finds it through
// its parents; where the parent is of another origin, the frame is a page of its own as far as we can tell.

/** @returns {any} */
const outerKernel = () => {
  if (window === window.top) return null;
  try {
    const outer = /** @type {any} */ (window.parent.location)[AGENT];
    return outer ? outer(SECRET, 'kernel', NONE) : null;
  } catch {
    return null; // another origin
  }
};

const newKernel = () => ({
  // -- what keeps a page from being quiet --
  pending: 0, // requests, bodies and tasks that will call the page back
  activity: 0, // rises with everything that may have given the page something to do
  leaving: false, // a navigation to another document has begun
  rewritten: 0, // real time when the page wrote its document anew, and may never say that this is all
  frames: false, // the page has observers that only run when a frame is drawn
  slow: false, // frames are drawn more rarely than we can wait for
  transits: 0, // transitions between views, which only get on when frames are drawn
  sockets: 0, // open connections through which the server may speak at any time
  heard: 0, // real time of the last message through one of them
  asked: 0, // real time when the page said something through one, to which the server may still answer
  answered: false, // whether anything came since
  mute: false, // the server let what the page said last pass without an answer
  lull: 0, // longest real time for which the server was silent since, before it said something
  workers: 0, // messages to workers that were not answered yet
  /** @type {null | (() => void)} */ wake: null, // resumes whoever waits for a change
  // -- what happened since the driver last asked --
  /** @type {any[]} */ notes: newList(),
  noted: 0,
  /** @type {any} */ seen: new Set(), // of notes that are told once for each document
  // -- time and chance --
  /** @type {any} */ clock: null,
  /** @type {any} */ chance: null,
  // -- what the next dialogs answer --
  answer: true,
  dialogs: 0, // that had a choice, since the event began
  departed: false, // another document began to load, since the event began
  back: 0, // entries of history that the page itself added, and that lie behind us
  entries: 0, // that it added, and
  entriesBefore: 0, // that it had added before the last event
  refreshes: 0, // of documents that load another one after a while, since the event began
  taps: 0, // of a finger so far
  /** @type {Element | null} */ hovered: null, // the element that the pointer is over
});

/** @type {any} */
const kernel = outerKernel() || setPrototype(newKernel(), null);

const MOST_NOTES = 200; // between two questions of the driver; a page that floods us is not worth more
const LONGEST_NOTE = 2000; // characters of one text

/** @param {any} what a text or a list of such */
const shortened = (what) => {
  if (typeof what === 'string') return what.length > LONGEST_NOTE ? native.slice(what, 0, LONGEST_NOTE) : what;
  for (let i = 0; what && i < what.length; i += 1) what[i] = shortened(what[i]);
  return what;
};

const HELD = 'held'; // the kind of a note without which the driver would not know that a document was left out

/** Tell the driver something with its next answer. @param {string} kind @param {any} what */
const note = (kind, what) => {
  kernel.noted += 1;
  if (kernel.notes.length < MOST_NOTES) append(kernel.notes, [kind, shortened(what)]);
  else if (kind === HELD) kernel.notes[MOST_NOTES - 1] = [kind, shortened(what)];
};

const addToSet = uncurry(Set.prototype.add);
const isInSet = uncurry(Set.prototype.has);

/** Like `note`, but the same thing only once. @param {string} kind @param {string} key @param {any} what */
const noteOnce = (kind, key, what) => {
  const told = kind + ' ' + shortened(key);
  if (isInSet(kernel.seen, told)) return;
  addToSet(kernel.seen, told);
  note(kind, what);
};

/** Something happened: whoever waits for the page should look again. */
const stir = () => {
  kernel.activity += 1;
  const wake = kernel.wake;
  if (wake !== null) {
    kernel.wake = null;
    wake();
  }
};

const begin = () => {
  kernel.pending += 1;
};

const finish = () => {
  kernel.pending -= 1;
  stir();
};
