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
	still bool // compares pictures instead of stirring
	// protected says that nothing at all may happen.
	protected bool
}

// How the frames of a page of several vectors stand.
const (
	columns    = 6
	cellWidth  = 298
	cellHeight = 198
)

var modes = []mode{
	{"control", "the bytes as they are, opened by themselves, scripts on: what the detector hears when nothing protects", raw, hears(70), alone, 1, false, false},
	{"frames", "the control in pages of many frames, as the modes below have them", raw, hears(60), framed("bare"), 24, false, false},
	{"layers", "the bytes as they are behind the layers of a hosted viewer: what layers cannot do alone", rawPage, holds, framed("hosted"), 24, false, false},
	{"sanitizer", "what the sandbox made of them, opened by itself without any policy, scripts on", cleaned, silent, alone, 1, false, true},
	{"hosted", "the same behind every layer of a hosted viewer: headers, policy of the page, frame without rights", rendered, silent, framed("hosted"), 24, false, true},
	{"offline", "the same in blob: frames without rights, under the policy of the page without a server", rendered, silent, framed("offline"), 24, false, true},
	{"moving", "the bytes as they are, looked at again by other eyes and later: the control of the next", raw, changes, framed("bare"), 24, true, false},
	{"still", "the same picture for every reader, under the mouse, and after a while", rendered, silent, framed("hosted"), 24, true, true},
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

// brief is the mode as a short run has it: many vectors a page.
func (m mode) brief() mode {
	if m.batch == 1 {
		m.path, m.batch = framed("bare"), 24
	}
	return m
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

// rawPage is raw for what is served as a page.
func rawPage(v *corpus.Vector, content []byte) (document, bool, error) {
	d, found, err := raw(v, content)
	return d, found && strings.HasPrefix(d.kind, "text/html"), err
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
