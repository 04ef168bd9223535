// Interaction: figures at the pointer of a discovery curve, and highlighting of one strategy in all charts.
// The page is complete without this script.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const UNITS = [[3600, "h"], [60, "min"], [1, "s"], [0.001, "ms"]];

  const count = (value) => Math.round(value).toLocaleString("en");
  const duration = (seconds) => {
    const [size, name] = UNITS.find(([size]) => seconds >= size) ?? UNITS[UNITS.length - 1];
    return `${Number((seconds / size).toPrecision(3))} ${name}`;
  };
  const element = (name, className, ...children) => {
    const made = document.createElement(name);
    made.className = className;
    made.append(...children);
    return made;
  };

  // The steps of a path "M x,y H x V y H x V y ..." as [x, y] pairs.
  const stairs = (path) => {
    const [x, y, ...rest] = path.getAttribute("d").match(/[\d.]+/g).map(Number);
    const places = [[x, y]];
    for (let i = 0; i < rest.length; i += 2) places.push([rest[i], rest[i + 1]]);
    return places;
  };

  class Readout {
    constructor(svg) {
      this.svg = svg;
      const { low, high, left, right, top, bottom, states, seconds } = svg.dataset;
      [this.low, this.high, this.left, this.right] = [low, high, left, right].map(Number);
      [this.top, this.bottom, this.states, this.seconds] = [top, bottom, states, seconds].map(Number);
      this.marks = [...svg.querySelectorAll("g[data-strategy]")].map((mark) => ({
        name: mark.dataset.strategy,
        css: [...mark.classList].find((name) => /^s\d$/.test(name)),
        places: stairs(mark.querySelector(".curve")),
      }));
      this.cursor = document.createElementNS(SVG, "line");
      this.cursor.setAttribute("class", "cursor");
      this.cursor.setAttribute("y1", this.top);
      this.cursor.setAttribute("y2", this.bottom);
      this.panel = element("div", "readout");
      this.panel.setAttribute("role", "status");
      this.x = (this.left + this.right) / 2;
      svg.setAttribute("tabindex", "0");
      svg.addEventListener("pointermove", (event) => this.show(this.under(event)));
      svg.addEventListener("pointerleave", () => this.hide());
      svg.addEventListener("focus", () => svg.matches(":focus-visible") && this.show(this.x));
      svg.addEventListener("blur", () => this.hide());
      svg.addEventListener("keydown", (event) => this.step(event));
    }

    under(event) {
      return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse()).x;
    }

    step(event) {
      const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!direction) return;
      event.preventDefault();
      this.show(this.x + direction * 6);
    }

    show(x) {
      this.x = Math.min(Math.max(x, this.left), this.right);
      const cost = this.low * (this.high / this.low) ** ((this.x - this.left) / (this.right - this.left));
      this.cursor.setAttribute("x1", this.x);
      this.cursor.setAttribute("x2", this.x);
      const head = element("p", "", `cost ${count(cost)}`, element("span", "", duration(cost * this.seconds)));
      this.panel.replaceChildren(head, ...this.shares().map((row) => this.row(row)));
      if (!this.panel.isConnected) {
        this.svg.append(this.cursor);
        this.svg.parentElement.append(this.panel);
      }
      this.place();
    }

    shares() {
      const share = ({ places }) => {
        const reached = places.filter(([x]) => x <= this.x);
        return reached.length ? (this.bottom - reached[reached.length - 1][1]) / (this.bottom - this.top) : 0;
      };
      return this.marks.map((mark) => ({ ...mark, share: share(mark) })).sort((a, b) => b.share - a.share);
    }

    row({ name, css, share }) {
      const label = element("span", `strategy ${css}`, element("i", "swatch"), name);
      const percent = share > 0.9999 ? "all" : `${Math.floor(share * 100)} %`;
      return element("p", "", label, element("span", "", percent));
    }

    // On the side of the cursor that has more room.
    place() {
      const scale = this.svg.clientWidth / this.svg.viewBox.baseVal.width;
      const at = this.svg.offsetLeft + this.x * scale || this.x * scale;
      const onRight = this.x < (this.left + this.right) / 2;
      this.panel.style.left = onRight ? `${at + 32}px` : "auto";
      this.panel.style.right = onRight ? "auto" : `${this.svg.parentElement.clientWidth - at + 2}px`;
    }

    hide() {
      this.cursor.remove();
      this.panel.remove();
    }
  }

  const legend = [...document.querySelectorAll(".legend li")];
  const all = [...document.querySelectorAll("[data-strategy]")];
  let pinned = null;

  const highlight = (name) => {
    for (const each of all) each.classList.toggle("dim", name !== null && each.dataset.strategy !== name);
  };
  const pin = (name) => {
    pinned = pinned === name ? null : name;
    for (const item of legend) item.setAttribute("aria-pressed", String(item.dataset.strategy === pinned));
    highlight(pinned);
  };

  document.querySelector(".legend").setAttribute("role", "group");
  for (const item of legend) {
    const name = item.dataset.strategy;
    item.tabIndex = 0;
    item.setAttribute("role", "button");
    item.setAttribute("aria-pressed", "false");
    item.addEventListener("pointerenter", () => highlight(name));
    item.addEventListener("pointerleave", () => highlight(pinned));
    item.addEventListener("click", () => pin(name));
    item.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      pin(name);
    });
  }
  for (const svg of document.querySelectorAll("svg.curves")) new Readout(svg);
})();
