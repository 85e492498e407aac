package main

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"path"
	"regexp"
	"strings"

	"github.com/figs-web/figs-web/internal/attack/corpus"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// A mode is one way in which the corpus meets the browser.
type mode struct {
	name string
	why  string
	// make gives the document of a vector, or none where the vector has none in this mode.
	make func(v *corpus.Vector, content []byte) (document, bool, error)
	// judge says what is wrong with an outcome.
	judge func(*outcome, []corpus.Vector) []string
	// path is the address of a page with the given vectors; batch is how many vectors share one page.
	path  func(vectors []corpus.Vector) string
	batch int
	// view is the one in which the product's own routes show the vectors; "" where the product takes no part.
	view view
	// instead says that the product's documents are exchanged for ours, behind all that the product puts around them.
	instead bool
	page    bool // the product's page itself, with one frame
	still   bool // compares pictures instead of stirring
	// protected says that nothing at all may happen.
	protected bool
	// sparse is how many vectors a short run leaves out for each one that it takes.
	sparse int
}

// How the frames of a page of several vectors stand.
const (
	columns    = 6
	cellWidth  = 298
	cellHeight = 198
)

var modes = []mode{
	{name: "control", why: "the bytes as they are, opened by themselves, scripts on: what the detector hears when nothing protects",
		make: raw, judge: hears(70), path: alone, batch: 1},
	{name: "frames", why: "the control in pages of many frames, as the modes below have them",
		make: raw, judge: hears(60), path: framed("bare"), batch: 24},
	{name: "layers", why: "the bytes as they are, in the place of the product's documents: what all layers without the sanitizer cannot do",
		make: rawPage, judge: holds, path: framed("hosted/rendered"), batch: 24, view: asRendered, instead: true},
	{name: "sanitizer", why: "what the sandbox made of them, opened by itself without any policy, scripts on",
		make: cleaned, judge: silent, path: alone, batch: 1, protected: true},
	{name: "pages", why: "every layer: the product's own page with each, one after the other",
		make: shown, judge: silent, path: onPage, batch: 1, view: asRendered, page: true, protected: true, sparse: 4},
	{name: "hosted", why: "the frames of those pages, many at a time, under their policy and with their documents from the product's routes",
		make: shown, judge: silent, path: framed("hosted/rendered"), batch: 24, view: asRendered, protected: true},
	{name: "source", why: "the same for the exact bytes as text",
		make: shown, judge: silent, path: framed("hosted/source"), batch: 24, view: asSource, protected: true, sparse: 1},
	{name: "text", why: "the same for what a machine would read",
		make: shown, judge: silent, path: framed("hosted/text"), batch: 24, view: asText, protected: true, sparse: 1},
	{name: "compare", why: "the same for what changed since an earlier file",
		make: compared, judge: silent, path: framed("hosted/compare"), batch: 24, view: asChange, protected: true, sparse: 1},
	{name: "offline", why: "what the sandbox made of them in srcdoc frames without rights, under the policy of the page without a server",
		make: rendered, judge: silent, path: framed("offline"), batch: 24, protected: true},
	{name: "moving", why: "the bytes as they are looked at again by other eyes and later: the control of the next two",
		make: raw, judge: changes, path: framed("bare"), batch: 24, still: true},
	{name: "steady", why: "what the sandbox made of them, alone in the same frames: the same picture for every reader, under the mouse, and after a while",
		make: cleaned, judge: silent, path: framed("bare"), batch: 24, still: true, protected: true},
	{name: "still", why: "the same behind every layer: frames and documents of the product",
		make: shown, judge: silent, path: framed("hosted/rendered"), batch: 24, view: asRendered, still: true, protected: true},
}

// silent wants nothing to be heard.
func silent(o *outcome, vectors []corpus.Vector) []string { return o.leaks(vectors) }

// hears wants the detector to fire for a share of the vectors, in percent.
func hears(floor int) func(*outcome, []corpus.Vector) []string {
	return func(o *outcome, _ []corpus.Vector) []string {
		if o.fired()*100 >= floor*o.vectors {
			return nil
		}
		return []string{fmt.Sprintf("%s: the detector fired for %d of %d vectors, want at least %d %%: it may be deaf",
			o.mode.name, o.fired(), o.vectors, floor)}
	}
}

// holds wants the layers to stop every script, dialog and download, and the detector to hear the connections that they let out.
func holds(o *outcome, _ []corpus.Vector) []string {
	var faults []string
	for _, k := range []kind{script, dialog, download} {
		if n := o.total(k); n > 0 {
			faults = append(faults, fmt.Sprintf("%s: %d %s behind the layers", o.mode.name, n, k))
		}
	}
	if o.total(connection) == 0 {
		faults = append(faults, o.mode.name+": not one connection was heard, though a preconnect passes every layer: the detector may be deaf")
	}
	return faults
}

// brief is the mode as a short run has it: many vectors a page, unless the page is the point.
func (m mode) brief() mode {
	if m.batch == 1 && !m.page {
		m.path, m.batch = framed("bare"), 24
	}
	return m
}

// some are the vectors that a short run takes.
func (m mode) some(vectors []corpus.Vector) []corpus.Vector {
	var some []corpus.Vector
	for i := 0; i < len(vectors); i += 1 + m.sparse {
		some = append(some, vectors[i])
	}
	return some
}

func alone(vectors []corpus.Vector) string {
	return fmt.Sprintf("/raw/%d/%s", vectors[0].Number, "x")
}

