// What the application needs of React. The file react.js is made of this one, once, by
//
//     npm install react@19.3.1 react-dom@19.3.1 esbuild@0.28.2
//     npx esbuild react-entry.js --bundle --minify --format=esm --legal-comments=inline \
//         --define:process.env.NODE_ENV='"production"' --outfile=react.js
//
// and committed, so that nobody needs npm to install or run the testbed.
export { createElement, Fragment, useEffect, useState } from "react";
export { createRoot } from "react-dom/client";
