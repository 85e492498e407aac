package agentfile

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/figs-web/figs-web/figs"
)

// mostYAML is how many bytes of YAML are read, of one file; mostYAMLs is how many of a project. Parsing takes two
// hundred bytes of memory for each of the worst.
const (
	mostYAML  = 1 << 20
	mostYAMLs = 16 << 20
)

// mostDirectives is how many lines may begin with a percent sign: the library compares each directive with all others.
const mostDirectives = 16

// tree is a YAML file that was read: its top node, which is a mapping, and the way from nodes to bytes of the file.
type tree struct {
	source
	root *yaml.Node
}

// readYAML reads the first document of a YAML file. It notes what is wrong with it; the tree is nil when nothing of it
// can be used. Nothing in it is expanded: an alias is a node of its own, and what it costs is what it says.
func (r *Reader) readYAML(file string, content []byte) *tree {
	if len(content) > mostYAML || r.yaml+len(content) > mostYAMLs {
		r.add(figs.YAMLTooLarge, whole(file), strconv.Itoa(len(content)))
		return nil
	}
	r.yaml += len(content)
	src, code, at, cause := newSource(file, content)
	if code == figs.YAMLBroken {
		r.add(code, src.at(at), cause)
		return nil
	}
	if cause != "" {
		r.add(code, src.at(at), cause)
	}
	var docs []*yaml.Node
	err := errDeep
	if !deep(src.text) {
		docs, err = decode(bytes.NewReader(src.text))
	}
	if err != nil {
		line := src.failed(problem(err))
		r.add(figs.YAMLBroken, src.inLine(line), src.explain(problem(err), line))
		if len(docs) == 0 {
			return nil
		}
	}
	return r.top(src, docs)
}

// mostLevels is how deep a file may nest, as deep tells it from the text. Reading calls itself for each level, and the
// stack of a browser ends well before the library's own limit of ten times as much.
const mostLevels = 1000

var errDeep = errors.New("yaml: exceeded max depth")

// deep reports whether a text can nest deeper than mostLevels: brackets that stay open, or what stands before the
// first word of a line. It may count too much, in texts that no workflow holds.
func deep(text []byte) bool {
	open, first := 0, 0 // brackets, and the bytes of the line before its first word; -1 after it
	for _, c := range text {
		switch c {
		case '\n':
			first = 0
			continue
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		case ' ', '\t', '-', '?', ':':
			if first >= 0 {
				first++
			}
		default:
			first = -1
		}
		if open > mostLevels || first > mostLevels {
			return true
		}
	}
	return false
}

// top takes the first document of a file, which must be a mapping.
func (r *Reader) top(src source, docs []*yaml.Node) *tree {
	if len(docs) == 0 {
		r.add(figs.YAMLBroken, whole(src.file), "there is nothing in it")
		return nil
	}
	t := &tree{source: src, root: docs[0]}
	if len(docs) > 1 {
		r.add(figs.YAMLBroken, t.node(docs[1], ""), "a second document begins here, and only the first one is read")
	}
	if t.root.Kind != yaml.MappingNode || t.root.ShortTag() != "!!map" {
		r.add(figs.YAMLBroken, t.node(t.root, ""), "it is not a mapping of “key: value” lines")
		return nil
	}
	r.walk(t, t.root, "", 0)
	return t
}

// decode reads the first document, and begins the second, if there is one. The nodes are the documents' own content.
func decode(text io.Reader) (docs []*yaml.Node, err error) {
	defer func() {
		if recover() != nil { // the library gives up so where it finds itself wrong
			err = errors.New("yaml: the reader gave up on it")
		}
	}()
	d := yaml.NewDecoder(text)
	for range 2 {
		var doc yaml.Node
		if err := d.Decode(&doc); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return docs, err
		}
		if len(doc.Content) > 0 {
			docs = append(docs, doc.Content[0])
		}
	}
	return docs, nil
}

// walk notes keys that stand twice, and aliases and merge keys, wherever they are. The library bounds how deep it goes.
func (r *Reader) walk(t *tree, n *yaml.Node, pointer string, depth int) {
	switch n.Kind {
	case yaml.AliasNode:
		r.add(figs.YAMLAlias, t.node(n, pointer), "*"+n.Value)
	case yaml.SequenceNode:
		for i, item := range n.Content {
			r.walk(t, item, below(pointer, strconv.Itoa(i), depth), depth+1)
		}
	case yaml.MappingNode:
		seen := make(map[string]bool, min(len(n.Content)/2, 64))
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			at := below(pointer, key.Value, depth)
			switch {
			case key.ShortTag() == "!!merge":
				r.add(figs.YAMLAlias, t.node(key, at), "<<")
			case key.Kind != yaml.ScalarNode:
				r.walk(t, key, pointer, depth+1)
			case seen[key.Value]:
				r.add(figs.YAMLKeyDuplicate, t.node(key, at), key.Value)
			}
			if key.Kind == yaml.ScalarNode {
				seen[key.Value] = true
			}
			r.walk(t, value, at, depth+1)
		}
	}
}

// mostPointer is how deep pointers tell where a value stands; a file of brackets would spend its square on them.
const mostPointer = 16

// below is the pointer to a member or an element (RFC 6901).
func below(pointer, name string, depth int) string {
	if depth >= mostPointer {
		return pointer
	}
	if strings.ContainsAny(name, "~/") {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
	}
	if len(name) > 200 {
		name = strings.ToValidUTF8(name[:200], "") + "…"
	}
	return pointer + "/" + name
}
