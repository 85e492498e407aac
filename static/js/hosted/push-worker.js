// Shows push notifications while no page is open. Loaded by the browser, as the service worker that hosted/push.js registers.
// It keeps nothing, fetches nothing and stands between no page and its server.

self.addEventListener('push', event => {
  let news = {};
  try { news = event.data.json(); } catch { /* what cannot be read is shown without words */ }
  event.waitUntil(self.registration.showNotification(String(news.title || 'figs-web'), {
    body: String(news.body || ''), tag: String(news.tag || ''), data: String(news.link || '/'),
  }));
});

self.addEventListener('notificationclick', event => {
  event.notification.close();
  const url = new URL(event.notification.data, self.location.origin);
  if (url.origin !== self.location.origin) return; // it leads to this server alone
  event.waitUntil(self.clients.openWindow(url.href));
});
