const PAGE = `<!DOCTYPE html><title>Taken over</title><p>This page comes from a worker of an earlier session.</p>`;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") {
    event.respondWith(new Response(PAGE, { headers: { "Content-Type": "text/html" } }));
  }
});
