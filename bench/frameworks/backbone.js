// Rendered anew as a whole each time, with ids from a counter; a class follows the pointer and another the focus.
import Backbone from 'backbone';
import _ from 'underscore';

const EMPTY = { read: [], unread: false, help: false };
const Shelf = Backbone.View.extend({
  events: {
    'click [data-view]': 'open',
    'change input': 'toggle',
    'click .filter': 'filter',
    'click .help': 'help',
    'mouseenter button': (event) => event.currentTarget.classList.add('hover'),
    'mouseleave button': (event) => event.currentTarget.classList.remove('hover'),
    'focusin button': (event) => event.currentTarget.classList.add('focused'),
    'focusout button': (event) => event.currentTarget.classList.remove('focused'),
  },
  initialize() {
    this.listenTo(this.model, 'change', this.render);
  },
  open({ currentTarget }) {
    const view = currentTarget.dataset.view;
    if (view !== this.model.get('view')) this.model.set({ ...EMPTY, view });
  },
  toggle({ currentTarget }) {
    const read = this.model.get('read');
    const book = currentTarget.value;
    this.model.set('read', read.includes(book) ? _.without(read, book) : [...read, book].sort());
  },
  filter({ currentTarget }) { this.model.set('unread', currentTarget.textContent === 'Unread'); },
  help() { this.model.set('help', !this.model.get('help')); },
  row(book) {
    const id = _.uniqueId('book');
    const checked = this.model.get('read').includes(book) ? 'checked' : '';
    return `<li id="item_${id}"><input type="checkbox" id="${id}" name="${book}" value="${book}" ${checked}><label for="${id}">${book}</label></li>`;
  },
  render() {
    const { view, read, unread, help } = this.model.attributes;
    const shown = ['Dune', 'Emma'].filter((book) => !unread || !read.includes(book));
    const books = `<ul>${shown.map((book) => this.row(book)).join('')}</ul>
      <button class="filter ${unread ? '' : 'on'}">All</button><button class="filter ${unread ? 'on' : ''}">Unread</button>
      <button class="help">Help</button>${help ? '<aside>Tick a book when you have read it.</aside>' : ''}`;
    this.el.innerHTML = `<nav><button data-view="books">Books</button><button data-view="about">About</button></nav>
      ${view === 'about' ? '<p>A shelf of two books.</p>' : books}`;
    return this;
  },
});

new Shelf({ el: '#app', model: new Backbone.Model({ ...EMPTY, view: 'books' }) }).render();
