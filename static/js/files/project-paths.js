// Tells by its path which file may belong to another folder of agents than .figs. Loaded by files/find-folders.js, inspector/folder-input.js, worker/file-tree.js and worker/sources.js.
// This only tells whether to ask the reader, which decides what is there, and what to call a path when somebody gave
// the very folder of a kind without what surrounds it.

const SORT = /\.(json|jsonl|yaml)$/; // most files are nothing of this
const MARK = /(^|\/)(\.agents\/findings\/registry\.jsonl|\.flue-runtime\/artifacts\/records\/[^/]+\.json|workflows\/[^/]+\/workflow\.yaml|artifacts\/[^/]+\/\d{4}-[^/]+\/manifest\.json)$/;
const OWN = /(^|\/)(\.agents|\.flue-runtime|workflows|artifacts|outputs)\//;
const MOST = 20_000; // files that a page hands over, where its browser cannot hand over a folder

/**
 * What is to stand before the paths below a folder, so that what it holds is found: nothing before those of a project,
 * ".agents/" before those of .agents. Undefined when no kind is in it.
 * @param {string} name of the folder @param {string[]} paths @returns {string|undefined}
 */
export function placed(name, paths) {
  const likely = paths.filter(path => SORT.test(path));
  const inner = [name, '.agents/' + name, '.flue-runtime/' + name].map(folder => folder + '/');
  return [...inner, '', `workflows/${name}/`].find(before => likely.some(path => {
    const mark = MARK.exec(before + path);
    return mark && (!before || !mark.index && !mark[1]);
  }));
}

/** Those of the paths that are handed over, the kinds' own first. @param {string[]} paths @returns {string[]} */
export function carried(paths) {
  if (paths.length <= MOST) return paths;
  return [...paths.filter(path => OWN.test(path)), ...paths.filter(path => !OWN.test(path))].slice(0, MOST);
}