func framed(kind string) func([]corpus.Vector) string {
	return func(vectors []corpus.Vector) string {
		var numbers []string
		for _, v := range vectors {
			numbers = append(numbers, fmt.Sprint(v.Number))
		}
		return "/" + kind + "/" + strings.Join(numbers, "-")
	}
}

// onPage is the product's page with a vector.
func onPage(vectors []corpus.Vector) string {
	return asRendered.page(fmt.Sprint(vectors[0].Number))
}

// shown leaves the document to the product, where it shows one.
func shown(v *corpus.Vector, content []byte) (document, bool, error) {
	return document{}, sandbox.KindOf(v.File, content) != report.Download, nil
}

// compared leaves it to the product for what is compared as text. Pictures are compared side by side, as rendered.
func compared(v *corpus.Vector, content []byte) (document, bool, error) {
	kind := sandbox.KindOf(v.File, content)
	return document{}, kind != report.Download && kind != report.Image && kind != report.SVG, nil
}

// rendered gives the document that the sandbox makes, as the viewer serves it.
func rendered(v *corpus.Vector, content []byte) (document, bool, error) {
	r := sandbox.Render(v.File, content, report.Rendered, report.Hosted())
	return document{"text/html; charset=utf-8", r.Document}, len(r.Document) > 0, nil
}

// policyElement is the policy that a document of the sandbox brings along.
var policyElement = regexp.MustCompile(`(?i)<meta http-equiv="?content-security-policy"?[^>]*>`)

// cleaned is rendered without its own policy: the sanitizer must stand by itself.
func cleaned(v *corpus.Vector, content []byte) (document, bool, error) {
	d, found, err := rendered(v, content)
	if !found || err != nil {
		return d, found, err
	}
	if len(policyElement.FindAll(d.bytes, 2)) != 1 {
		return d, false, fmt.Errorf("%s/%s: the document does not bring one policy of its own", v.Family, v.Name)
	}
	d.bytes = policyElement.ReplaceAll(d.bytes, nil)
	return d, true, nil
}

// raw serves the bytes as a careless server would: by extension, or by a look at the bytes.
func raw(v *corpus.Vector, content []byte) (document, bool, error) {
	if v.Unsafe {
		return document{}, false, nil
	}
	switch strings.ToLower(path.Ext(v.File)) {
	case ".html", ".htm":
		return document{"text/html", content}, true, nil
	case ".xhtml":
		return document{"application/xhtml+xml", content}, true, nil
	case ".xml":
		return document{"text/xml", content}, true, nil
	case ".svg":
		return document{"image/svg+xml", content}, true, nil
	case ".md":
		return document{"text/html; charset=utf-8", careless(content)}, true, nil
	}
	// Sniffing skips a few spaces and no more; a page further down is a text for it.
	return document{http.DetectContentType(bytes.TrimSpace(content)), content}, true, nil
}

// changes wants pictures to change.
func changes(o *outcome, _ []corpus.Vector) []string {
	if n := o.total(change); n < 3 {
		return []string{fmt.Sprintf("%s: %d pictures changed, want at least 3: the eye may be blind", o.mode.name, n)}
	}
	return nil
}

// rawPage is raw for what is served as a page, and shown by the product.
func rawPage(v *corpus.Vector, content []byte) (document, bool, error) {
	d, found, err := raw(v, content)
	return d, found && strings.HasPrefix(d.kind, "text/html") && sandbox.KindOf(v.File, content) != report.Download, err
}

var (
	imageLink  = regexp.MustCompile(`!\[([^\]]*)\]\(<?([^)>\s]+)[^)]*\)`)
	textLink   = regexp.MustCompile(`\[([^\]]*)\]\(<?([^)>]+?)>?\)`)
	definition = regexp.MustCompile(`(?m)^\[([^\]]+)\]:\s*<?(\S+?)>?(\s.*)?$`)
	bare       = regexp.MustCompile(`(^|\s)<?((?:http|javascript|mailto):[^\s<>]+)>?`)
)

// careless turns markdown into html as a careless viewer would: raw html stays, every address becomes a link or an image.
func careless(src []byte) []byte {
	text := string(src)
	for _, d := range definition.FindAllStringSubmatch(text, -1) {
		text = strings.ReplaceAll(text, "!["+d[1]+"]", "![]("+d[2]+")")
		text = strings.ReplaceAll(text, "["+d[1]+"] ", "["+d[1]+"]("+d[2]+") ")
		text = regexp.MustCompile(`(!?)\[([^\]]*)\]\[`+regexp.QuoteMeta(d[1])+`\]`).ReplaceAllString(text, "$1[$2]("+strings.ReplaceAll(d[2], "$", "$$")+")")
	}
	text = imageLink.ReplaceAllStringFunc(text, func(s string) string {
		m := imageLink.FindStringSubmatch(s)
		return `<img alt="` + m[1] + `" src="` + m[2] + `">`
	})
	text = textLink.ReplaceAllStringFunc(text, func(s string) string {
		m := textLink.FindStringSubmatch(s)
		return `<a style="display:block" href="` + html.EscapeString(html.UnescapeString(m[2])) + `">` + m[1] + `&nbsp;</a>`
	})
	text = bare.ReplaceAllString(text, `$1<a style="display:block" href="$2">$2</a>`)
	return []byte("<!doctype html><body>" + text)
}
