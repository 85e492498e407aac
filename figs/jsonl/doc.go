// Package jsonl reads JSON Lines by position: which bytes are a line, where its members
// stand, and whether it is whole, torn or broken. It knows no protocol, keeps nothing of what
// it read but how lines are spelled (Plan), and decodes a value only when asked.
package jsonl
