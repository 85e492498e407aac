// Package version names the release that this source is, once for the program, the page and
// the exports.
package version

// Version is this source's release, with "-dev" while it is being written.
const Version = "v0.1.0-dev"
