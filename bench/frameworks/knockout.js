// Bindings are comments and attributes of the page.
import ko from 'knockout';

document.getElementById('app').innerHTML = `
  <nav><button data-bind="click: () => open('books')">Books</button><button data-bind="click: () => open('about')">About</button></nav>
  <!-- ko if: view() === 'about' --><p>A shelf of two books.</p><!-- /ko -->
  <!-- ko if: view() === 'books' -->
    <ul data-bind="foreach: shown"><li><label><input type="checkbox" data-bind="attr: { name: $data }, checked: $parent.read, checkedValue: $data">
      <span data-bind="text: $data"></span></label></li></ul>
    <button data-bind="css: { on: !unread() }, click: () => unread(false)">All</button>
    <button data-bind="css: { on: unread }, click: () => unread(true)">Unread</button>
    <button data-bind="click: () => help(!help())">Help</button>
    <!-- ko if: help --><aside>Tick a book when you have read it.</aside><!-- /ko -->
  <!-- /ko -->`;
const shelf = {
  view: ko.observable('books'),
  read: ko.observableArray(),
  unread: ko.observable(false),
  help: ko.observable(false),
};
shelf.shown = ko.pureComputed(() => ['Dune', 'Emma'].filter((book) => !shelf.unread() || !shelf.read().includes(book)));
shelf.open = (view) => {
  if (view === shelf.view()) return;
  shelf.read([]); shelf.unread(false); shelf.help(false); shelf.view(view);
};
ko.applyBindings(shelf, document.getElementById('app'));
