// Translates the sentences of scripts into the language of the page. Loaded by measure/measure.js, shared/reply-draft.js and others.

/** The ids of the templates that hold translations, see components/i18n/script_words.templ. A page has those that it needs. */
const TEMPLATES = ['script-words', 'form-words', 'view-words', 'reading-words', 'hosted-words', 'passage-words'];
/** The templates that the translations were read from. @type {Array<HTMLElement|null>} */
let wordsTemplates = [];
/** The translations of the templates, by the English sentence. @type {Map<string, string>} */
let translations = new Map();
/**
 * The inspector's language and its translations, by the English sentence. It has no templates around its pages.
 * @type {{code: string, sentences: Record<string, string>}}
 */
let chosen = { code: '', sentences: {} };

/** Sets the language of the inspector, or of a worker. @param {typeof chosen} words */
export const useWords = words => { chosen = words; };

/** The language and its translations, for a worker. */
export const currentWords = () => chosen;

/**
 * Returns one of our sentences in the language of the page. {0}, {1}, … are replaced with the arguments; without arguments they
 * stay, for fill. A hosted page in another language than English brings the translations in templates.
 * @param {string} english @param {...(string|number)} args
 */
export function tr(english, ...args) {
  const text = templateWords().get(english) || (Object.hasOwn(chosen.sentences, english) ? chosen.sentences[english] : english);
  return inEnglish(text, ...args);
}

/** The same without translation. @param {string} sentence @param {...(string|number)} args */
export const inEnglish = (sentence, ...args) => (args.length ? sentence.replace(/\{(\d)\}/g, (place, n) => String(args[n])) : sentence);

/** Marks a sentence that is translated later, where it is shown. @param {string} english */
export const msg = english => english;

/** The translations of the page's templates; a worker has no page. */
function templateWords() {
  if (typeof document === 'undefined') return translations;
  const now = TEMPLATES.map(id => document.getElementById(id));
  if (now.some((template, i) => template !== wordsTemplates[i])) {
    wordsTemplates = now;
    translations = new Map(now.filter(Boolean).flatMap((/** @type {HTMLTemplateElement} */ template) => Array.from(template.content.children, (/** @type {HTMLElement} */ node) => [node.dataset.en, node.textContent])));
  }
  return translations;
}

/** The first sentence for one, the second with the number in {0} for any other. @param {number} n @param {string} one @param {string} many */
export const trCount = (n, one, many) => tr(n === 1 ? one : many, formatNumber(n));

/** A sentence with nodes in its places. @param {string} sentence @param {...(Node|string)} parts */
export const fill = (sentence, ...parts) => sentence.split(/\{(\d)\}/).map((piece, i) => (i % 2 ? parts[Number(piece)] : piece));

/** A number as the page's language writes it. @param {number} n @param {number} [digits] after the point */
export const formatNumber = (n, digits = 0) => n.toLocaleString(chosen.code || (typeof document === 'undefined' ? 'en' : document.documentElement.lang || 'en'), { minimumFractionDigits: digits, maximumFractionDigits: digits });
