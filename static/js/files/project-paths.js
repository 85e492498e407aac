// Tells by its path which file may belong to another folder of agents than .figs. Loaded by files/find-folders.js, inspector/folder-input.js, worker/file-tree.js and worker/sources.js.
// This only tells whether to ask the reader, which decides what is there, and what to call a path when someone gave
// the very folder of a kind without what surrounds it.

const EXTENSIONS = /\.(json|jsonl|yaml)$/; // most files are nothing of this
const PROJECT_FILE = /(^|\/)(\.agents\/findings\/registry\.jsonl|\.flue-runtime\/artifacts\/records\/[^/]+\.json|workflows\/[^/]+\/workflow\.yaml|artifacts\/[^/]+\/\d{4}-[^/]+\/manifest\.json)$/;
const PROJECT_FOLDER = /(^|\/)(\.agents|\.flue-runtime|workflows|artifacts|outputs)\//;
const MAX_SENT_FILES = 20_000; // files that a page hands over, where its browser cannot hand over a folder

/**
 * What is to stand before the paths below a folder, so that what it holds is found: nothing before those of a project,
 * ".agents/" before those of .agents. Undefined when no kind is in it.
 * @param {string} name of the folder @param {string[]} paths @returns {string|undefined}
 */
export function projectPrefix(name, paths) {
  const candidates = paths.filter(path => EXTENSIONS.test(path));
  const prefixes = [name, '.agents/' + name, '.flue-runtime/' + name].map(folder => folder + '/');
  return [...prefixes, '', `workflows/${name}/`].find(prefix => candidates.some(path => {
    const match = PROJECT_FILE.exec(prefix + path);
    return match && (!prefix || !match.index && !match[1]);
  }));
}

/** Those of the paths that are handed over, the kinds' own first. @param {string[]} paths @returns {string[]} */
export function pathsToSend(paths) {
  if (paths.length <= MAX_SENT_FILES) return paths;
  return [...paths.filter(path => PROJECT_FOLDER.test(path)), ...paths.filter(path => !PROJECT_FOLDER.test(path))].slice(0, MAX_SENT_FILES);
}
