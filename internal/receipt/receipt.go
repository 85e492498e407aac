// Package receipt proves decisions: a server writes one for each, and anybody checks it without
// that server, in a browser or at a terminal.
package receipt
