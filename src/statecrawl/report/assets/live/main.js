'use strict';
// Receives messages from the crawl and updates the page.

(() => {
  const events = new EventSource('events');

  events.onmessage = (event) => {
    const changed = statecrawl.take(JSON.parse(event.data));
    statecrawl.showFigures(true);
    if (changed.pictures) statecrawl.showPictures();
    statecrawl.draw(changed);
    statecrawl.drawCurve();
  };

  events.onerror = () => {
    if (statecrawl.live.figures?.ended) events.close(); // no more messages will come
    else statecrawl.showFigures(false);
  };
})();
