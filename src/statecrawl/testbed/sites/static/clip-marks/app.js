// A site where people share clips, in React (without JSX, so that this file is what runs).
// React listens at the root of the page only: which elements mean something is known to nobody but React.
import { createElement as h, Fragment, createRoot, useEffect, useState } from "./react.js";

const TABS = ["popular", "latest"];
const HEAD = ["sign in", "sign up", "search", "tour", "help", "terms"]; // not part of this copy of the site
const CLIPS_ABOVE_BAR = 3;
const NOTICE_MS = 1500;

async function ask(address) {
  const answer = await fetch(address);
  return answer.json();
}

function ClipMarks() {
  const [list, setList] = useState(null); // {page, profile, clips}
  const [welcome, setWelcome] = useState(true); // until something else than the other tab is opened
  const [popup, setPopup] = useState(null); // {clip, voters}
  const [notice, setNotice] = useState(null);

  async function visit(page, greeting = false) {
    setList(await ask(`/clips/${page}`));
    setWelcome(greeting);
    setPopup(null);
  }
  async function showVoters({ number, votes }) {
    if (votes > 0) {
      setPopup({ clip: number, voters: await ask(`/voters/${list.page}/${number}`) });
      setWelcome(false);
    }
  }
  function showTab(tab) {
    if (!list.profile && tab !== list.page) {
      visit(tab, welcome);
    }
  }

  useEffect(() => { visit(TABS[0], true); }, []);
  useEffect(() => {
    if (notice) {
      const timer = setTimeout(() => setNotice(null), NOTICE_MS);
      return () => clearTimeout(timer);
    }
  }, [notice]);

  if (!list) {
    return h("p", null, "Loading …");
  }
  return h(Fragment, null,
    h(Head, { onAll: () => visit(TABS[0]), setNotice }),
    h("main", null,
      h("h2", null, list.profile ? `Clips of ${list.page}` : `The ${list.page} clips`),
      welcome && h("p", { className: "welcome" }, "Welcome! Here people keep what they found worth reading."),
      list.clips.map((clip) => h(Fragment, { key: clip.number },
        h(Clip, { clip, page: list.page, onVoters: () => showVoters(clip), onVisit: visit, setNotice }),
        clip.number === CLIPS_ABOVE_BAR && h(TabBar, { onTab: showTab })))),
    popup && h(Voters, { popup, onClose: () => setPopup(null), onVisit: visit, setNotice }),
    notice && h("p", { className: "notice" }, notice));
}

function Head({ onAll, setNotice }) {
  return h("header", null,
    h("h1", null, "Clip marks"),
    h("button", { type: "button", onClick: onAll }, "all clips"),
    HEAD.map((text) => h("button", { key: text, type: "button", onClick: () => setNotice(`No “${text}” here`) }, text)));
}

function Clip({ clip, page, onVoters, onVisit, setNotice }) {
  const acts = ["vote", "comment", "save"];
  return h("article", { id: `${page}-${clip.number}` },
    h("p", null, clip.text),
    h("p", { className: "acts" },
      acts.map((act) => h("span", { key: act, className: "act", onClick: () => setNotice(`Sign in to ${act}`) }, act)),
      h("span", { className: "votes", onClick: onVoters }, `${clip.votes} votes`),
      clip.author
        ? h("a", { onClick: () => onVisit(clip.author) }, clip.author)
        : h("a", { onClick: () => setNotice("This copy ends here") }, clip.source)));
}

function TabBar({ onTab }) {
  return h("nav", { id: "tabs" },
    TABS.map((tab) => h("button", { key: tab, type: "button", onClick: () => onTab(tab) }, `show ${tab}`)));
}

function Voters({ popup, onClose, onVisit, setNotice }) {
  return h("aside", { id: "voters" },
    h("h2", null, `Voters of clip ${popup.clip}`),
    h("button", { type: "button", onClick: onClose }, "close"),
    h("ul", null, popup.voters.map(({ name, profile }) => h("li", { key: name },
      h("a", { onClick: () => (profile ? onVisit(name) : setNotice(`${name} has no profile`)) }, name)))));
}

createRoot(document.getElementById("root")).render(h(ClipMarks));
