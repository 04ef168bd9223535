// A channel strip is a custom element. What it shows is in its shadow root, what it is set to is in its attribute.

const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
  :host { display: block; padding: .6rem; background: #27272a; border-radius: .4rem; color: #e4e4e7; }
  h2 { margin: 0 0 .4rem; font-size: .9rem; font-weight: 500; }
  div { display: flex; flex-wrap: wrap; gap: .2rem; }
  button { min-width: 2.2rem; padding: .4rem; border: 0; border-radius: .2rem; background: #3f3f46; color: inherit; }
  button:disabled { background: #f59e0b; color: #18181b; }
`);

class ChannelStrip extends HTMLElement {
  static observedAttributes = ["level"];
  static mode = "open";
  #root = this.attachShadow({ mode: this.constructor.mode });

  connectedCallback() {
    const title = document.createElement("h2");
    title.textContent = `Channel ${this.getAttribute("channel")}`;
    const levels = document.createElement("div");
    levels.append(...Array.from({ length: Number(this.getAttribute("levels")) }, (_, level) => this.#button(level)));
    this.#root.adoptedStyleSheets = [STYLE];
    this.#root.replaceChildren(title, levels);
    this.#mark();
  }

  attributeChangedCallback() {
    this.#mark();
  }

  #button(level) {
    const button = document.createElement("button");
    button.textContent = level;
    button.setAttribute("aria-label", `channel ${this.getAttribute("channel")} to ${level}`);
    button.addEventListener("click", () => this.setAttribute("level", level));
    return button;
  }

  #mark() {
    for (const button of this.#root.querySelectorAll("button")) {
      button.disabled = button.textContent === this.getAttribute("level");
    }
  }
}

class SealedStrip extends ChannelStrip {
  static mode = "closed";
}

customElements.define("channel-strip", ChannelStrip);
customElements.define("sealed-strip", SealedStrip);

function strip(channel, levels) {
  const made = document.createElement(channel % 2 ? "channel-strip" : "sealed-strip");
  made.setAttribute("channel", channel);
  made.setAttribute("levels", levels);
  made.setAttribute("level", 0);
  return made;
}

const { channels, levels } = await (await fetch("/desk")).json();
document.getElementById("desk").append(...Array.from({ length: channels }, (_, index) => strip(index + 1, levels)));
