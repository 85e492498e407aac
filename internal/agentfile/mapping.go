package agentfile

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/figs-web/figs-web/figs"
)

// mapping is a mapping of a workflow.yaml, and how to speak of what is wrong in it.
type mapping struct {
	r                *Reader
	t                *tree
	node             *yaml.Node
	prefix           string // of names in sentences, "trigger."
	pointer, record  string
	where            place     // of what is missing
	missing, unknown figs.Code // rules for fields that are not there, and for keys that should not be
}

// at is the place of a value of the mapping.
func (m *mapping) at(n *yaml.Node, key string) place {
	p := m.t.node(n, m.pointer+"/"+key)
	p.record = m.record
	return p
}

// value is what stands under a key, the last time that it does; nil where there is nothing, or null.
func (m *mapping) value(key string) (n *yaml.Node) {
	for i := 0; i+1 < len(m.node.Content); i += 2 {
		if k := m.node.Content[i]; k.Kind == yaml.ScalarNode && k.Value == key {
			n = m.node.Content[i+1]
		}
	}
	if n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return nil
	}
	return n
}

// has reports whether a key stands in the mapping, whatever its value.
func (m *mapping) has(key string) bool {
	for i := 0; i+1 < len(m.node.Content); i += 2 {
		if k := m.node.Content[i]; k.Kind == yaml.ScalarNode && k.Value == key {
			return true
		}
	}
	return false
}

// lacks notes that a field which must be there is not.
func (m *mapping) lacks(key string) { m.r.add(m.missing, m.where, m.prefix+key) }

// malformed notes that a value is of another kind than wanted. An alias was noted where it was met.
func (m *mapping) malformed(n *yaml.Node, key, wanted string) {
	if n.Kind == yaml.AliasNode {
		return
	}
	meant := ""
	if wanted == text && n.Kind == yaml.ScalarNode && n.Style == 0 && len(n.Value) <= 64 && !strings.ContainsAny(n.Value, "\"\\\n") {
		meant = `"` + n.Value + `"`
	}
	m.r.suggest(figs.WorkflowFieldMalformed, m.at(n, key), meant, m.prefix+key, wanted)
}

// What a field should be.
const (
	text      = "text"
	aMapping  = "a mapping of keys to values"
	aList     = "a list of steps"
	aRelative = "a relative path inside of the project"
)

// text reads a field that is text. It is ok when the value can be judged further; what stands there is returned
// in any case.
func (m *mapping) text(key string, required bool) (s string, at place, ok bool) {
	n := m.value(key)
	if n == nil {
		if required {
			m.lacks(key)
		}
		return "", at, false
	}
	at = m.at(n, key)
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str":
		m.malformed(n, key, text)
		return n.Value, at, false
	case strings.TrimSpace(n.Value) == "":
		if required {
			m.r.add(m.missing, at, m.prefix+key)
		}
		return "", at, false
	}
	if c := figs.HiddenCharacter([]byte(n.Value)); c >= 0 {
		m.r.add(figs.WorkflowTextHidden, at, codePoint(c))
	}
	return n.Value, at, true
}

// inner reads a field that is a mapping of its own.
func (m *mapping) inner(key string, required bool) (in mapping, ok bool) {
	n := m.value(key)
	if n == nil {
		if required {
			m.lacks(key)
		}
		return in, false
	}
	if n.Kind != yaml.MappingNode || n.ShortTag() != "!!map" {
		m.malformed(n, key, aMapping)
		return in, false
	}
	in = *m
	in.node, in.prefix, in.pointer, in.where = n, m.prefix+key+".", m.pointer+"/"+key, m.at(n, key)
	return in, true
}

// only notes every key that is none of these. Merge keys were noted where they were met.
func (m *mapping) only(keys []string, kind string) {
	var there []string
	for _, key := range keys {
		if m.has(key) {
			there = append(there, key)
		}
	}
	for i := 0; i+1 < len(m.node.Content); i += 2 {
		k := m.node.Content[i]
		if k.Kind == yaml.ScalarNode && (slices.Contains(keys, k.Value) || k.ShortTag() == "!!merge") {
			continue
		}
		at := m.t.node(k, m.pointer)
		at.record = m.record
		meant := ""
		if i/2 < figs.PerRule { // more are not listed
			meant = figs.Suggest(k.Value, keys)
		}
		if slices.Contains(there, meant) {
			meant = ""
		}
		m.r.suggest(m.unknown, at, meant, k.Value, kind)
	}
}

// choice notes a value that is none of the allowed ones.
func (r *Reader) choice(code figs.Code, at place, value string, allowed []string, more ...string) bool {
	if slices.Contains(allowed, value) {
		return true
	}
	r.suggest(code, at, figs.Suggest(value, allowed), append([]string{value}, more...)...)
	return false
}
