'use strict';
// The page of problems of the application and of the crawl.

(() => {
  const { el, count, panel, table } = statecrawl;

  const event = (row) => [el('span', {}, statecrawl.words(row.state, row.position)), el('code', { class: 'under' }, statecrawl.eventName(row.state, row.position))];
  const eventText = (row) => statecrawl.eventName(row.state, row.position);
  const stateColumn = { title: 'state', cell: (row) => statecrawl.stateLink(row.state), text: (row) => row.state };

  const messages = (rows, none) => table(rows, [
    { title: 'message', cell: (row) => el('span', { class: 'text' }, row.text), text: (row) => row.text, wide: true },
    { title: 'kind', cell: (row) => el('span', { class: 'mark ' + row.kind }, row.kind), text: (row) => row.kind },
    stateColumn,
    { title: 'event', cell: (row) => (row.event ? el('code', {}, row.event) : el('span', { class: 'soft' }, 'page load')), text: (row) => row.event || '', wide: true },
  ], { none });

  /** Failed events, each once for all states in which it failed for the same reason. */
  statecrawl.distinctFailures = () => {
    const distinct = new Map();
    for (const each of statecrawl.model.failed) {
      const key = [statecrawl.eventName(each.state, each.position), each.kind, each.reason.replace(/ in \d+ states?$/, '')].join('\n');
      const known = distinct.get(key);
      if (known) {
        known.states += 1;
        known.closed &&= each.closed;
      } else distinct.set(key, { ...each, states: 1 });
    }
    return [...distinct.values()];
  };

  const failed = (rows) => table(rows, [
    { ...stateColumn, title: 'first state' },
    { title: 'states', cell: (row) => count(row.states), text: (row) => row.states, number: true },
    { title: 'event', cell: event, text: eventText, wide: true },
    { title: 'kind', cell: (row) => el('span', { class: 'mark ' + row.kind }, row.kind), text: (row) => row.kind },
    { title: 'reason', cell: (row) => row.reason, text: (row) => row.reason, wide: true },
    { title: 'explored later', cell: (row) => (row.closed ? 'no' : 'yes'), text: (row) => (row.closed ? 'no' : 'yes') },
  ], { caption: 'Failed events', none: 'No event hung, crashed the page or was refused.', filters: [{ label: 'kind', options: [...new Set(rows.map((row) => row.kind))].map((kind) => [kind, kind]), keep: (row, kind) => row.kind === kind }] });

  const diverged = (rows) => table(rows, [
    stateColumn,
    { title: 'event', cell: event, text: eventText, wide: true },
    { title: 'first target', cell: (row) => statecrawl.stateLink(row.expected), text: (row) => row.expected },
    { title: 'other targets', cell: (row) => row.landed.map(([state, times]) => el('span', { class: 'landed' }, statecrawl.stateLink(state), times > 1 ? ` ${count(times)} times` : '')), text: (row) => row.landed.length, wide: true },
  ], { caption: 'Nondeterministic events', none: 'Every event that was fired again led to the same state as before.' });

  statecrawl.pages.problems = () => {
    const { model } = statecrawl;
    const errors = model.incidents.filter((each) => each.kind === 'exception' || each.kind === 'console');
    const others = model.incidents.filter((each) => each.kind !== 'exception' && each.kind !== 'console');
    const requests = model.endpoints.filter((each) => each.trouble);
    return [
      el('header', { class: 'head' }, el('h1', {}, 'Problems'), el('p', { class: 'soft' }, 'Problems of the application and of the crawl. Each message is listed once, where it first occurred.')),
      panel('Exceptions and console errors', count(errors.length), messages(errors, 'The application threw no exceptions and logged no errors.')),
      panel('Failed requests', count(requests.length), table(requests, [
        { title: 'method', cell: (row) => el('b', { class: 'method' }, row.method), text: (row) => row.method },
        { title: 'URL', cell: (row) => statecrawl.address(row.url), text: (row) => row.url, wide: true },
        { title: 'reason', cell: (row) => row.trouble, text: (row) => row.trouble },
      ], { none: 'No request of the application failed.' })),
      panel('Nondeterministic events', count(model.diverged.length), diverged(model.diverged)),
      panel('Events that hung, crashed the page or were refused', count(statecrawl.distinctFailures().length), failed(statecrawl.distinctFailures())),
      panel('Spontaneous changes', count(model.external.length), table(model.external, [
        { title: 'from', cell: ([state]) => statecrawl.stateLink(state), text: ([state]) => state },
        { title: 'to', cell: ([, target]) => statecrawl.stateLink(target), text: ([, target]) => target },
        { title: 'times', cell: ([, , times]) => count(times), text: ([, , times]) => times, number: true },
      ], { none: 'No page changed state without an event.' })),
      panel('Boundaries', count(model.boundaries.length), table(model.boundaries, [
        { title: 'kind', cell: (row) => el('span', { class: 'mark' }, row.what), text: (row) => row.what },
        { title: 'URL', cell: (row) => statecrawl.address(row.url), text: (row) => row.url, wide: true },
        stateColumn,
        { title: 'event', cell: (row) => (row.position === null ? '–' : event(row)), text: (row) => (row.position === null ? '' : eventText(row)), wide: true },
      ], { none: 'No event led out of the application.' })),
      panel('Other incidents', count(others.length), messages(others, 'No dialogs, windows or downloads.')),
    ];
  };
})();
