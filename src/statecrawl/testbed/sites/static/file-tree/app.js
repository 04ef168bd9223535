// A file browser of the early days: one request per click, nothing remembered but what is on the page.
"use strict";

var tree = document.getElementById("tree");

function ask(path, answered) {
  var request = new XMLHttpRequest();
  request.onload = function () {
    answered(JSON.parse(request.responseText));
  };
  request.open("GET", "/list?path=" + encodeURIComponent(path));
  request.send();
}

function folder(path, name) {
  var item = document.createElement("li");
  var link = document.createElement("a");
  link.id = path; // the same name stands in many folders
  link.className = "folder";
  link.tabIndex = 0;
  link.textContent = name;
  link.onclick = function () {
    openFolder(link);
  };
  item.appendChild(link);
  return item;
}

function listing(path, names) {
  var list = document.createElement("ul");
  names.forEach(function (name) {
    list.appendChild(folder(path ? path + "/" + name : name, name));
  });
  if (names.length === 0) {
    var nothing = document.createElement("li");
    nothing.className = "nothing";
    nothing.textContent = "no folders in here";
    list.appendChild(nothing);
  }
  return list;
}

// Closes whatever is open, except the folders on the way to this one.
function closeOthers(link) {
  tree.querySelectorAll("li > ul").forEach(function (list) {
    if (!list.contains(link)) {
      list.remove();
    }
  });
  tree.querySelectorAll("a").forEach(function (other) {
    other.className = "folder";
  });
}

function openFolder(link) {
  link.className = "loading";
  ask(link.id, function (names) {
    closeOthers(link);
    link.className = "open";
    link.parentNode.appendChild(listing(link.id, names));
  });
}

ask("", function (names) {
  tree.appendChild(listing("", names));
});
