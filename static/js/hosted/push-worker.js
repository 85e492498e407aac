// Shows push notifications while no page is open. Loaded by the browser, as the service worker that hosted/push.js registers.
// It keeps nothing, fetches nothing, and handles no requests of pages.

/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);

worker.addEventListener('push', event => {
  /** @type {Record<string, unknown>} */
  let news = {};
  try { news = event.data.json(); } catch { /* what cannot be read is shown without words */ }
  event.waitUntil(worker.registration.showNotification(String(news.title || 'figs-web'), {
    body: String(news.body || ''), tag: String(news.tag || ''), data: String(news.link || '/'),
  }));
});

worker.addEventListener('notificationclick', event => {
  event.notification.close();
  const url = new URL(event.notification.data, worker.location.origin);
  if (url.origin !== worker.location.origin) return; // it leads to this server alone
  event.waitUntil(worker.clients.openWindow(url.href));
});
