// Making elements, and asking the server.

export function element(tag, ...content) {
  const made = document.createElement(tag);
  made.append(...content);
  return made;
}

export function button(words, action, { role, disabled = false } = {}) {
  const made = element("button", words);
  if (role) made.setAttribute("role", role);
  made.disabled = disabled;
  made.addEventListener("click", action);
  return made;
}

export function table(rows) {
  return element("table", ...Object.entries(rows).map(([name, value]) => element("tr", element("th", name), element("td", value))));
}

export function list(items) {
  return element("ul", ...items.map((item) => element("li", item)));
}

export async function asked(address, options) {
  return (await fetch(address, options)).json();
}

export function later(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

// A page of the company, written by the server: the older way of asking, because it is the older part of the site.
export function page(name) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.onload = () => {
      const holder = document.createElement("div");
      holder.innerHTML = request.responseText;
      resolve([...holder.children]);
    };
    request.open("GET", `/pages/${name}`);
    request.send();
  });
}
