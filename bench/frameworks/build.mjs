// Bundles every application of this folder: node build.mjs OUTPUT
import { readFile, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { compile } from 'svelte/compiler';

const out = process.argv[2];
const names = process.argv.slice(3);
const svelte = {
  name: 'svelte',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => ({
      contents: compile(await readFile(path, 'utf8'), { generate: 'client' }).js.code,
    }));
  },
};
await build({
  entryPoints: names.map((name) => `${name}.js`),
  outdir: out,
  bundle: true,
  format: 'esm',
  minify: true,
  conditions: ['browser', 'production'],
  define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false' },
  plugins: [svelte],
});
for (const name of names) {
  await writeFile(`${out}/${name}.html`, `<!doctype html><title>${name}</title><div id="app"></div><script type="module" src="${name}.js"></script>`);
}
