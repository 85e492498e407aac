// Package hiding is a collection of attachments for measuring what is said about hidden text: documents that hide a text,
// documents that imitate the page or read differently from how they look, and honest reports. It only holds documents;
// the command in prove draws them in browsers and writes truth.json.
package hiding

import (
	"slices"
	"strings"
)

// Document is one attachment of the collection.
type Document struct {
	Name  string // unique; names the trick, or the report: "colour-hsl"
	Ext   string // without the dot
	Trick string // the family of tricks or reports that it belongs to: "white on white"
	Class Class
	// Texts are words that a person must be able to read. Documents of the classes Hides and LowContrast have none.
	Texts []string

	source string // with mark where the secret goes
}

// Class says what a document is for.
type Class string

// The classes.
const (
	Hides       Class = "hides"        // keeps its secret from a person's eyes, or tries to
	LowContrast Class = "low contrast" // draws its secret in nearly the colour behind it
	Imitates    Class = "imitates"     // looks or speaks like the page around it
	Reorders    Class = "reorders"     // shows words that are not in its text, or in another order
	LookAlike   Class = "look-alike"   // spells with characters that look like others, or cannot be seen
	Honest      Class = "honest"       // an ordinary report
)

// Secret is what the hiding documents say unless a caller wants something else.
const Secret = "hub dun pub 4820 bud nun 3956"

// mark stands for the secret in a source.
const mark = "§"

// other exchanges letters and figures for others of the same width, in every font that is likely to be used.
var other = func() map[rune]rune {
	m := map[rune]rune{}
	for _, class := range []string{"bdqp", "hun", "2846", "3905"} {
		letters := []rune(class)
		for i, letter := range letters {
			m[letter] = letters[(i+1)%len(letters)]
		}
	}
	return m
}()

// Other is a text of the same length and width as Secret that differs from it in every letter. A document that looks the
// same with either draws nothing of it.
func Other() string {
	return strings.Map(func(r rune) rune {
		if to, ok := other[r]; ok {
			return to
		}
		return r
	}, Secret)
}

// HasSecret reports whether the document holds a secret.
func (d Document) HasSecret() bool { return strings.Contains(d.source, mark) }

// With returns the document with a text in the place that it hides.
func (d Document) With(secret string) []byte {
	return []byte(strings.Replace(d.source, mark, secret, 1))
}

// File is the document's name as an attachment.
func (d Document) File() string { return d.Name + "." + d.Ext }

// All returns the collection, in a fixed order: hiding documents first, honest reports last.
func All() []Document {
	return slices.Concat(
		colours(), lowContrast(), decorations(), covers(), transforms(), clips(), places(), sizes(), boxes(),
		kinds(), far(), widths(), drawings(), markdownTricks(), textTricks(),
		imitations(), reorders(), lookAlikes(),
		honest(),
	)
}

// Of returns the documents of some classes.
func Of(classes ...Class) []Document {
	return slices.DeleteFunc(All(), func(d Document) bool { return !slices.Contains(classes, d.Class) })
}

// Control is a document without a trick: a proof that does not see its secret proves nothing.
func Control() Document {
	return Document{Name: "control", Ext: "html", Trick: "none", source: page(`<p>§</p>`)}
}

// A row is one document of a family: its name and its markup.
type row struct{ name, markup string }

// family makes documents of one trick out of rows, each wrapped into a whole document.
func family(class Class, trick, ext string, wrap func(string) string, rows ...row) []Document {
	var list []Document
	for _, r := range rows {
		list = append(list, Document{Name: r.name, Ext: ext, Trick: trick, Class: class, source: wrap(r.markup)})
	}
	return list
}

// page is a small report around a piece of markup.
func page(markup string) string {
	return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Supplier review</title></head>\n<body>\n" +
		"<h1>Supplier review</h1>\n<p>Three of four invoices agree with their orders.</p>\n" + markup +
		"\n<p>The fourth waits for the warehouse.</p>\n</body></html>\n"
}

// oldPage is a page that browsers draw in quirks mode.
func oldPage(markup string) string { return strings.TrimPrefix(page(markup), "<!doctype html>\n") }
