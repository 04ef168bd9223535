'use strict';
// Listen to the crawl, and show what it says.

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
    if (statecrawl.live.figures?.ended) events.close(); // there is nothing more to be said
    else statecrawl.showFigures(false);
  };
})();
