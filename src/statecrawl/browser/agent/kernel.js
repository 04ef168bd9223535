// @ts-check
// Kernel: the state that all documents of one page share. Each frame has an agent of its own, but there is one kernel.
//
// The kernel lives in the agent of the topmost document of the same origin. An agent in a frame finds it through its parents.
// Where the parent has another origin, the frame counts as a page of its own.

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
  // -- what prevents the page from being settled --
  pending: 0, // requests, bodies and tasks that will call the page back
  activity: 0, // increases with everything that may have given the page something to do
  leaving: false, // a navigation to another document has started
  rewritten: 0, // real time when the page wrote its document anew, which it may never close
  frames: false, // the page has observers that only run when a frame is drawn
  slow: false, // frames are drawn more rarely than we can wait for
  transits: 0, // view transitions, which only progress when frames are drawn
  sockets: 0, // open connections through which the server may send at any time
  lastMessage: 0, // real time of the last message on one of them
  messageSent: 0, // real time when the page sent a message to which the server may still reply
  hasReply: false, // whether a message has arrived since
  isUnanswered: false, // the server has not replied to the page's last message
  lull: 0, // longest real time of silence since then before a message of the server
  isUsed: false, // an event was fired in the document
  workers: 0, // messages to workers without a reply so far
  /** @type {null | (() => void)} */ wake: null, // resumes the code that waits for a change
  // -- what happened since the last question of the driver --
  /** @type {any[]} */ notes: newList(),
  noted: 0,
  /** @type {any} */ seen: new Set(), // notes that are reported once for each document
  // -- time and randomness --
  /** @type {any} */ clock: null,
  /** @type {any} */ chance: null,
  // -- answers to the next dialogs --
  answer: true,
  dialogs: 0, // dialogs with a choice since the event started
  departed: false, // another document started to load since the event started
  back: 0, // history entries that the page itself added and that lie behind the current one
  entries: 0, // that it added
  entriesBefore: 0, // that it had added before the last event
  refreshes: 0, // of documents that load another one after a while, since the event started
  taps: 0, // of a finger so far
  /** @type {Element | null} */ hovered: null, // the element under the pointer
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

const HELD = 'held'; // the kind of a note that reports a document that was not loaded

/** Report something to the driver with the next answer. @param {string} kind @param {any} what */
const note = (kind, what) => {
  kernel.noted += 1;
  if (kernel.notes.length < MOST_NOTES) append(kernel.notes, [kind, shortened(what)]);
  else if (kind === HELD) kernel.notes[MOST_NOTES - 1] = [kind, shortened(what)];
};

const addToSet = uncurry(Set.prototype.add);
const isInSet = uncurry(Set.prototype.has);

/** Like `note`, but only once for each key. @param {string} kind @param {string} key @param {any} what */
const noteOnce = (kind, key, what) => {
  const identity = kind + ' ' + shortened(key);
  if (isInSet(kernel.seen, identity)) return;
  addToSet(kernel.seen, identity);
  note(kind, what);
};

/** Something happened: resume the code that waits for a change. */
const wakeUp = () => {
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
  wakeUp();
};
