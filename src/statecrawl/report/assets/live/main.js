'use strict';
// Receives messages from the crawl and updates the page. Everything that was received stays on the page when the crawl
// ends or is killed. The browser keeps asking for more, so the next crawl at the same address appears in the same tab.

(() => {
  const events = new EventSource('events');

  events.onmessage = (event) => {
    const changed = statecrawl.take(JSON.parse(event.data));
    statecrawl.showFigures(true);
    if (changed.pictures) statecrawl.showPictures();
    statecrawl.draw(changed);
    statecrawl.drawCurve();
  };

  events.onerror = () => statecrawl.showFigures(false);
})();
