// Routes by the history; every request for a frame renders everything again.
import m from 'mithril';

const empty = () => ({ read: {}, unread: false, help: false });
let state = empty();
const nav = () => m('nav', m(m.route.Link, { href: '/books' }, 'Books'), ' ', m(m.route.Link, { href: '/about' }, 'About'));
const Books = {
  oninit() { state = empty(); },
  view: () => [
    nav(),
    m('ul', ['Dune', 'Emma'].filter((book) => !state.unread || !state.read[book]).map((book) =>
      m('li', { key: book }, m('label', m('input[type=checkbox]', { name: book,
        checked: !!state.read[book], onclick: () => { state.read[book] = !state.read[book]; } }), book)))),
    m('button', { class: state.unread ? '' : 'on', onclick: () => { state.unread = false; } }, 'All'),
    m('button', { class: state.unread ? 'on' : '', onclick: () => { state.unread = true; } }, 'Unread'),
    m('button', { onclick: () => { state.help = !state.help; } }, 'Help'),
    state.help && m('aside', 'Tick a book when you have read it.'),
  ],
};
const About = { view: () => [nav(), m('p', 'A shelf of two books.')] };

m.route(document.getElementById('app'), '/books', { '/books': Books, '/about': About });
