// The limit: the same events in the page itself, with nothing of a crawler. Waits for the application's own requests
// and timers, and writes the whole DOM once after each event.
(() => {
  let pending = 0;
  let wake = null;
  const done = () => {
    pending -= 1;
    if (pending === 0 && wake) wake();
  };
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function () {
    pending += 1;
    this.addEventListener('loadend', done);
    return send.apply(this, arguments);
  };
  const fetch = window.fetch;
  window.fetch = function () {
    pending += 1;
    const answer = fetch.apply(this, arguments);
    answer.finally(done);
    return answer;
  };
  const json = Response.prototype.json;
  Response.prototype.json = function () {
    pending += 1;
    const answer = json.apply(this, arguments);
    answer.finally(done);
    return answer;
  };
  const timeout = window.setTimeout;
  window.setTimeout = (act, delay, ...values) => {
    pending += 1;
    return timeout(() => {
      try { act(...values); } finally { done(); }
    }, delay);
  };
  const channel = new MessageChannel();
  let turn = null;
  channel.port1.onmessage = () => turn();
  const yielded = () => new Promise((resolve) => { turn = resolve; channel.port2.postMessage(0); });
  const quiet = async () => {
    do {
      await yielded();
      if (pending > 0) await new Promise((resolve) => { wake = resolve; });
    } while (pending > 0);
  };
  window.bareReady = async () => {
    while (document.readyState !== 'complete') await yielded();
    await quiet();
    return document.documentElement.outerHTML.length;
  };
  window.bareRun = async (selector, positions) => {
    let written = 0;
    for (const position of positions) {
      document.querySelectorAll(selector)[position].click();
      await quiet();
      written += document.documentElement.outerHTML.length;
    }
    return written;
  };
  window.bareClicks = async (selector, positions) => {
    for (const position of positions) {
      document.querySelectorAll(selector)[position].click();
      await quiet();
    }
  };
})();
