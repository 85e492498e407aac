// Shows push notifications while no page is open. Loaded by the browser, as the service worker that hosted/push.js registers.
// It keeps nothing, fetches nothing, and handles no requests of pages. A notification has no buttons: it leads to the ask, and
// only the form there decides.

/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);

worker.addEventListener('push', event => {
  /** @type {Record<string, unknown>} */
  let news = {};
  try { news = event.data.json(); } catch { /* what cannot be read is shown without words */ }
  event.waitUntil(Promise.all([showBadge(news.badge), worker.registration.showNotification(String(news.title || 'figs-web'), {
    body: String(news.body || ''), tag: String(news.tag || ''), data: String(news.link || '/'),
  })]));
});

/** Shows on the installed app's icon how many asks need the person. @param {unknown} n */
async function showBadge(n) {
  if (!Number.isInteger(n) || !('setAppBadge' in worker.navigator)) return;
  await worker.navigator.setAppBadge(Number(n)).catch(() => {}); // the browser shows no numbers
}

worker.addEventListener('notificationclick', event => {
  event.notification.close();
  const url = new URL(event.notification.data, worker.location.origin);
  if (url.origin !== worker.location.origin) return; // it leads to this server alone
  event.waitUntil(worker.clients.openWindow(url.href));
});
