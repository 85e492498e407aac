package main

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/internal/attack/corpus"
	"github.com/figs-web/figs-web/internal/testenv/effort"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// costliest is about the design's limit for any attachment, two seconds, in units of work.
const costliest = 20

// What a document may hold, written down here a second time and not taken from the sandbox: two lists must agree.
var (
	mayElements = words(`html head meta title style body a abbr acronym address article aside b bdi big blockquote br caption
		center cite code col colgroup data dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6
		header hgroup hr i img ins kbd li main mark menu meter nav ol p pre progress q rp rt ruby s samp section small span
		strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr`)
	mayAttributes = words(`abbr align alt axis bgcolor border cellpadding cellspacing char charoff charset class clear color
		cols colspan compact content datetime dir face frame headers height hidden high href hspace http-equiv id lang low max min
		name noshade nowrap open optimum reversed role rowspan rules scope size span src start style summary title type
		valign value vspace width aria-label aria-hidden`)
	countNote      = regexp.MustCompile(`^[0-9,. a-z]{1,40}$`)
	pictureAddress = regexp.MustCompile(`^data:image/(png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/]+=*$`)
	svgElements    = words(`svg g defs symbol use rect circle ellipse line polyline polygon path text tspan textPath title desc
		linearGradient radialGradient stop pattern clipPath mask marker filter style image
		feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
		feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
		feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence switch a metadata`)
	svgElement = regexp.MustCompile(`<([A-Za-z][^\s/>]*)`)
	svgAddress = regexp.MustCompile(`(?i)(?:href|src)\s*=\s*["']([^"']*)|url\(\s*["']?([^)"']*)`)
	svgHandler = regexp.MustCompile(`(?i)<[^>]*\son[a-z]+\s*=`)

	// What no style may hold, looked for after escapes are undone.
	badStyle  = regexp.MustCompile(`(?i)url\s*\(|src\s*\(|image-set|cross-fade|image\s*\(|element\s*\(|paint\s*\(|expression|@import|@font|@key|@namespace|@charset|@page|@property|@layer|@container|@supports|@scope|@starting|:hover|:active|:focus|:target|:visited|:has|:host|::part|position\s*:\s*fixed|animation|transition\s*:|-moz-binding|behavior\s*:|prefers-|javascript:|<|//`)
	cssEscape = regexp.MustCompile(`\\([0-9a-fA-F]{1,6}\s?|.)`)
	cssString = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)
	cssNote   = regexp.MustCompile(`(?s)/\*.*?\*/`)
)

func words(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// TestDocuments holds every view of every vector to the list above, and every report to what its vector expects.
func TestDocuments(t *testing.T) {
	all, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		t.Run(v.Family+"/"+v.Name, func(t *testing.T) {
			content, err := v.Fill(port)
			if err != nil {
				t.Fatal(err)
			}
			for _, view := range []report.View{report.Rendered, report.Source, report.Text} {
				var r *report.Result
				effort.Within(t, costliest, string(view), func() { r = render(t, v.File, content, view) })
				if len(r.Document) > r.Limits.Output {
					t.Errorf("%s gave %d bytes, want at most %d", view, len(r.Document), r.Limits.Output)
				}
				if len(r.Document) == 0 && r.Kind != report.Download {
					t.Errorf("%s shows nothing", view)
				}
				for _, fault := range faultsOf(r.Document) {
					t.Errorf("%s: %s", view, fault)
				}
				if view == report.Rendered {
					checkReport(t, &v, r)
				}
			}
		})
	}
}

// render holds the sandbox to its promise that it never panics.
func render(t *testing.T, name string, content []byte, view report.View) *report.Result {
	t.Helper()
	r, failure := try(name, content, view)
	if failure != "" {
		t.Errorf("%s panics: %s", view, failure)
	}
	return r
}

func try(name string, content []byte, view report.View) (r *report.Result, failure string) {
	defer func() {
		if reason := recover(); reason != nil {
			r, failure = &report.Result{}, fmt.Sprintf("%v\n%s", reason, debug.Stack())
		}
	}()
	return sandbox.Render(name, content, view, report.Hosted()), ""
}

// ownSheets is the sandbox's own style, which harmless documents bring along; it may do what an author may not.
var ownSheets = sync.OnceValue(func() []string {
	var sheets []string
	for _, name := range []string{"a.html", "a.md", "a.txt", "a.json", "a.svg"} {
		for _, view := range []report.View{report.Rendered, report.Source, report.Text} {
			r, _ := try(name, []byte("{}"), view)
			root, err := html.Parse(strings.NewReader(string(r.Document)))
			if err != nil {
				continue
			}
			for n := range root.Descendants() {
				if n.Type == html.TextNode && n.Parent.Data == "style" {
					sheets = append(sheets, n.Data)
				}
			}
		}
	}
	slices.SortFunc(sheets, func(a, b string) int { return len(b) - len(a) })
	return sheets
})

// checkReport holds a result to the expectations of its vector.
func checkReport(t *testing.T, v *corpus.Vector, r *report.Result) {
	t.Helper()
	for _, want := range v.Strip {
		if !tells(r, want) {
			t.Errorf("the report says nothing of %s; it has removed %v", want, r.Removed)
		}
	}
	if v.Notice != "" && r.Notice(report.Code(v.Notice)) == nil {
		t.Errorf("there is no notice %s; there is %v", v.Notice, r.Notices)
	}
	text := textOf(r.Document)
	for _, want := range v.Keep {
		if !strings.Contains(text, want) && !strings.Contains(text, html.UnescapeString(want)) {
			t.Errorf("%q is not to be seen any more in %.300q", want, text)
		}
	}
}

