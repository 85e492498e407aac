// Package sentences finds the English sentences that are not written in Go: those of the scripts, and those of the
// inspector's page around what the reader writes.
package sentences

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/internal/inspector/artifact"
)

const quoted = `'((?:[^'\\]|\\.)*)'`

// said finds what a script says: in single quotes, and on one line.
var said = regexp.MustCompile(`\b(?:(?:tr|msg)\(` + quoted + `|trCount\([^'\n]*` + quoted + `, ` + quoted + `|new Failure\('\w+', ` + quoted + `)`)

// Scripts are the sentences of the scripts below the root of the module, with where they are: "static/js/a.js:3".
func Scripts(root string) (map[string][]string, error) {
	at, folder := map[string][]string{}, os.DirFS(filepath.Join(root, "static", "js"))
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".js" {
			return err
		}
		source, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		for no, line := range strings.Split(string(source), "\n") {
			for _, english := range Said(line) {
				at[english] = append(at[english], fmt.Sprintf("static/js/%s:%d", name, no+1))
			}
		}
		return nil
	})
	return at, err
}

// Said are the sentences of a script.
func Said(source string) (all []string) {
	for _, m := range said.FindAllStringSubmatch(source, -1) {
		for _, english := range m[1:] {
			if english != "" {
				all = append(all, strings.ReplaceAll(english, `\'`, `'`))
			}
		}
	}
	return all
}

// Page are the sentences of the inspector's own page. Its elements are marked: data-tr says that an element's text is a
// sentence, in which elements are {0}, {1}, …; data-tr-attributes names attributes that are. static/js/inspector/language.js
// reads them in the same way.
func Page() []string {
	root, err := html.Parse(strings.NewReader(artifact.Shell()))
	if err != nil {
		panic(err) // of a reader that never fails
	}
	var all []string
	for node := range root.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		attributes := map[string]string{}
		for _, a := range node.Attr {
			attributes[a.Key] = a.Val
		}
		if _, ok := attributes["data-tr"]; ok {
			all = append(all, sentenceOf(node))
		}
		for name := range strings.FieldsSeq(attributes["data-tr-attributes"]) {
			all = append(all, attributes[name])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// sentenceOf is the text of an element, with its elements as {0}, {1}, ….
func sentenceOf(node *html.Node) string {
	var b strings.Builder
	n := 0
	for child := range node.ChildNodes() {
		switch child.Type {
		case html.TextNode:
			b.WriteString(child.Data)
		case html.ElementNode:
			fmt.Fprintf(&b, "{%d}", n)
			n++
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
