// Says which page the address names. Loaded by inspector/main.js, inspector/route.js, inspector/search.js, inspector/compose.js and inspector/actions.js.

/** The path after the # of the address, "/1/asks/2"; "/" where it names no page. */
export const currentPath = () => (location.hash.startsWith('#/') ? location.hash.slice(1) : '/');
