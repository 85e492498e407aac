// What scripts add to pages that a server sends: buttons that copy, and choices that take effect
// at once. Everything else works without.

document.documentElement.classList.add('is-scripted'); // shows what needs a script

document.addEventListener('click', async event => {
  const button = event.target.closest && event.target.closest('[data-copy]');
  if (!button) return;
  const before = button.textContent;
  button.textContent = await copy(button.dataset.copy) ? 'Copied' : 'Not copied';
  setTimeout(() => { button.textContent = before; }, 1600);
});

document.addEventListener('change', event => {
  const form = event.target.form;
  if (event.target.tagName === 'SELECT' && form && 'query' in form.dataset) form.requestSubmit();
});

/** Copies also where the clipboard is closed to pages without TLS. @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = Object.assign(document.createElement('textarea'), { value: text });
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
