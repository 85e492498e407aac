// Selects a rectangle in a picture. Loaded by remarks/passage-mode.js.
// A rectangle is in pixels of the picture's natural size, whatever size it is shown at.

/** @typedef {{x: number, y: number, w: number, h: number}} Area */

const STEP_PX = 8; // of an arrow key, on the screen

/** The one picture that a document shows, with where it is. */
export class Picture {
  /** @param {HTMLImageElement} image in the hidden copy */
  constructor(image) {
    const box = image.getBoundingClientRect();
    this.width = image.naturalWidth;
    this.height = image.naturalHeight;
    this.scale = Math.min(box.width / this.width, box.height / this.height); // it is shown whole, in the middle of its box
    this.left = box.left + (box.width - this.width * this.scale) / 2;
    this.top = box.top + (box.height - this.height * this.scale) / 2;
  }

  /** Whether it is large enough to be pointed at. */
  get isUsable() {
    return this.width > 0 && this.height > 0 && this.scale > 0;
  }

  /** The rectangle between two points of the frame; null when it is empty. @param {number} x @param {number} y @param {number} toX @param {number} toY @returns {Area|null} */
  between(x, y, toX, toY) {
    const across = [x, toX].map(n => this.limit((n - this.left) / this.scale, this.width)).sort((a, b) => a - b);
    const down = [y, toY].map(n => this.limit((n - this.top) / this.scale, this.height)).sort((a, b) => a - b);
    const l = Math.floor(across[0]), t = Math.floor(down[0]), r = Math.ceil(across[1]), b = Math.ceil(down[1]);
    return r > l && b > t ? { x: l, y: t, w: r - l, h: b - t } : null;
  }

  /** @param {number} n @param {number} most */
  limit(n, most) {
    return Math.min(Math.max(n, 0), most);
  }

  /** The rectangle with which the keyboard begins: the middle of the picture. @returns {Area} */
  middle() {
    const w = Math.max(1, Math.round(this.width / 4)), h = Math.max(1, Math.round(this.height / 4));
    return { x: Math.floor((this.width - w) / 2), y: Math.floor((this.height - h) / 2), w, h };
  }

  /** A rectangle after an arrow key, which moves it or its lower right corner. @param {Area} area @param {string} key @param {boolean} resizes @returns {Area} */
  step({ x, y, w, h }, key, resizes) {
    const n = Math.max(1, Math.round(STEP_PX / this.scale)), dx = { ArrowLeft: -n, ArrowRight: n }[key] || 0, dy = { ArrowUp: -n, ArrowDown: n }[key] || 0;
    if (resizes) return { x, y, w: Math.min(Math.max(w + dx, 1), this.width - x), h: Math.min(Math.max(h + dy, 1), this.height - y) };
    return { x: this.limit(x + dx, this.width - w), y: this.limit(y + dy, this.height - h), w, h };
  }

  /** Where a rectangle is in the frame. @param {Area} area @returns {import('./passages.js').Box} */
  boxOf({ x, y, w, h }) {
    const left = this.left + x * this.scale, top = this.top + y * this.scale;
    return [left, top, left + w * this.scale, top + h * this.scale];
  }

  /** The rectangle that a remark names as "x,y,w,h"; null when it does not lie in the picture. @param {string} text @returns {Area|null} */
  parse(text) {
    const [x, y, w, h] = text.split(',').map(Number);
    return [x, y, w, h].every(n => Number.isInteger(n) && n >= 0) && w > 0 && h > 0 && x + w <= this.width && y + h <= this.height ? { x, y, w, h } : null;
  }
}
