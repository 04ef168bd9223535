// Everything is in a shadow root.
import { LitElement, css, html } from 'lit';
import { live } from 'lit/directives/live.js';

const empty = () => ({ read: [], unread: false, help: false });

class BookShelf extends LitElement {
  static properties = { view: { state: true }, read: { state: true }, unread: { state: true }, help: { state: true } };
  static styles = css`.on { font-weight: bold; } aside { transition: opacity 200ms; }`;

  constructor() {
    super();
    Object.assign(this, empty(), { view: 'books' });
  }

  open(view) { if (view !== this.view) Object.assign(this, empty(), { view }); }

  toggle(book) { this.read = this.read.includes(book) ? this.read.filter((one) => one !== book) : [...this.read, book]; }

  render() {
    const shown = ['Dune', 'Emma'].filter((book) => !this.unread || !this.read.includes(book));
    return html`<nav><button @click=${() => this.open('books')}>Books</button><button @click=${() => this.open('about')}>About</button></nav>
      ${this.view === 'about'
        ? html`<p>A shelf of two books.</p>`
        : html`<ul>${shown.map((book) => html`<li><label>
              <input type="checkbox" name=${book} .checked=${live(this.read.includes(book))} @change=${() => this.toggle(book)}>${book}</label></li>`)}</ul>
            <button class=${this.unread ? '' : 'on'} @click=${() => { this.unread = false; }}>All</button>
            <button class=${this.unread ? 'on' : ''} @click=${() => { this.unread = true; }}>Unread</button>
            <button @click=${() => { this.help = !this.help; }}>Help</button>
            ${this.help ? html`<aside>Tick a book when you have read it.</aside>` : ''}`}`;
  }
}

customElements.define('book-shelf', BookShelf);
document.getElementById('app').append(document.createElement('book-shelf'));
