// The page in which documents are drawn: one frame, as wide as asked and as tall as in the viewer. The frame may be read
// by this page, so that it can be scrolled; nothing in it runs.
let frame = document.querySelector('iframe');

const painted = () => new Promise(resolve => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });

/** Shows a document, above a page of a colour, and returns how large it is. */
globalThis.show = async (path, width, colour) => {
  document.body.style.background = colour;
  const fresh = frame.cloneNode(); // the old one may scroll to where it was before
  frame.replaceWith(fresh);
  frame = fresh;
  frame.style.width = `${width}px`;
  await new Promise(resolve => { frame.onload = resolve; frame.src = path; });
  const inside = frame.contentDocument, sheet = new frame.contentWindow.CSSStyleSheet();
  // Blocks that are laid out only when looked at would change the size of the page while it is scrolled.
  sheet.replaceSync('* { scrollbar-width: none !important; content-visibility: visible !important }');
  inside.adoptedStyleSheets = [sheet];
  await Promise.all([...inside.images].map(image => image.decode().catch(() => {})));
  await inside.fonts.ready;
  await painted();
  const { scrollWidth, scrollHeight } = inside.scrollingElement ?? inside.documentElement;
  return { width: Math.min(scrollWidth, 12_000), height: Math.min(scrollHeight, 60_000) };
};

/** Scrolls the document and returns where it then is. */
globalThis.scrolled = async (x, y) => {
  const { contentWindow: inside } = frame;
  inside.scrollTo({ left: x, top: y, behavior: 'instant' });
  await painted();
  return { x: Math.round(inside.scrollX), y: Math.round(inside.scrollY) };
};

/** Measures a document as the viewer does. It fails where the viewer has no such script. */
globalThis.measured = async (path, width) => {
  const { measure } = await import('/js/measure/measure.js');
  return measure((inner, empty) => { inner.src = empty ? '/empty' : path; }, width, 640, new AbortController().signal);
};
