// Package archtest holds the rules of the house as tests: which room may import which (for the machine it runs on and
// for js/wasm), what must be documented, how large the modules may get, and what no file may contain. Each failure says
// which rule was broken and why the rule is there. There is nothing here to import.
package archtest
