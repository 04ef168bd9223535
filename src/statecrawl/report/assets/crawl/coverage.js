'use strict';
// How much of the application's JavaScript has run.

(() => {
  const { el } = statecrawl;
  statecrawl.pages.coverage = () => [el('header', { class: 'head' }, el('h1', {}, 'Coverage')), statecrawl.empty('Nobody has measured which scripts ran.')];
})();
