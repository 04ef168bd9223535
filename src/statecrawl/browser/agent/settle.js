// @ts-check
// Settling: waiting until nothing is pending that will change the page without a further event.
//
// In rounds: let the tasks run that the page has posted; wait for the server; only then let virtual time jump to the next timer.
// The page has settled when a round finds nothing left. Three things are waited for in real time, because nothing reports when
// they are done: a drawn frame, if observers or ends of transitions depend on it; the reply of a worker; and silence on a
// socket.

const SILENCE = 100; // real milliseconds without a message, after which a socket counts as idle
const LULLS = 4; // times the longest silence so far, while a server replies: a busy one takes longer
const ANSWER_TIME = 1000; // real milliseconds for which a server may reply to a message on a socket
const WORKER_TIME = 300; // real milliseconds for which a worker may take to reply
const UNDRAWN = 100; // real milliseconds after which a pending task may be waiting for a frame
const DRAW_TIME = 500; // real milliseconds to wait for a frame at most
const SLOW_DRAW_TIME = 60; // the same once one has not come in time: Chromium draws some pages only once a second

guard(document, 'readystatechange', wakeUp);

const channel = new MessageChannel();
/** @type {(() => void)[]} */
const turns = newList();
const postTurn = uncurry(MessagePort.prototype.postMessage);
native.listen(channel.port2, 'message', () => {
  const turn = turns[0];
  for (let i = 1; i < turns.length; i += 1) turns[i - 1] = turns[i];
  turns.length -= 1;
  turn();
});
channel.port2.start();

/** Let every task run that was posted before. */
const yieldTurn = () =>
  safe(new native.promise((/** @type {any} */ resolve) => {
    append(turns, resolve);
    postTurn(channel.port1, 0);
  }));

/** Wait until something happens, or the time is over. @param {number} milliseconds real ones */
const waitForChange = (milliseconds) =>
  safe(new native.promise((/** @type {any} */ resolve) => {
    const timer = native.setTimeout(() => {
      kernel.wake = null;
      resolve(undefined);
    }, milliseconds);
    kernel.wake = () => {
      native.clearTimeout(timer);
      resolve(undefined);
    };
  }));

let wanted = 0; // frames that are waited for
/** @type {(() => void) | null} */
let requestFrame = null; // reports to the driver that a frame is wanted

/** The result of a question, or a request for a frame: the driver draws one and asks again. @param {any} underway */
const orFrame = (underway) =>
  forDriver(new native.promise((/** @type {any} */ resolve, /** @type {any} */ reject) => {
    const end = (/** @type {any} */ how) => (/** @type {any} */ what) => {
      requestFrame = null;
      how(what);
    };
    requestFrame = () => end(resolve)({ __proto__: null, frame: true });
    hand(underway, end(resolve), end(reject));
    if (wanted > 0) requestFrame();
  }));

/** Pass on the result of a promise of ours. @param {any} promise @param {(what: any) => void} done @param {(error: any) => void} failed */
const hand = async (promise, done, failed) => {
  try {
    done(await safe(promise));
  } catch (error) {
    failed(error);
  }
};

const waitForFrame = () =>
  safe(new native.promise((/** @type {any} */ resolve) => {
    let late = false;
    wanted += 1;
    if (requestFrame !== null) requestFrame();
    const timer = native.setTimeout(() => {
      late = true;
      wanted -= 1;
      kernel.slow = true;
      resolve(undefined);
    }, kernel.slow ? SLOW_DRAW_TIME : DRAW_TIME);
    native.frame(() => {
      native.clearTimeout(timer);
      if (!late) wanted -= 1;
      if (!late) kernel.slow = false;
      native.setTimeout(() => hand(yieldTurn(), resolve, resolve), 0); // after the frame is drawn: its end posts the callbacks of observers
    });
  }));

/** @type {any} animations that have ended, and whose end was reported to the page or is about to be */
const ended = new WeakMap();

/** End all finite animations of a document or a shadow tree. Whether there were any.
 *
 * One without a duration has ended already, but its listeners are called only when a frame is drawn.
 * @param {any} root @param {number} most milliseconds that one may last */
const endAnimationsIn = (root, most) => {
  const running = dom.type(root) === 9 ? dom.animations(root) : dom.animationsIn(root);
  let some = false;
  for (let i = 0; i < running.length; i += 1) {
    const animation = running[i];
    if (dom.playState(animation) === 'running' || dom.pending(animation)) {
      if (most < Infinity && !quietly(() => dom.timing(dom.effect(animation)).endTime <= most)) continue;
      if (!quietly(() => (dom.endAnimation(animation), true))) continue;
    } else if (dom.playState(animation) !== 'finished' || native.weakGet(ended, animation)) continue;
    native.weakSet(ended, animation, true);
    some = true;
  }
  return some;
};

