// The state is in the markup, and controllers change it.
import { Application, Controller } from '@hotwired/stimulus';

const BOOKS = `
  <ul><li><label><input type="checkbox" name="Dune" data-action="shelf#show">Dune</label></li>
    <li><label><input type="checkbox" name="Emma" data-action="shelf#show">Emma</label></li></ul>
  <button class="on" data-action="shelf#filter" data-shelf-target="filter">All</button>
  <button data-action="shelf#filter" data-shelf-target="filter">Unread</button>
  <button data-action="shelf#help">Help</button><aside hidden>Tick a book when you have read it.</aside>`;
document.getElementById('app').innerHTML = `<div data-controller="shelf">
  <nav><button data-action="shelf#open">Books</button><button data-action="shelf#open">About</button></nav>
  <section data-shelf-target="view">${BOOKS}</section></div>`;

Application.start().register('shelf', class extends Controller {
  static targets = ['view', 'filter'];

  open({ target }) {
    const isAbout = target.textContent === 'About';
    if (isAbout) this.viewTarget.innerHTML = '<p>A shelf of two books.</p>';
    else if (!this.hasFilterTarget) this.viewTarget.innerHTML = BOOKS;
  }

  filter({ target }) {
    for (const each of this.filterTargets) each.classList.toggle('on', each === target);
    this.show();
  }

  show() {
    const isUnread = this.filterTargets[1].classList.contains('on');
    for (const row of this.viewTarget.querySelectorAll('li')) row.hidden = isUnread && row.querySelector('input').checked;
  }

  help() { const aside = this.viewTarget.querySelector('aside'); aside.hidden = !aside.hidden; }
});
