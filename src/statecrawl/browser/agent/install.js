// @ts-check
// Everything is put in place before the first script of the page runs.

installDisguise();
installTime();
installChance();
installListeners();
installShadows();
installModals();
installNetwork();
installDialogs();
installWindows();
installNavigation();
installHistory();
installComplaints();
installFarewell();

native.define(window, AGENT, {
  value: native.freeze({ kernel, arrive, walk, describe, place, fireOne, letGo, stay, act, isLost, leave: forget_ }),
  writable: false,
  configurable: false,
  enumerable: false,
});