func tells(r *report.Result, want string) bool {
	switch want {
	case "hosts":
		return len(r.Hosts) > 0
	case "links":
		return len(r.Links) > 0
	case "lies":
		return slices.ContainsFunc(r.Links, func(l report.Link) bool { return l.Lies })
	case "hidden":
		return len(r.Hidden) > 0
	case "unseen":
		return len(r.Passages) > 0
	}
	return r.Removes(report.RemovalKind(want)) > 0
}

// faultsOf lists what a document holds that it must not, read with scripting on and off.
func faultsOf(document []byte) []string {
	var faults []string
	for _, scripting := range []bool{true, false} {
		root, err := html.ParseWithOptions(strings.NewReader(string(document)), html.ParseOptionEnableScripting(scripting))
		if err != nil {
			return append(faults, err.Error())
		}
		for n := range root.Descendants() {
			faults = append(faults, faultsIn(n)...)
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

func faultsIn(n *html.Node) []string {
	switch {
	case n.Type == html.CommentNode:
		return []string{fmt.Sprintf("a comment: %.60q", n.Data)}
	case n.Type == html.TextNode && n.Parent.Data == "style":
		css := n.Data
		for _, own := range ownSheets() {
			css = strings.Replace(css, own, "", 1)
		}
		return styleFaults(css)
	case n.Type != html.ElementNode:
		return nil
	case n.Namespace != "" || !mayElements[n.Data]:
		return []string{"an element " + n.Namespace + " " + n.Data}
	}
	var faults []string
	for _, a := range n.Attr {
		switch {
		case a.Key == "data-n" && n.Data == "summary" && countNote.MatchString(a.Val):
			// How many values a folded part of a JSON tree holds: ours.
		case a.Namespace != "" || !mayAttributes[a.Key]:
			faults = append(faults, fmt.Sprintf("an attribute %s %s on %s", a.Namespace, a.Key, n.Data))
		case a.Key == "href" && !(n.Data == "a" && strings.HasPrefix(a.Val, "#")):
			faults = append(faults, fmt.Sprintf("%s href=%.60q", n.Data, a.Val))
		case a.Key == "src":
			faults = append(faults, pictureFaults(n.Data, a.Val)...)
		case a.Key == "style":
			faults = append(faults, styleFaults(a.Val)...)
		case (a.Key == "http-equiv" || a.Key == "content" || a.Key == "charset") && n.Data != "meta":
			faults = append(faults, fmt.Sprintf("%s on %s", a.Key, n.Data))
		case a.Key == "http-equiv" && !strings.EqualFold(a.Val, "content-security-policy"):
			faults = append(faults, fmt.Sprintf("meta http-equiv=%q", a.Val))
		}
	}
	return faults
}

// styleFaults looks for what no style may hold, outside its strings and as it is after its escapes are undone.
func styleFaults(css string) []string {
	if strings.Contains(css, "</") {
		return []string{"a style that ends its element"}
	}
	bare := cssString.ReplaceAllString(cssNote.ReplaceAllString(css, ""), `""`)
	plain := cssEscape.ReplaceAllStringFunc(bare, func(s string) string {
		var r rune
		if _, err := fmt.Sscanf(strings.TrimSpace(s[1:]), "%x", &r); err == nil {
			return string(r)
		}
		return s[1:]
	})
	var faults []string
	for _, found := range badStyle.FindAllString(plain, 3) {
		faults = append(faults, fmt.Sprintf("a style with %q", found))
	}
	return faults
}

// pictureFaults looks at the address of an image, and into an svg that it carries.
func pictureFaults(element, address string) []string {
	if element != "img" || !pictureAddress.MatchString(address) {
		return []string{fmt.Sprintf("%s src=%.60q", element, address)}
	}
	encoded, isSVG := strings.CutPrefix(address, "data:image/svg+xml;base64,")
	if !isSVG {
		return nil
	}
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return []string{err.Error()}
	}
	svg := string(raw)
	var faults []string
	for _, m := range svgElement.FindAllStringSubmatch(svg, -1) {
		if !svgElements[m[1]] {
			faults = append(faults, "an svg with "+m[1])
		}
	}
	for _, m := range svgAddress.FindAllStringSubmatch(svg, -1) {
		if address := m[1] + m[2]; !strings.HasPrefix(address, "#") && !strings.HasPrefix(address, "data:image/") {
			faults = append(faults, fmt.Sprintf("an svg that names %.60q", address))
		}
	}
	if svgHandler.MatchString(svg) || strings.Contains(svg, "<!") || strings.Contains(svg, "<?") {
		faults = append(faults, fmt.Sprintf("an svg with a handler or a declaration: %.80q", svg))
	}
	return faults
}

// textOf is what a document shows as text.
func textOf(document []byte) string {
	root, err := html.Parse(strings.NewReader(string(document)))
	if err != nil {
		return ""
	}
	var text strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "style" && n.Parent.Data != "title" {
			text.WriteString(n.Data)
		}
		for _, a := range n.Attr {
			if a.Key == "alt" {
				text.WriteString(" " + a.Val + " ")
			}
		}
	}
	return text.String()
}
