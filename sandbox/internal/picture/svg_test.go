package picture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv/effort"
	"github.com/figs-web/figs-web/sandbox/report"
)

const ns = `xmlns="http://www.w3.org/2000/svg"`

func TestSVGKeeps(t *testing.T) {
	for _, c := range []struct{ lesson, in, want string }{
		{"shapes and their looks", `<svg viewBox="0 0 10 5"><rect x="1" width="50%" fill="#4a90d9" stroke="rgb(1,2,3)" rx=".5"/></svg>`,
			`<svg viewBox="0 0 10 5"><rect x="1" width="50%" fill="#4a90d9" stroke="rgb(1,2,3)" rx=".5"/></svg>`},
		{"classes, ids and references get the prefix", `<svg><style>.a{fill:red}</style><defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs><clipPath id="c"/><g class="a b" fill="url(#g)" clip-path="url('#c')"/></svg>`,
			`<svg><style>.u-a{fill:red}</style><defs><linearGradient id="u-g"><stop offset="0"/></linearGradient></defs><clipPath id="u-c"/><g class="u-a u-b" fill="url(#u-g)" clip-path="url(#u-c)"/></svg>`},
		{"references in styles become attributes", `<svg><path style="fill:url(#g);stroke:#000" d="M0 0L1,1z"/></svg>`,
			`<svg><path fill="url(#u-g)" style="stroke:#000" d="M0 0L1,1z"/></svg>`},
		{"use of a part", `<svg><defs><path id="p" d="M0 0"/></defs><use xlink:href="#p" x="1"/></svg>`,
			`<svg><defs><path id="u-p" d="M0 0"/></defs><use x="1" href="#u-p"/></svg>`},
		{"text with its space", `<svg><text x="1" y="2" text-anchor="middle">a <tspan dy="1em">b &amp; &lt;c&gt;</tspan></text></svg>`,
			`<svg><text x="1" y="2" text-anchor="middle">a <tspan dy="1em">b &amp; &lt;c&gt;</tspan></text></svg>`},
		{"scripts and handlers", `<svg onload="x()"><script>alert(1)</script><rect onclick="x" width="1"/></svg>`, `<svg><rect width="1"/></svg>`},
		{"a link becomes a group", `<svg><a href="https://x.test/"><text>here</text></a></svg>`, `<svg><g><text>here</text></g></svg>`},
		{"nothing moves", `<svg><rect width="1"><animate attributeName="x" to="9"/></rect><set/></svg>`, `<svg><rect width="1"/></svg>`},
		{"nothing loads", `<svg><image href="https://x.test/a.png"/><use href="https://x.test/a.svg#b"/><style>@import "//y.test";a{fill:url(//z.test)}</style><g fill="url(https://w.test/#a)"/></svg>`, `<svg><g/></svg>`},
		{"labels in html become text", `<svg><foreignObject x="10" y="20" width="100" height="40"><div onclick="x"><b>Label</b> one</div></foreignObject></svg>`,
			`<svg><text x="60" y="40" text-anchor="middle" dominant-baseline="central">Label one</text></svg>`},
		{"the plainest choice of a switch", `<svg><switch><foreignObject><p>x</p></foreignObject><text>y</text></switch></svg>`, `<svg><g><text>y</text></g></svg>`},
		{"costly filters", `<svg><filter id="f"><feTurbulence baseFrequency="9"/><feGaussianBlur stdDeviation="500"/><feOffset dx="1"/></filter><g filter="url(#f)"/><g filter="url(#g)"/><filter id="g"><feGaussianBlur stdDeviation="2"/></filter></svg>`,
			`<svg><g/><g filter="url(#u-g)"/><filter id="u-g"><feGaussianBlur stdDeviation="2"/></filter></svg>`},
		{"nested patterns", `<svg><pattern id="a" width="1"><rect fill="url(#b)" width="1"/><pattern id="b"/></pattern></svg>`,
			`<svg><pattern id="u-a" width="1"><rect width="1"/></pattern></svg>`},
		{"masks and marker-mid", `<svg><mask id="m"><rect/></mask><marker id="x"/><path d="M0 0" mask="url(#m)" marker-mid="url(#x)" marker-end="url(#x)"/></svg>`,
			`<svg><marker id="u-x"/><path d="M0 0" marker-end="url(#u-x)"/></svg>`},
		{"numbers in bounds", `<svg><rect width="1e9" height="5"/><path d="M0 0L1e30 0"/><line stroke-dasharray="0.0001"/><g transform="scale(1e12)"/><g transform="evil(1)"/></svg>`,
			`<svg><rect height="5"/><path/><line/><g/><g/></svg>`},
		{"programs' own words", `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "http://www.w3.org/x.dtd"><svg xmlns:i="x" i:y="1" data-x="1" version="1.1"><metadata>m</metadata><g aria-label="x"/></svg>`, `<svg><g/></svg>`},
		{"cdata and comments", `<svg><!-- x --><style><![CDATA[a > b{fill:red}]]></style></svg>`, `<svg><style>a &gt; b{fill:red}</style></svg>`},
		{"system colours", `<svg><rect fill="AccentColor" stroke="tomato"/></svg>`, `<svg><rect stroke="tomato"/></svg>`},
		{"prefixed elements", `<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:rect width="1"/></svg:svg>`, `<svg><rect width="1"/></svg>`},
	} {
		r := SVG([]byte(c.in), report.Hosted())
		want := strings.Replace(c.want, "<svg", "<svg "+ns, 1)
		if string(r.SVG) != want || r.Notice != nil {
			t.Errorf("%s:\n got %s %v\nwant %s", c.lesson, r.SVG, r.Notice, want)
		}
		again := SVG(r.SVG, report.Hosted())
		if string(again.SVG) != string(r.SVG) {
			t.Errorf("%s: filtered again:\n%s\n%s", c.lesson, again.SVG, r.SVG)
		}
	}
}

