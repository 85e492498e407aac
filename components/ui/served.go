//go:build !js

package ui

// Served reports whether a server makes the pages. The inspector's reader makes them in the browser:
// it is a file that people download, and shall not carry parts that it never shows.
const Served = true