/** The same for all shadow trees and frames that a walk has visited. @param {Walk | null} walk @param {number} most */
const endInnerAnimations = (walk, most = Infinity) => {
  let some = false;
  for (let i = 0; walk !== null && i < walk.roots.length; i += 1) if (quietly(() => endAnimationsIn(walk.roots[i], most)) === true) some = true;
  return some;
};

/** The same for the whole page, as last walked. @param {number} most */
const endAnimations = (most = Infinity) => {
  const some = endAnimationsIn(document, most);
  return endInnerAnimations(here, most) || some;
};

/** Whether the page listens for animations that end before its next timer. */
const listensForEnds = () => (listenedTypes.transitionend || listenedTypes.animationend) && clock.wait() > 0;

/** The next timer before which animations are ended. Ending them computes all styles, which is what starts a transition:
 * the style has to be different before. It may take long, so it is done before the first timers and then ever more
 * rarely, 13 times for 100 timers. @param {number} timer its number while settling once */
const nextEnding = (timer) => (timer < 6 ? timer + 1 : native.floor(timer * 1.5));

/** Whether the document is still being loaded. A document that was rewritten may never be closed. */
const isIncomplete = () => dom.ready(document) !== 'complete' && (kernel.rewritten === 0 || native.now() - kernel.rewritten < settings.patience);

/** The silence after which sockets count as idle: longer while the server may reply.
 *
 * A page that acknowledges what the server pushes sends again and again, so all replies together get no longer than one.
 * @param {number} waited real milliseconds for which this period of settling has waited for nothing but sockets */
const silence = (waited) => {
  if (kernel.messageSent === 0) return SILENCE;
  if (native.now() - kernel.messageSent > ANSWER_TIME) {
    if (!kernel.hasReply) kernel.isUnanswered = true;
    kernel.messageSent = 0;
    return SILENCE;
  }
  if (waited > ANSWER_TIME) return SILENCE;
  if (!kernel.hasReply) return kernel.isUnanswered ? SILENCE : ANSWER_TIME;
  return kernel.lull * LULLS > SILENCE ? kernel.lull * LULLS : SILENCE;
};

/** Resolves to whether the page settled before the cap. @param {number} cap real milliseconds */
const settle = async (cap) => {
  const begun = native.now();
  clock.rewind();
  kernel.pushed = 0;
  let waited = 0; // on sockets
  let drawn = 0;
  let between = 0; // frames drawn between timers
  let timers = 0; // before which animations might end
  let ending = 1; // the next of them before which animations do end
  let quiet = 0;
  let last = -1; // activity seen
  let moved = begun; // when it was seen
  let lost = false;
  for (;;) {
    const spent = native.now() - begun;
    if (spent > cap) {
      lost = true;
      break;
    }
    const before = kernel.activity;
    if (before !== last) {
      last = before;
      moved = native.now();
    }
    await yieldTurn();
    if (clock.step(false)) continue;
    if (kernel.activity !== before) continue;
    if (kernel.leaving || isIncomplete()) {
      await waitForChange(50);
      continue;
    }
    if (kernel.pending > 0 || isLoading()) {
      await waitForChange(kernel.transits > 0 ? 0 : kernel.pending > 0 ? 100 : 10);
      if (kernel.activity !== before) continue;
      dropOverdue();
      if (settings.onDemand && (kernel.transits > 0 || native.now() - moved > UNDRAWN)) await waitForFrame(); // it may be waiting for one
      continue;
    }
    if (kernel.workers > 0 && native.now() - kernel.lastMessage < WORKER_TIME) {
      await waitForChange(20);
      continue;
    }
    if (listensForEnds()) {
      timers += 1;
      if (timers === ending) {
        ending = nextEnding(timers);
        if (endAnimations(clock.wait()) && between < 4) {
          between += 1;
          await waitForFrame();
          continue;
        }
      }
    }
    if (clock.step(true)) continue;
    if (kernel.sockets > 0 && native.now() - kernel.lastMessage < silence(waited)) {
      const from = native.now();
      await waitForChange(SILENCE);
      waited += native.now() - from;
      continue;
    }
    kernel.messageSent = 0;
    if (endAnimations() && drawn < 4) {
      drawn += 1;
      if (settings.onDemand || listenedTypes.transitionend || listenedTypes.animationend || reactKey) await waitForFrame();
      else await yieldTurn();
      continue;
    }
    if ((kernel.frames || kernel.mustDraw) && drawn < 4) {
      const seen = kernel.activity;
      kernel.mustDraw = false;
      drawn += 1;
      await waitForFrame();
      if (kernel.activity !== seen || clock.agenda.length) continue;
    }
    await yieldTurn(); // unhandled rejections are reported one task later
    quiet += 1;
    if (quiet > 1 || kernel.activity === before) break;
  }
  clock.rest();
  kernel.workers = 0;
  return !lost;
};