// nested is the bomb of 1.4 KB: every level repeats the one below ten times.
func nested(levels, times int) string {
	var b strings.Builder
	b.WriteString(`<svg ` + ns + `><defs><rect id="r0" width="1" height="1"/>`)
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, `<g id="r%d">`, i)
		b.WriteString(strings.Repeat(fmt.Sprintf(`<use href="#r%d"/>`, i-1), times))
		b.WriteString(`</g>`)
	}
	fmt.Fprintf(&b, `</defs><use href="#r%d"/></svg>`, levels)
	return b.String()
}

func TestSVGRefuses(t *testing.T) {
	l := report.Hosted()
	for _, c := range []struct {
		lesson, in string
		code       report.Code
	}{
		{"an empty file", "", report.Empty},
		{"text", "hello", report.NotParsed},
		{"another root", "<html/>", report.NotParsed},
		{"two roots", "<svg/><svg/>", report.NotParsed},
		{"cut short", "<svg><g>", report.Truncated},
		{"cut inside a tag", "<svg><g", report.Truncated},
		{"crossed tags", "<svg><g><a></g></a></svg>", report.NotParsed},
		{"an unknown entity", "<svg><text>&nbsp;</text></svg>", report.NotParsed},
		{"its own entities", `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg><text>&b;</text></svg>`, report.TooComplex},
		{"an attribute twice", `<svg a="1" a="2"/>`, report.NotParsed},
		{"another encoding", "\xff\xfe<\x00s\x00", report.NotParsed},
		{"includes itself", `<svg><g id="a"><use href="#a"/></g></svg>`, report.TooComplex},
		{"two parts inside each other", `<svg><g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g></svg>`, report.TooComplex},
		{"nested use", nested(12, 10), report.TooComplex},
		{"deep nesting", strings.Repeat("<g>", 600), report.TooDeep},
		{"a large path repeated", `<svg><path id="p" d="` + strings.Repeat("L1 1", 50_000) + `"/>` + strings.Repeat(`<use href="#p"/>`, 500) + `</svg>`, report.TooComplex},
		{"too large", "<svg>" + strings.Repeat(" ", l.SVG) + "</svg>", report.TooLarge},
	} {
		in := c.in
		if c.lesson == "deep nesting" {
			in = "<svg>" + in + strings.Repeat("</g>", 600) + "</svg>"
		}
		var r Result
		effort.Within(t, 20, c.lesson, func() { r = SVG([]byte(in), l) })
		if r.Notice == nil || r.Notice.Code != c.code || r.SVG != nil {
			t.Errorf("%s: %v", c.lesson, r.Notice)
		}
	}
}

func TestSVGUsesWithinLimit(t *testing.T) {
	chart := `<svg><defs><path id="m" d="M0 0"/></defs>` + strings.Repeat(`<use href="#m" x="1"/>`, 5000) + `</svg>`
	if r := SVG([]byte(chart), report.Hosted()); r.Notice != nil {
		t.Errorf("a chart that repeats one shape is no bomb: %v", r.Notice)
	}
	group := func(n int) string {
		return `<svg><g id="m"><rect/></g>` + strings.Repeat(`<use href="#m"/>`, n) + `</svg>`
	}
	l := report.Hosted()
	if r := SVG([]byte(group(l.Uses)), l); r.Notice != nil {
		t.Errorf("at the limit: %v", r.Notice)
	}
	if r := SVG([]byte(group(l.Uses+1)), l); r.Notice == nil {
		t.Error("beyond the limit: drawn")
	}
}

