// Handlers are written into the page, also into the part of it that is made here.
var ROOMS = {
  H: "<h1>Hall</h1><p>Two doors, a and b.</p>",
  A: "<h1>Room A</h1><p>Nothing else is here.</p>",
  B: "<h1>Room B</h1><p>There is another door in the wall:</p><span class='door' onclick=\"show('C')\">c</span>",
  C: "<h1>Room C</h1><p>One comes here through room B only.</p>"
};
var current = "H";

function paint() {
  document.getElementById("room").innerHTML = ROOMS[current];
}

function show(room) {
  current = room;
  paint();
}
