// Makes ../vendor from these sources and from npm. Run it in an empty folder, and say where to write:
//
//   echo '{"type": "module"}' > package.json
//   npm install jquery@3.7.1 underscore@1.13.8 backbone@1.6.1 vue@3.5.45 react@19.3.1 react-dom@19.3.1 \
//               svelte@5.57.3 esbuild@0.28.2
//   cp .../kinds/sources/* . && node build.mjs .../kinds/vendor

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { compile } from "svelte/compiler";

const vendor = process.argv[2];

const svelte = {
  name: "svelte",
  setup: (bundle) =>
    bundle.onLoad({ filter: /\.svelte$/ }, async ({ path }) => ({
      contents: compile(await readFile(path, "utf8"), { filename: path, generate: "client" }).js.code,
    })),
};

for (const entry of ["react-app.jsx", "svelte-app.js"]) {
  await build({
    entryPoints: [entry],
    outfile: join(vendor, entry.replace(".jsx", ".js")),
    bundle: true,
    minify: true,
    format: "iife",
    jsx: "automatic",
    conditions: ["browser", "production"],
    define: { "process.env.NODE_ENV": '"production"' },
    legalComments: "inline",
    plugins: [svelte],
  });
}

const published = [
  "jquery/dist/jquery.min.js",
  "underscore/underscore-umd-min.js",
  "backbone/backbone-min.js",
  "vue/dist/vue.global.prod.js",
];
for (const path of published) {
  const script = await readFile(join("node_modules", path), "utf8");
  // Without the address of a source map that is not here.
  await writeFile(join(vendor, path.split("/").at(-1)), script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
}

const licences = [
  ["jQuery", "jquery/LICENSE.txt"],
  ["Underscore", "underscore/LICENSE"],
  ["Backbone", "backbone/LICENSE"],
  ["Vue", "vue/LICENSE"],
  ["React", "react/LICENSE"],
  ["Svelte", "svelte/LICENSE.md"],
];
const texts = licences.map(async ([name, path]) => {
  const { version } = JSON.parse(await readFile(join("node_modules", path.split("/")[0], "package.json"), "utf8"));
  return `${name} ${version}\n\n${(await readFile(join("node_modules", path), "utf8")).trim()}\n`;
});
await writeFile(join(vendor, "LICENSES.txt"), (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`));