// What costs much in few bytes is bounded: in a browser each of these took longer than 20 seconds.
func TestSVGCosts(t *testing.T) {
	blurs := `<filter id="f">` + strings.Repeat(`<feGaussianBlur stdDeviation="10"/>`, maxFilter) + `</filter>`
	for _, c := range []struct {
		lesson, in, name string
		most             int // how often the name remains
	}{
		{"one filter on many", blurs + strings.Repeat(`<g filter="url(#f)"/>`, 10), `filter="`, 0},
		{"a filter on few", blurs + strings.Repeat(`<g filter="url(#f)"/>`, 6), `filter="`, 6},
		{"a filter on what is repeated", blurs + `<g id="g" filter="url(#f)"/>` + strings.Repeat(`<use href="#g"/>`, 10), `filter="`, 0},
		{"a filter in what is filtered", blurs + `<g filter="url(#f)"><g><path filter="url(#f)"/></g></g>`, `filter="`, 1},
		{"a filter with many steps", `<filter id="f">` + strings.Repeat(`<feOffset/>`, maxFilter+1) + `</filter>`, `<filter`, 0},
		{"a filter around the whole world", `<filter id="f" width="5000"><feOffset/></filter>`, `<filter`, 0},
		{"see-through in see-through", strings.Repeat(`<g opacity=".5">`, 400) + strings.Repeat(`</g>`, 400), "opacity", maxLayers},
		{"clipped in clipped", `<clipPath id="c"/>` + strings.Repeat(`<g clip-path="url(#c)">`, 400) + strings.Repeat(`</g>`, 400), "clip-path", maxLayers},
		{"dust of dashes", strings.Repeat(`<path stroke-dasharray="0.5 0.5"/>`, 3), "dasharray", 0},
		{"dashes everywhere", strings.Repeat(`<path stroke-dasharray="2 2"/>`, maxDashed+1), "dasharray", 0},
		{"tiles without size", `<pattern id="p" patternUnits="userSpaceOnUse" width="0.01" height="1"/><pattern id="q" width="0.001"/>`, "<pattern", 0},
		{"letters as high as towers", `<text font-size="99999">x</text>`, "font-size", 0},
		{"a gradient of many stops", `<linearGradient id="g">` + strings.Repeat(`<stop/>`, maxStops+1) + `</linearGradient>`, "<linearGradient", 0},
		{"a long chain of gradients", chain(40), "href=", maxChain},
	} {
		r := SVG([]byte("<svg>"+c.in+"</svg>"), report.Hosted())
		if got := strings.Count(string(r.SVG), c.name); r.Notice != nil || got != c.most {
			t.Errorf("%s: %d of %s, want %d, %v", c.lesson, got, c.name, c.most, r.Notice)
		}
	}
	pattern := `<pattern id="p" width="1">` + strings.Repeat(`<path/>`, 30) + `</pattern>`
	if r := SVG([]byte("<svg>"+pattern+strings.Repeat(`<path fill="url(#p)"/>`, 1000)+"</svg>"), report.Hosted()); r.Notice == nil || r.Notice.Code != report.TooComplex {
		t.Errorf("a rich pattern on many: %v", r.Notice)
	}
}

func chain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<linearGradient id="g%d" href="#g%d"/>`, i, i+1)
	}
	return b.String()
}

func TestSVGReports(t *testing.T) {
	r := SVG([]byte(`<?xml-stylesheet href="https://S.test/a.css"?><svg onload="x" width="20mm" viewBox="0 0 200 100"><title>Sales</title><!-- c -->
		<script href="https://q.test/x.js"/><a href="https://L.test/p"><text>see  <tspan>here</tspan></text></a><image href="//i.test/x"/>
		<rect style="fill:url(https://f.test/)"/><a href="javascript:x"><text>no</text></a></svg>`), report.Hosted())
	if got := strings.Join(r.Text, "|"); got != "Sales|see here|no" {
		t.Errorf("text %q", got)
	}
	if len(r.Links) != 1 || r.Links[0] != (report.Link{Text: "see here", Address: "https://L.test/p", Host: "l.test"}) {
		t.Errorf("links %+v", r.Links)
	}
	if got := strings.Join(r.Hosts, " "); got != "s.test q.test i.test f.test" {
		t.Errorf("hosts %q", got)
	}
	if r.Width != 76 || r.Height != 38 {
		t.Errorf("%d × %d", r.Width, r.Height)
	}
	want := map[report.RemovalKind]int{report.Scripts: 2, report.Handlers: 1, report.Loads: 4, report.Comments: 1, report.Addresses: 1}
	for _, x := range r.Removed {
		if want[x.What] != x.Count {
			t.Errorf("%s: %d, want %d (%s)", x.What, x.Count, want[x.What], x.Example)
		}
		delete(want, x.What)
	}
	if len(want) != 0 {
		t.Errorf("not counted: %v", want)
	}
}

func TestPolicy(t *testing.T) {
	for name := range refusedElements {
		if allow[name] {
			t.Errorf("%s is refused and allowed", name)
		}
	}
	for name := range refusedAttributes {
		if attributes[name] != 0 {
			t.Errorf("%s is refused and allowed", name)
		}
	}
}
