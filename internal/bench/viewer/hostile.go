package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
)

// most is the largest attachment there is, in bytes (spec §7).
const most = 10 << 20

// attachment is one file that is given to the sandbox.
type attachment struct {
	name    string // its extension decides how it is read
	what    string // what makes it costly
	content []byte
}

// fill repeats a piece up to a size and puts a beginning and an end around it.
func fill(size int, begin, piece, end string) []byte {
	n := max(1, (size-len(begin)-len(end))/len(piece))
	return []byte(begin + strings.Repeat(piece, n) + end)
}

// number repeats a piece that holds %d with rising numbers, up to a size.
func number(size int, begin, piece, end string) []byte {
	var b bytes.Buffer
	b.WriteString(begin)
	for i := 0; b.Len() < size-len(end)-len(piece)-20; i++ {
		fmt.Fprintf(&b, piece, i)
	}
	b.WriteString(end)
	return b.Bytes()
}

// hostile lists files that were made to cost: each is as large as its kind may be at all.
func hostile() []attachment {
	const mib = 1 << 20
	list := []attachment{
		{"text.html", "plain paragraphs, the usual case at its largest", fill(most, "<!DOCTYPE html><body>", "<p>The quick brown fox signs off the October close.</p>\n", "")},
		{"line.html", "one line of text without an element", fill(most, "", "word ", "")},
		{"deep.html", "elements nested without an end", fill(most, "", "<div>", "")},
		{"elements.html", "more elements than are taken", fill(most, "", "<b>a</b>", "")},
		{"adoption.html", "formatting elements that the parser must reconstruct", fill(most, "", "<b><i><a><p>x", "")},
		{"tables.html", "tables inside each other's cells", fill(most, "", "<table><tr><td>x", "")},
		{"fostered.html", "text that the parser moves out of a table", fill(most, "<table>", "x<b>y</b>", "</table>")},
		{"attribute.html", "one attribute of the whole size", fill(most, `<p title="`, "x", `">text</p>`)},
		{"attributes.html", "one element with more attributes than anyone reads", number(most, "<p ", "a%d=1 ", ">text</p>")},
		{"entities.html", "nothing but character references", fill(most, "<p>", "&notin;", "")},
		{"comments.html", "comments", fill(most, "", "<!--x-->", "text")},
		{"style.html", "one style sheet of the whole size", fill(most, "<style>", ".a{color:red;width:calc(1px + 2px)}\n", "</style><p>text")},
		{"selectors.html", "one rule with a long list of selectors", number(most, "<style>", ".a%d > b:nth-child(2n+1),", "p{color:red}</style><p>text")},
		{"braces.html", "a style sheet of opening braces", fill(most, "<style>", "{[(", "</style><p>text")},
		{"inline.html", "a style attribute on each element", fill(most, "", `<p style="color:red;background:linear-gradient(red,blue)">x</p>`, "")},
		{"links.html", "a link on each word", number(most, "", `<a href="https://h%d.example/">x</a>`, "")},
		{"charts.html", "a small chart again and again", fill(most, "", `<svg viewBox="0 0 9 9"><rect width="9" height="9"/></svg>`, "")},
		{"pictures.html", "a small data image again and again", fill(most, "", `<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`, "")},
		{"nul.html", "bytes of zero", make([]byte, most)},
		{"quotes.md", "quotes inside quotes", fill(mib, "", "> ", "x")},
		{"lists.md", "lists inside lists", fill(mib, "", "- ", "x")},
		{"brackets.md", "brackets that never close", fill(mib, "", "[", "")},
		{"stars.md", "emphasis that never ends", fill(mib, "", "*a _b ", "")},
		{"ticks.md", "code spans of every length", number(mib, "", "`%d``", "")},
		{"cells.md", "a table of empty cells", fill(mib, "|a|b|\n|-|-|\n", "|||||||||\n", "")},
		{"definitions.md", "link definitions and their uses", number(mib, "", "[r%d]: /x\n", "\n[r1]\n")},
		{"words.md", "prose, the usual case at its largest", fill(mib, "# Report\n\n", "Some *words* about the [close](#a), and `code`.\n\n", "")},
		{"deep.json", "arrays inside arrays", fill(most, "", "[", "")},
		{"wide.json", "one flat list", fill(most, "[0", ",1", "]")},
		{"keys.json", "one object with many keys", number(most, "{", `"k%d":1,`, `"z":0}`)},
		{"string.json", "one string of the whole size", fill(most, `"`, `\u0041`, `"`)},
		{"lines.txt", "short lines", fill(most, "", "a\n", "")},
		{"line.txt", "one line", fill(most, "", "x", "")},
		{"hidden.txt", "characters that leave no mark", fill(most, "", "\u200b", "")},
		{"formulas.csv", "cells that a spreadsheet would run", fill(most, "", "=1+1,@x,\"a\"\"b\"\n", "")},
		{"quote.csv", "a quote that never closes", fill(most, `"`, "a,b\n", "")},
		{"use.svg", "elements that use each other", uses()},
		{"paths.svg", "one path of the whole size", fill(mib, `<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0`, " L9 9", `"/></svg>`)},
		{"deep.svg", "groups without an end", fill(mib, `<svg xmlns="http://www.w3.org/2000/svg">`, "<g>", "")},
		{"lying.png", "a picture that claims to be enormous", lying()},
		{"entries.xlsx", "an archive of empty files", entries()},
	}
	return list
}

// uses is an svg whose small tree of references expands to more elements than any machine draws.
func uses() []byte {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg"><defs><g id="a0"><rect width="1" height="1"/></g>`)
	for i := range 40 {
		fmt.Fprintf(&b, `<g id="a%d">%s</g>`, i+1, strings.Repeat(fmt.Sprintf(`<use href="#a%d"/>`, i), 10))
	}
	b.WriteString(`</defs><use href="#a40"/></svg>`)
	return []byte(b.String())
}

// lying is the head of a PNG of two billion pixels a side.
func lying() []byte {
	return append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x02\x00\x00\x00"), make([]byte, 1<<20)...)
}

// entries is an archive with as many names as fit.
func entries() []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; b.Len() < 4<<20; i++ {
		if _, err := w.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", i)); err != nil {
			panic(err) // nothing in memory refuses to be written
		}
	}
	w.Close()
	return b.Bytes()
}
