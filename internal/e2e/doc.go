// Package e2e holds the tests that open the inspector in real browsers, as a person would: they drop folders on it,
// walk through its pages, take its server away, and look at what it shows. It has no code of its own.
package e2e
