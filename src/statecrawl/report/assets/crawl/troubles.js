'use strict';
// What did not go as it should.

(() => {
  const { el, count, panel, table } = statecrawl;

  const event = (row) => [el('span', {}, statecrawl.words(row.state, row.position)), el('code', { class: 'under' }, statecrawl.eventName(row.state, row.position))];
  const eventText = (row) => statecrawl.eventName(row.state, row.position);
  const stateColumn = { title: 'state', cell: (row) => statecrawl.stateLink(row.state), text: (row) => row.state };

  const said = (rows, none) => table(rows, [
    { title: 'what', cell: (row) => el('span', { class: 'text' }, row.text), text: (row) => row.text, wide: true },
    { title: 'kind', cell: (row) => el('span', { class: 'mark ' + row.kind }, row.kind), text: (row) => row.kind },
    stateColumn,
    { title: 'at the event', cell: (row) => (row.event ? el('code', {}, row.event) : el('span', { class: 'soft' }, 'when it was opened')), text: (row) => row.event || '', wide: true },
  ], { none });

  const failed = (rows) => table(rows, [
    stateColumn,
    { title: 'event', cell: event, text: eventText, wide: true },
    { title: 'kind', cell: (row) => el('span', { class: 'mark ' + row.kind }, row.kind), text: (row) => row.kind },
    { title: 'why', cell: (row) => row.reason, text: (row) => row.reason, wide: true },
    { title: 'explored after all', cell: (row) => (row.closed ? 'no' : 'yes'), text: (row) => (row.closed ? 'no' : 'yes') },
  ], { caption: 'Events that failed', none: 'No event hung, crashed the page or was refused.', filters: [{ label: 'kind', options: [...new Set(rows.map((row) => row.kind))].map((kind) => [kind, kind]), keep: (row, kind) => row.kind === kind }] });

  const diverged = (rows) => table(rows, [
    stateColumn,
    { title: 'event', cell: event, text: eventText, wide: true },
    { title: 'led to', cell: (row) => statecrawl.stateLink(row.expected), text: (row) => row.expected },
    { title: 'and also to', cell: (row) => row.landed.map(([state, times]) => el('span', { class: 'landed' }, statecrawl.stateLink(state), times > 1 ? ` ${count(times)} times` : '')), text: (row) => row.landed.length, wide: true },
  ], { caption: 'Events that are not deterministic', none: 'Every event that was fired again led where it had led before.' });

  statecrawl.pages.trouble = () => {
    const { model } = statecrawl;
    const errors = model.incidents.filter((each) => each.kind === 'exception' || each.kind === 'console');
    const others = model.incidents.filter((each) => each.kind !== 'exception' && each.kind !== 'console');
    const requests = model.endpoints.filter((each) => each.trouble);
    return [
      el('header', { class: 'head' }, el('h1', {}, 'Trouble'), el('p', { class: 'soft' }, 'What did not go as it should, in the application or in the crawl. The same message is told once, where it came first.')),
      panel('Exceptions and console errors', count(errors.length), said(errors, 'The application threw nothing and complained of nothing.')),
      panel('Requests that failed', count(requests.length), table(requests, [
        { title: 'method', cell: (row) => el('b', { class: 'method' }, row.method), text: (row) => row.method },
        { title: 'address', cell: (row) => statecrawl.address(row.url), text: (row) => row.url, wide: true },
        { title: 'why', cell: (row) => row.trouble, text: (row) => row.trouble },
      ], { none: 'All requests of the application were answered.' })),
      panel('Events that are not deterministic', count(model.diverged.length), diverged(model.diverged)),
      panel('Events that hung, crashed the page or were refused', count(model.failed.length), failed(model.failed)),
      panel('Pages that moved by themselves', count(model.external.length), table(model.external, [
        { title: 'from', cell: ([state]) => statecrawl.stateLink(state), text: ([state]) => state },
        { title: 'to', cell: ([, target]) => statecrawl.stateLink(target), text: ([, target]) => target },
        { title: 'times', cell: ([, , times]) => count(times), text: ([, , times]) => times, number: true },
      ], { none: 'No page changed without an event.' })),
      panel('Ways out that were not followed', count(model.boundaries.length), table(model.boundaries, [
        { title: 'what', cell: (row) => el('span', { class: 'mark' }, row.what), text: (row) => row.what },
        { title: 'address', cell: (row) => statecrawl.address(row.url), text: (row) => row.url, wide: true },
        stateColumn,
        { title: 'event', cell: (row) => (row.position === null ? '–' : event(row)), text: (row) => (row.position === null ? '' : eventText(row)), wide: true },
      ], { none: 'Nothing led out of the application.' })),
      panel('What else happened', count(others.length), said(others, 'No dialogs, windows or downloads.')),
    ];
  };
})();
