// Virtual page time, as in the crawl: it stands still until the page has nothing else to do, then jumps to the next timer.
//
// So a message that disappears after five seconds does so in every run, however slow the machine is, and without waiting.
// Timers beyond the horizon never run. Frames of the same origin share the clock of the page.
((BEGINNING) => {
  const STEP = 1000, HORIZON = 10000, FRAME = 1000 / 60; // milliseconds of page time
  const MOST_RUNS = 100, MOST_TIMERS = 2000; // per function, and in total, after one event
  const MOST_TURNS = 5; // for the page to show a typed letter or the effect of a press
  const DRAWN = 100; // maximum real milliseconds to wait for a frame
  const outer = (() => { try { return window.top.__clock; } catch { return null; } })();
  if (window !== window.top && !outer) return; // a frame of another origin runs in real time
  const roots = outer ? outer.roots : [];
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(init) { // so that every shadow tree can be inspected
    const root = attach.call(this, { ...init, mode: 'open' });
    roots.push(new WeakRef(root));
    return root;
  };

  const make = () => {
    const timers = new Map(); // number -> timer
    const open = new Set(); // pending requests
    const really = window.setTimeout.bind(window), frame = window.requestAnimationFrame.bind(window);
    let counter = 0, ran = 0;
    let runs = new Map(); // function, or number of an interval -> how often it ran
    const turn = () => new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = () => { port2.close(); done(); };
      port1.postMessage(0);
    });
    const drawn = () => new Promise((done) => { frame(() => really(done, 0)); really(done, DRAWN); });
    /** Finishes all animations that end within this time. Returns whether there were any. */
    const endAnimations = (time) => {
      let some = false;
      for (const root of [document, ...roots.map((each) => each.deref()).filter(Boolean)]) {
        for (const each of root.getAnimations()) {
          const end = each.effect ? each.effect.getComputedTiming().endTime : Infinity;
          if (each.playState !== 'running' || end === Infinity || end - (each.currentTime || 0) > time) continue;
          try {
            each.finish();
            some = true;
          } catch { /* it is not running */ }
        }
      }
      return some;
    };
    const clock = {
      now: 0,
      limit: HORIZON,
      roots,
      set(key, act, delay, period) {
        if (!(delay <= HORIZON)) delay = delay > 0 ? Infinity : 0;
        counter += 1;
        if (delay <= HORIZON) timers.set(counter, { number: counter, due: clock.now + Math.max(delay, 0), period, act, key: key || counter });
        return counter;
      },
      clear(number) { timers.delete(+number); },
      /** Advances time between two events. */
      advance() {
        for (const timer of timers.values()) if (runs.get(timer.key) >= MOST_RUNS) timer.due = clock.now + (timer.period || FRAME);
        clock.now += STEP;
        clock.rewind(HORIZON);
      },
      rewind(time) {
        clock.limit = clock.now + time;
        ran = 0;
        runs = new Map();
      },
      next() {
        let next = null;
        for (const timer of timers.values()) {
          if ((runs.get(timer.key) || 0) < MOST_RUNS && (next === null || timer.due < next.due)) next = timer;
        }
        return next === null || next.due > clock.limit || ran >= MOST_TIMERS ? null : next;
      },
      /** Runs the next timer. Returns whether there was one. */
      step() {
        const next = clock.next();
        if (next === null) return false;
        ran += 1;
        runs.set(next.key, (runs.get(next.key) || 0) + 1);
        clock.now = Math.max(clock.now, next.due);
        if (next.period) next.due = clock.now + next.period;
        else timers.delete(next.number);
        try { next.act(); } catch (error) { reportError(error); }
        return true;
      },
      /** Lets time pass while a button is held down. */
      async pass(time) {
        clock.rewind(time);
        for (let turns = 0; turns < MOST_TURNS; turns += 1) do await turn(); while (clock.step());
        clock.rewind(HORIZON);
      },
      /** Runs the page until it has settled. Returns false if it is waiting for its server. */
      async settle() {
        for (let frames = 0, between = 0; frames < 4;) {
          await turn();
          if (document.readyState !== 'complete' || open.size > 0) return false;
          const next = clock.next();
          if (between < 4 && next !== null && next.due > clock.now && endAnimations(next.due - clock.now)) {
            between += 1;
            await drawn();
            continue;
          }
          if (clock.step()) continue;
          const before = counter;
          endAnimations(Infinity);
          await drawn();
          frames += 1;
          if (counter === before && open.size === 0) return true;
        }
        return true;
      },
      /** Stops waiting for the pending requests. */
      forget() { open.clear(); },
      follow(promise) {
        const key = {};
        const done = () => open.delete(key);
        open.add(key);
        promise.then(done, done);
        return promise;
      },
    };
    return clock;
  };

  const clock = outer || make();
  const call = (act, values) => () => (typeof act === 'function' ? act.apply(window, values) : window.eval(String(act)));
  window.setTimeout = (act, delay, ...values) => clock.set(act, call(act, values), +delay || 0, 0);
  window.setInterval = (act, delay, ...values) => clock.set(null, call(act, values), +delay || 0, Math.max(+delay || 0, 4));
  window.requestAnimationFrame = (act) => {
    const due = (Math.floor(clock.now / FRAME + 1e-6) + 1) * FRAME;
    return clock.set(act, () => act(clock.now), due - clock.now, 0);
  };
  window.requestIdleCallback = (act) => clock.set(act, () => act({ didTimeout: false, timeRemaining: () => 50 }), 1, 0);
  for (const name of ['clearTimeout', 'clearInterval', 'cancelAnimationFrame', 'cancelIdleCallback']) window[name] = clock.clear;

  const Real = Date;
  const now = () => BEGINNING + Math.floor(clock.now);
  window.Date = new Proxy(Real, {
    apply: () => new Real(now()).toString(),
    construct: (_, values, target) => Reflect.construct(Real, values.length ? values : [now()], target),
    get: (_, name) => (name === 'now' ? now : Reflect.get(Real, name)),
  });
  Performance.prototype.now = () => clock.now;
  const moments = new WeakMap();
  Object.defineProperty(Event.prototype, 'timeStamp', {
    configurable: true,
    get() {
      if (!moments.has(this)) moments.set(this, clock.now);
      return moments.get(this);
    },
  });

  const { fetch } = window, { send } = XMLHttpRequest.prototype;
  window.fetch = (...values) => clock.follow(fetch(...values));
  for (const name of ['arrayBuffer', 'blob', 'formData', 'json', 'text']) {
    const read = Response.prototype[name];
    Response.prototype[name] = function () { return clock.follow(read.call(this)); };
  }
  XMLHttpRequest.prototype.send = function (...values) {
    clock.follow(new Promise((done) => { this.addEventListener('loadend', done, { once: true }); }));
    return send.apply(this, values);
  };
  if (!outer) Object.defineProperty(window, '__clock', { value: clock });
})(1_700_000_000_000) // time of the crawl on the first page, so that calendars show the same month
