'use strict';
// Which page is shown: the part of the address behind # says so.

(() => {
  const { el } = statecrawl;
  const TITLES = { overview: 'Overview', graph: 'Graph', states: 'States', state: 'State', trouble: 'Trouble', addresses: 'Addresses', coverage: 'Coverage' };

  const asked = () => {
    const [name, rest] = location.hash.replace(/^#\/?/, '').split('/');
    return [Object.hasOwn(TITLES, name) ? name : 'overview', rest];
  };

  statecrawl.show = () => {
    if (!statecrawl.model) return;
    const [name, rest] = asked();
    const main = document.getElementById('main');
    const made = [statecrawl.pages[name](rest)].flat().filter(Boolean);
    main.className = 'page-' + name;
    main.replaceChildren(...made);
    for (const link of document.querySelectorAll('#nav a')) {
      const here = link.getAttribute('href') === '#/' + (name === 'overview' ? '' : name === 'state' ? 'states' : name);
      if (here) {
        link.setAttribute('aria-current', 'page');
        link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      } else link.removeAttribute('aria-current');
    }
    document.title = `${name === 'state' ? 'State ' + rest : TITLES[name]} — ${statecrawl.model.application || 'statecrawl'}`;
    document.getElementById('footer').replaceChildren(el('p', {}, `Made by ${statecrawl.model.program}, ${statecrawl.model.made}. Nothing here needs a network, and nothing of the crawled pages runs here.`));
  };

  window.addEventListener('hashchange', () => {
    statecrawl.show();
    window.scrollTo(0, 0);
    document.getElementById('main').focus({ preventScroll: true });
  });
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    document.getElementById('main').focus();
  });
})();
