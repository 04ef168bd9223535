// @ts-check
// Virtual time: timers, animation frames, idle callbacks, Date and performance.now run on a clock of our own.
//
// The clock stands still while the page works and while it waits for the server. When the page is idle otherwise, the clock
// jumps to the next timer and runs it. So a delay of a second takes no time, callbacks run in their natural order, and no
// response is overtaken by a time-out.
//
// Between two events the clock advances by a fixed amount, as it would for a person: pages may ignore the second of two
// simultaneous events, or distinguish their items by time. The clock continues when a step loads another document.
//
// The effect of an event must not depend on how long the crawl has been running. Hence a timer that is set beyond the horizon
// never runs, and every period of settling runs a timer that sets itself anew, or an interval, a limited number of times: until
// the horizon, and never more than MOST_RUNS.
//
// Both limits are stretched where a path is repeated to find dynamic content (`settings.stretch`), so that a page's own tick
// counts differ from visit to visit. A timer that is set beyond the horizon does not run there either.

const MOST_RUNS = 100 * settings.stretch; // of one timer, or of one function that sets itself anew, per period of settling
const MOST_TIMERS = 2000; // per period of settling
const FRAME = 1000 / 60; // milliseconds

class Clock {
  /** @param {number} epoch */
  constructor(epoch) {
    this.epoch = epoch; // the first value of Date
    this.now = 0; // milliseconds of page time since then
    this.horizon = settings.horizon;
    this.counter = 0;
    this.ran = 0; // timers in this period of settling
    /** @type {any} */ this.runs = new Map(); // function or interval -> runs in this period of settling
    /** @type {any[]} */ this.agenda = newList(); // a heap by (due, number)
    /** @type {any} */ this.timers = new Map(); // number -> timer
  }

  /** @param {any} act @param {number} delay @param {boolean} repeat @param {any[]} values @param {any} scope */
  set(act, delay, repeat, values, scope) {
    const wait = delay > 0 ? delay : 0; // also for values that are not numbers
    this.counter += 1;
    const timer = { number: this.counter, due: this.now + wait, period: repeat ? (wait > 4 ? wait : 4) : -1, act, values, scope };
    if (wait <= this.horizon) {
      native.mapSet(this.timers, timer.number, timer);
      this.push(timer);
      wakeUp();
    }
    return timer.number;
  }

  /** @param {number} number */
  clear(number) {
    const timer = native.mapGet(this.timers, number);
    if (timer !== undefined) {
      native.mapDelete(this.timers, number);
      timer.act = null;
    }
  }

  /** Advance the clock before an event. */
  advance() {
    this.now += settings.step;
  }

  /** Start a period of settling: everything may run again. */
  rewind() {
    this.ran = 0;
    this.runs = new Map();
    this.limit = this.now + this.horizon * settings.stretch;
  }

  /** Run the next timer that is due now, or with `jump` the next one at all. Whether there was one. @param {boolean} jump */
  step(jump) {
    for (;;) {
      if (this.agenda.length === 0 || this.ran >= MOST_TIMERS) return false;
      const timer = this.agenda[0];
      if (timer.act === null) {
        this.pop();
        continue;
      }
      if (timer.due > this.now && !jump) return false;
      if (timer.due > this.limit) return false;
      this.pop();
      const key = timer.period >= 0 ? timer.number : native.weakGet(sameAs, timer.act) || timer.act;
      const runs = native.mapGet(this.runs, key) || 0;
      if (runs >= MOST_RUNS) {
        append(this.exhausted, timer);
        continue;
      }
      native.mapSet(this.runs, key, runs + 1);
      this.run(timer);
      return true;
    }
  }

  /** Milliseconds until the next timer that will run; 0 if there is none. */
  wait() {
    return this.agenda.length > 0 && this.agenda[0].due <= this.limit ? this.agenda[0].due - this.now : 0;
  }

  /** @param {any} timer */
  run(timer) {
    this.ran += 1;
    if (timer.due > this.now) this.now = timer.due;
    if (timer.period >= 0) {
      timer.due = this.now + timer.period;
      this.push(timer);
    } else {
      native.mapDelete(this.timers, timer.number);
    }
    try {
      if (typeof timer.act === 'function') native.apply(timer.act, timer.scope, timer.values);
      else timer.scope.eval(String(timer.act)); // a string, as browsers still allow
    } catch (error) {
      noteError(error);
    }
  }

  /** End a period of settling: timers that ran too often may run again in the next one. */
  rest() {
    const exhausted = this.exhausted;
    this.exhausted = newList();
    for (let i = 0; i < exhausted.length; i += 1) {
      exhausted[i].due = this.now + (exhausted[i].period > 0 ? exhausted[i].period : FRAME);
      this.push(exhausted[i]);
    }
  }

  /** @type {any[]} */ exhausted = newList();
  limit = 0;

  /** @param {any} timer */
  push(timer) {
    const heap = this.agenda;
    let at = heap.length;
    append(heap, timer);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!earlier(timer, heap[above])) break;
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = timer;
  }

  pop() {
    const heap = this.agenda;
    const last = heap[heap.length - 1];
    heap.length -= 1;
    const size = heap.length;
    if (size === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= size) break;
      if (below + 1 < size && earlier(heap[below + 1], heap[below])) below += 1;
      if (!earlier(heap[below], last)) break;
      heap[at] = heap[below];
      at = below;
    }
    heap[at] = last;
  }
}
detach(Clock);

/** @param {any} one @param {any} other */
const earlier = (one, other) => one.due < other.due || (one.due === other.due && one.number < other.number);

