// Directives are attributes, and each field notes in its classes whether it was touched and changed.
import angular from 'angular';

document.getElementById('app').innerHTML = `
  <div ng-controller="Shelf as shelf">
    <nav><button ng-click="shelf.open('books')">Books</button><button ng-click="shelf.open('about')">About</button></nav>
    <p ng-if="shelf.view === 'about'">A shelf of two books.</p>
    <div ng-if="shelf.view === 'books'">
      <ul><li ng-repeat="book in shelf.shown()"><label><input type="checkbox" name="{{book}}" ng-model="shelf.read[book]">
        <span ng-bind="book"></span></label></li></ul>
      <button ng-class="{ on: !shelf.unread }" ng-click="shelf.unread = false">All</button>
      <button ng-class="{ on: shelf.unread }" ng-click="shelf.unread = true">Unread</button>
      <button ng-click="shelf.help = !shelf.help">Help</button>
      <aside ng-if="shelf.help">Tick a book when you have read it.</aside>
    </div>
  </div>`;
angular.module('shelf', []).controller('Shelf', function Shelf() {
  Object.assign(this, { view: 'books', read: {}, unread: false, help: false });
  this.shown = () => ['Dune', 'Emma'].filter((book) => !this.unread || !this.read[book]);
  this.open = (view) => {
    if (view !== this.view) Object.assign(this, { view, read: {}, unread: false, help: false });
  };
});
angular.bootstrap(document.getElementById('app'), ['shelf']);
