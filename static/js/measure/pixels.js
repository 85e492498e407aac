// Reads the pixels of pictures and tells where two of them differ. Loaded by measure/measure.js.

/** A contrast to one: below that no one reads a text. */
export const MIN_CONTRAST = 1.6;
const SCREEN_PX = 800;

/**
 * @typedef {[number, number, number, number]} Box left, top, width, height in the document
 * @typedef {{boxes: Box[], lines: Array<number[]|null>, contrast: number}} Marks
 *   lines: for each box, from which to which pixel something differs, left, right, top, bottom; contrast: the greatest
 */

/** @type {OffscreenCanvas|undefined} */
let canvas;

/** The pixels of a part of an image, one number each. A drawing is painted whole, on white. @param {HTMLImageElement} image @param {number} width @param {number} top @param {number} height */
export function pixels(image, width, top, height, whole = false) {
  canvas = canvas || new OffscreenCanvas(1, 1);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height }); // setting them clears it, which takes time
  const g = canvas.getContext('2d', { willReadFrequently: true });
  if (whole) {
    g.fillStyle = '#fff';
    g.fillRect(0, 0, width, height);
    g.drawImage(image, 0, 0, width, height);
  } else {
    g.drawImage(image, 0, top, width, height, 0, 0, width, height); // it has a ground of its own
  }
  return new Uint32Array(g.getImageData(0, 0, width, height).data.buffer);
}

/** Whether the browser gives a page the pixels that it draws; where it does not, nothing can be measured. @param {HTMLImageElement} image */
export function checkPixels(image) {
  const test = new OffscreenCanvas(16, 16), g = test.getContext('2d', { willReadFrequently: true });
  for (let i = 0; i < 256; i++) {
    g.fillStyle = `rgb(${i},${255 - i},${i ^ 85})`;
    g.fillRect(i % 16, i >> 4, 1, 1);
  }
  const { data } = g.getImageData(0, 0, 16, 16);
  for (let i = 0; i < 256; i++) {
    if (data[4 * i] !== i || data[4 * i + 1] !== 255 - i || data[4 * i + 2] !== (i ^ 85)) return false;
  }
  const A = pixels(image, 64, 0, 64), B = pixels(image, 64, 0, 64);
  return A.every((n, i) => n === B[i]);
}

/**
 * Follows how many rows in turn show nothing, and tells texts how much of nothing is before them. Gaps of less than half a
 * screen are none.
 * @typedef {{run: number, before: number, last: number|null}} Blank rows in turn, rows of gaps before them, the last row's pixel
 * @param {Uint32Array} A the pixels of a tile @param {number} width @param {number} height @param {number} top of the tile
 * @param {Blank} blank what was followed so far @param {Array<Marks & {blankAbove: number}>} texts
 */
export function trackBlankRows(A, width, height, top, { run, before, last }, texts) {
  /** @type {Map<number, Array<Marks & {blankAbove: number}>>} */
  const starts = new Map();
  for (const text of texts) {
    const y = Math.floor(Math.min(...text.boxes.map(box => box[1])));
    if (y >= top && y < top + height) starts.set(y, [...(starts.get(y) || []), text]);
  }
  const gap = () => (run > SCREEN_PX / 2 ? run : 0);
  for (let row = 0; row < height; row++) {
    for (const text of starts.get(top + row) || []) text.blankAbove = before + gap();
    const at = row * width, first = A[at];
    let isBlank = last === null || first === last;
    for (let i = at + 1; isBlank && i < at + width; i++) isBlank = A[i] === first;
    if (!isBlank) before += gap();
    run = isBlank ? run + 1 : 0;
    last = first;
  }
  return { run, before, last };
}

/** The pixel behind the first line of a text, at its lower left corner. @param {Uint32Array} A @param {Box} box @param {number} width @param {number} height @param {number} left @param {number} top */
export function pixelBehind(A, [x, y, , h], width, height, left, top) {
  const col = Math.round(x - left) + 1, row = Math.round(y - top + h) - 2;
  return col >= 0 && col < width && row >= 0 && row < height ? A[row * width + col] : undefined;
}

/**
 * Notes for each line of a text where in it pixels differ, and how much.
 * @param {Marks} text @param {Uint32Array} A with it @param {Uint32Array} B without it
 * @param {number} width @param {number} height @param {number} left @param {number} top
 */
export function recordDifferences(text, A, B, width, height, left, top) {
  text.boxes.forEach(([x, y, w, h], k) => {
    const from = Math.max(0, Math.floor(x - left) - 2), to = Math.min(width, Math.ceil(x - left + w) + 2);
    for (let row = Math.max(0, Math.floor(y - top) - 2); row < Math.min(height, y - top + h + 2); row++) {
      let first = row * width + from, last = row * width + to - 1;
      const end = last + 1;
      while (first < end && A[first] === B[first]) first++;
      if (first === end) continue;
      while (A[last] === B[last]) last--;
      for (let at = first; at <= last && text.contrast < MIN_CONTRAST; at++) if (A[at] !== B[at]) text.contrast = Math.max(text.contrast, contrast(A[at], B[at]));
      const line = text.lines[k] || (text.lines[k] = [Infinity, -Infinity, Infinity, -Infinity]), start = row * width - left;
      line[0] = Math.min(line[0], first - start);
      line[1] = Math.max(line[1], last - start);
      line[2] = Math.min(line[2], row + top);
      line[3] = Math.max(line[3], row + top);
    }
  });
}

/** @param {number} byte of a colour */
const linearize = byte => (byte <= 10 ? byte / 3294.6 : ((byte / 255 + 0.055) / 1.055) ** 2.4);

/** @param {number} n a pixel */
const luminance = n => 0.2126 * linearize(n & 255) + 0.7152 * linearize(n >> 8 & 255) + 0.0722 * linearize(n >> 16 & 255);

/** The contrast of two pixels, as WCAG 2 defines it. @param {number} a @param {number} b */
export function contrast(a, b) {
  const x = luminance(a), y = luminance(b);
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** The pixel of a colour, in whatever notation. @param {string} colour */
export function pixelOf(colour) {
  const g = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  g.fillStyle = '#fff';
  g.fillRect(0, 0, 1, 1);
  g.fillStyle = colour;
  g.fillRect(0, 0, 1, 1);
  return new Uint32Array(g.getImageData(0, 0, 1, 1).data.buffer)[0];
}
