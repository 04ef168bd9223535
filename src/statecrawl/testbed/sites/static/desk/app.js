// Every part of the desk stands for itself; they only share the line of status in the header.
import { showAccordion } from "/accordion.js";
import { showChat } from "/chat.js";
import { showMenu } from "/menu.js";
import { expectNotices } from "/notices.js";
import { showTable } from "/table.js";
import { showMountedTabs, showHiddenTabs } from "/tabs.js";
import { showTree } from "/tree.js";
import { showWizard } from "/wizard.js";

const byId = (id) => document.getElementById(id);

showMenu(byId("menu"));
showMountedTabs(byId("agenda"));
showHiddenTabs(byId("mail"));
showTable(byId("files"));
showAccordion(byId("help"));
showChat(byId("chat"));
showWizard(byId("order"), byId("wizard"));
expectNotices(byId("notices"));
await showTree(byId("tree"));