if (kernel.clock === null) kernel.clock = new Clock(settings.epoch);
/** @type {Clock} */
const clock = kernel.clock;

/** Record an error of the page's code that we ran. @param {any} error */
const noteError = (error) => {
  const text = quietly(() => native.slice(String((error && error.stack) || error), 0, 2000));
  noteOnce('error', String(text), String(text));
};

const installTime = () => {
  const given = /** @param {IArguments} values @param {number} from */ (values, from) => {
    /** @type {any[]} */
    const rest = newList();
    for (let i = from; i < values.length; i += 1) append(rest, values[i]);
    return rest;
  };
  replace(window, 'setTimeout', function setTimeout(/** @type {any} */ act, /** @type {any} */ delay) {
    return clock.set(act, +delay, false, given(arguments, 2), window);
  });
  replace(window, 'setInterval', function setInterval(/** @type {any} */ act, /** @type {any} */ delay) {
    return clock.set(act, +delay, true, given(arguments, 2), window);
  });
  const clear = /** @param {any} number */ (number) => clock.clear(+number);
  replace(window, 'clearTimeout', function clearTimeout(/** @type {any} */ number) { clear(number); });
  replace(window, 'clearInterval', function clearInterval(/** @type {any} */ number) { clear(number); });
  replace(window, 'requestAnimationFrame', function requestAnimationFrame(/** @type {any} */ act) {
    const frame = (native.floor(clock.now / FRAME + 1e-6) + 1) * FRAME; // all callbacks of one frame run at one time
    const run = () => act(performanceNow());
    native.weakSet(sameAs, run, act);
    return clock.set(run, frame - clock.now, false, NONE, window);
  });
  replace(window, 'cancelAnimationFrame', function cancelAnimationFrame(/** @type {any} */ number) { clear(number); });
  const idle = () => ({ didTimeout: false, timeRemaining: () => 50 });
  replace(window, 'requestIdleCallback', function requestIdleCallback(/** @type {any} */ act) {
    const run = () => act(idle());
    native.weakSet(sameAs, run, act);
    return clock.set(run, 1, false, NONE, window);
  });
  replace(window, 'cancelIdleCallback', function cancelIdleCallback(/** @type {any} */ number) { clear(number); });
  installDate();
};

/** @type {WeakMap<any, any>} */
const sameAs = new WeakMap(); // our wrapper -> the page's function
const performanceNow = () => clock.now;

/** Replace every way to read the time. */
const installDate = () => {
  const RealDate = Date;
  const time = () => clock.epoch + native.floor(clock.now);
  const text = uncurry(RealDate.prototype.toString);
  /** @type {any} */
  const VirtualDate = /** @this {any} @returns {any} */ function Date(/** @type {any[]} */ ...values) {
    if (!new.target) return text(new RealDate(time()));
    return native.construct(RealDate, values.length ? values : [time()], new.target === VirtualDate ? RealDate : new.target);
  };
  VirtualDate.prototype = RealDate.prototype;
  native.define(RealDate.prototype, 'constructor', { value: VirtualDate, writable: true, configurable: true });
  VirtualDate.UTC = RealDate.UTC;
  VirtualDate.parse = RealDate.parse;
  VirtualDate.now = function now() { return time(); };
  disguise(VirtualDate, RealDate);
  disguise(VirtualDate.now, RealDate.now);
  native.define(window, 'Date', { value: VirtualDate, writable: true, configurable: true, enumerable: false });
  replace(Performance.prototype, 'now', function now() { return performanceNow(); });
  native.define(Performance.prototype, 'timeOrigin', { get: () => clock.epoch, configurable: true, enumerable: true });
  const formats = Intl.DateTimeFormat.prototype;
  const parts = uncurry(formats.formatToParts);
  replace(formats, 'formatToParts', function formatToParts(/** @type {any} */ date) {
    return parts(this, date === undefined ? time() : date);
  });
  const format = getterOf(formats, 'format');
  native.define(formats, 'format', {
    get() {
      const bound = format(this);
      return (/** @type {any} */ date) => bound(date === undefined ? time() : date);
    },
    configurable: true,
  });
  const moments = new WeakMap();
  native.define(Event.prototype, 'timeStamp', {
    get() {
      let moment = native.weakGet(moments, this);
      if (moment === undefined) native.weakSet(moments, this, (moment = performanceNow()));
      return moment;
    },
    configurable: true,
    enumerable: true,
  });
  installTemporal(time);
};

/** @param {() => number} time */
const installTemporal = (time) => {
  const Temporal = /** @type {any} */ (window).Temporal;
  if (!Temporal) return;
  const instant = Temporal.Instant.fromEpochMilliseconds;
  const zoned = uncurry(Temporal.Instant.prototype.toZonedDateTimeISO);
  const here = Temporal.Now.timeZoneId;
  const at = /** @param {any} zone */ (zone) => zoned(instant(time()), zone === undefined ? here() : zone);
  const kinds = Temporal.ZonedDateTime.prototype;
  replace(Temporal.Now, 'instant', function instant_() { return instant(time()); });
  replace(Temporal.Now, 'zonedDateTimeISO', function zonedDateTimeISO(/** @type {any} */ zone) { return at(zone); });
  for (const kind of ['PlainDateTime', 'PlainDate', 'PlainTime']) {
    const take = uncurry(kinds['to' + kind]);
    replace(Temporal.Now, 'p' + native.slice(kind, 1) + 'ISO', function (/** @type {any} */ zone) { return take(at(zone)); });
  }
};
