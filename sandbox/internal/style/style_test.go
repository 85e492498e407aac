package style

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/sandbox/report"
)

const limit = 1 << 20

func TestSheet(t *testing.T) {
	for _, c := range []struct{ lesson, in, want string }{
		{"what reports use stays", `body { font: 14px/1.5 "Inter", Arial, serif; color:#333 } .card>h2{margin:0 auto}`,
			`body{font:14px / 1.5 "Inter",Arial,serif;color:#333}.u-card > h2{margin:0 auto}`},
		{"the fonts of the page around are others", `a{font-family:system-ui,-apple-system,"Segoe UI",Segoe UI,ROBOTO,sans-serif}b{font:600 14px/1.5 'system-ui'}i{font:bold 1em Noto Sans,serif}`,
			`a{font-family:Arial}b{font:600 14px / 1.5 Arial}i{font:bold 1em Arial,serif}`},
		{"they do not come through custom properties", `a{--f:"Segoe UI", x;--g:caption;font-family:var(--no,system-ui),Georgia;font:var(--no,12px ui-sans-serif)}b{font:small-caption}`,
			`a{--f:Arial,x;--g:13px Arial;font-family:var(--no,Arial),Georgia;font:var(--no,12px Arial)}b{font:13px Arial}`},
		{"other fonts stay", `a{font-family:Georgia,"Roboto Slab",Helvetica,sans-serif-like,monospace}b::before{content:"x, system-ui"}`,
			`a{font-family:Georgia,"Roboto Slab",Helvetica,sans-serif-like,monospace}b::before{content:"x, system-ui"}`},
		{"classes and ids get the prefix", `.a.b#c{color:red}`, `.u-a.u-b#u-c{color:red}`},
		{"a prefix is not put twice", `.u-a{color:red}`, `.u-a{color:red}`},
		{"an address takes its declaration along", `a{background:url(//x.test/a);color:red}`, `a{color:red}`},
		{"an escape does not hide url", `a{background:u\72l(//x.test/a);color:red}`, `a{color:red}`},
		{"nor src, image-set, image, element, cross-fade", `a{background:src("//x");background:image-set("a" 1x);background:image("a");background:element(#a);background:cross-fade(red,blue)}`, ``},
		{"nor attr and env", `a{width:attr(x px);width:env(x);color:red}`, `a{color:red}`},
		{"an escaped property is judged decoded", `a{\70 osition:fixed}`, `a{position:absolute}`},
		{"fixed becomes absolute", `a{position:fixed !important}`, `a{position:absolute !important}`},
		{"var cannot carry a position", `a{--p:fixed;position:var(--p)}`, `a{--p:fixed}`},
		{"sticky stays", `th{position:-webkit-sticky;position:sticky;top:0}`, `th{position:sticky;position:sticky;top:0}`},
		{"only widths of a screen", `@media (min-width:600px){a{color:red}}@media print{a{color:red}}@media (prefers-color-scheme:dark){a{color:red}}@media (hover){a{color:red}}`,
			`@media (min-width:600px){a{color:red}}`},
		{"one query of a list may go", `@media print, only screen and (max-width: 40em){a{color:red}}`, `@media screen and (max-width:40em){a{color:red}}`},
		{"a range is written the older way", `@media (400px<=width<=700px){a{color:red}}`, `@media (min-width:400px) and (max-width:700px){a{color:red}}`},
		{"not a query", `@media not screen{a{color:red}}@media (min-width:1px) (max-width:2px){a{color:red}}`, ``},
		{"an empty block is not written", `@media screen{a:hover{color:red}}b{color:red}`, `b{color:red}`},
		{"layers and conditions are opened", `@layer a,b;@layer a{a{color:red}}@supports (display:grid){b{color:red}}@supports not (display:grid){i{color:red}}`, `a{color:red}b{color:red}`},
		{"other at-rules go", `@charset "x";@import "//x.test";@import url(//y.test);@namespace x "y";@font-face{src:url(z)}@keyframes k{from{top:0}}@page{margin:0}@property --x{}@container (width>1px){a{color:red}}b{color:red}`, `b{color:red}`},
		{"nothing reacts", `a:hover,a:active,a:focus,a:target,a:visited,a:focus-within,a:checked{color:red}`, ``},
		{"one selector of a list may go", `a:link, a:visited, b{color:red}`, `a:any-link,b{color:red}`},
		{"inside :not all must be allowed", `a:not(:hover){color:red}b:not(.x,#y){color:red}`, `b:not(.u-x,#u-y){color:red}`},
		{"has costs too much", `a:has(b){color:red}`, ``},
		{"counting", `tr:nth-child( 2N + 1 ),tr:nth-child(odd),tr:nth-last-of-type(-n+3),tr:nth-child(2 of a),tr:nth-child(x){color:red}`,
			`tr:nth-child(2n+1),tr:nth-child(odd),tr:nth-last-of-type(-n+3){color:red}`},
		{"before and after, however they are spelled", `a:before,a::after,a::selection,a::before b{content:"x"}`, `a::before,a::after{content:"x"}`},
		{"attributes", `[open],[dir=rtl],[class=x],[title^=a],[href*="x"],td[colspan="2" i]{color:red}`, `[open],[dir="rtl"],td[colspan="2"]{color:red}`},
		{"comments separate values and join compounds", `.a/**/.b{margin:1px/**/2px}`, `.u-a.u-b{margin:1px 2px}`},
		{"markup in a string is escaped", `a::before{content:"</style><script>&'\""}`, `a::before{content:"\3c /style\3e \3c script\3e \26 \27 \22 "}`},
		{"a closing tag in a name is escaped", `.\3c\/style\3e{color:red}`, `.u-\3c \2f style\3e {color:red}`},
		{"counters start at their beginning", `a{counter-reset:c 9999}b{counter-reset:c}i{counter-increment:c 1 d -1}`, `b{counter-reset:c}i{counter-increment:c 1 d -1}`},
		{"content is strings and counters", `a{content:url(x)}a{content:attr(href)}a{content:"x" counter(n) "y"}a{content:var(--x)}`, `a{content:"x" counter(n) "y"}`},
		{"an unclosed string ends with its line", "a{content:\"x\ncolor:red}b{color:red}", `b{color:red}`},
		{"an unclosed block ends with the sheet", `a{color:red;b{`, `a{color:red}`},
		{"rules inside rules", `a{color:red;&:hover{color:blue} b{color:red} margin:0}`, `a{color:red;margin:0}`},
		{"cdo and cdc", `<!-- a{color:red} -->`, `a{color:red}`},
		{"cursor: a word, not an image, not none", `a{cursor:pointer}b{cursor:none}i{cursor:url(x),auto}`, `a{cursor:pointer}`},
		{"nothing moves", `a{animation:k 1s;transition:all 1s;color:red}`, `a{color:red}`},
		{"what would fade in is in", `a{opacity:0;transform:translateY(20px);animation:in 1s forwards;color:red}`, `a{color:red}`},
		{"the same picture in the dark", `:root{color-scheme:light dark;color-scheme:dark;color:light-dark(red,blue);background:Canvas}`, `:root{color-scheme:dark}`},
		{"custom properties are filtered like others", `:root{--a:#fff;--b:url(x);--c:var(--a);--d:{a:b};--e:"Inter";--é:1}a{color:var(--a,#000);margin:var(x);color:var()}`,
			`:root{--a:#fff;--c:var(--a);--e:"Inter"}a{color:var(--a,#000)}`},
		{"custom properties do not multiply", `:root{--a:var(--b) var(--b)}`, ``},
		{"arithmetic", `a{width:calc(100% - (2 * 1rem));width:min(10px,50%);width:1 + 2;width:clamp(1rem, 2vw, 3rem)}`, `a{width:calc(100% - (2 * 1rem));width:min(10px,50%);width:clamp(1rem,2vw,3rem)}`},
		{"grids are bounded", `a{grid-template-columns:repeat(3, minmax(0,1fr)) [end];grid-template-columns:repeat(9999999,1px);grid-row:1 / 999999;grid-column:span 2}`,
			`a{grid-template-columns:repeat(3,minmax(0,1fr)) [end];grid-column:span 2}`},
		{"huge numbers", `a{width:1e30px;height:99999999px;z-index:999}`, `a{z-index:999}`},
		{"unknown units and properties", `a{width:1zz;-moz-binding:x;behavior:x;filter:blur(9px);mask:x;zoom:2;all:unset}`, ``},
		{"stray closers", `}a{color:red}]b{color:red}i{color:rgb(1,2,3}u{color:red}`, ``},
		{"too many siblings", `a~b~c~d{color:red}a~b{color:red}`, `a ~ b{color:red}`},
		{"a search among the siblings of every element", `*~*{color:red}a~*{color:red}a~b{color:red}`, `a ~ b{color:red}`},
		{"foreign namespaces", `svg|a{color:red}*|*{color:red}`, ``},
		{"gradients", `a{background:linear-gradient(90deg, #FFF 0%, rgb(0 0 0/50%) 100%)}`, `a{background:linear-gradient(90deg,#fff 0%,rgb(0 0 0 / 50%) 100%)}`},
		{"ie hacks", `a{*color:red;_color:red;color:expression(alert(1));color:red\9}`, ``},
		{"important", `a{color:red!important;margin:0 ! important;color:!important}`, `a{color:red !important;margin:0 !important}`},
	} {
		got := Sheet(c.in, limit)
		if got.CSS != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.lesson, got.CSS, c.want)
		}
		if again := Sheet(got.CSS, limit); again.CSS != got.CSS {
			t.Errorf("%s: filtered again: %s\nonce %s", c.lesson, again.CSS, got.CSS)
		}
	}
}

func TestRemovedAndHosts(t *testing.T) {
	r := Sheet(`@import "https://A.test/x"; a{background:url( "//b.test:80/p" );src:\75rl(http://c.test/)} b{background:image-set("http://d.test/1" 1x)}
		i{background:url(data:image/png;base64,AA);background:url(#x);x:expression(1);background:url(javascript:1)} a:hover{color:red}`, limit)
	if got := strings.Join(r.Hosts, " "); got != "a.test b.test c.test d.test" {
		t.Errorf("hosts %q", got)
	}
	want := map[report.RemovalKind]int{report.Loads: 4, report.Data: 1, report.Scripts: 2, report.Styles: 2}
	for _, x := range r.Removed {
		if want[x.What] != x.Count {
			t.Errorf("%s: %d, want %d (%s)", x.What, x.Count, want[x.What], x.Example)
		}
		delete(want, x.What)
	}
	if len(want) != 0 {
		t.Errorf("not counted: %v", want)
	}
	if r.CSS != "" {
		t.Errorf("kept %s", r.CSS)
	}
}

func TestTooLarge(t *testing.T) {
	if r := Sheet("a{color:red}", 5); !r.Dropped || r.CSS != "" || len(r.Removed) != 1 {
		t.Errorf("%+v", r)
	}
	if r := Inline(`content:"<<<<<"`, 20); !r.Dropped || r.CSS != "" {
		t.Errorf("what it becomes is larger than the limit: %+v", r)
	}
	if r := Inline("color:red", 9); r.Dropped || r.CSS != "color:red" {
		t.Errorf("%+v", r)
	}
}

func TestInlineColour(t *testing.T) {
	for css, want := range map[string]string{"color:WHITE": "#ffffff", "color:hsl(120 100% 25%)": "#008000", "color:#fff8": "", "background:red": ""} {
		if got := Inline(css, limit).Colour; got != want {
			t.Errorf("%s: %q, want %q", css, got, want)
		}
	}
}

func TestHost(t *testing.T) {
	for in, want := range map[string]string{
		"https://Example.TEST/a": "example.test", "//u:p@x.test:8080/": "x.test", "http:\\\\x.test\\a": "x.test", "https:x.test/a": "x.test",
		"/a/b": "", "a/b": "", "#x": "", "": "", "mailto:a@b.test": "", "data:text/html,//x.test": "", "https://bücher.test": "xn--bcher-kva.test",
		"ht\ntp://x.test": "x.test", "  http://x.test": "x.test", "http://[::1]:80/": "[::1]", "https://а.test": "xn--80a.test", "ftp://x.test": "x.test",
		"https://a b<.test/": "a%20b%3c.test", "foo://x.test/": "x.test",
	} {
		if got := Host(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// A name is refused for a reason or allowed, never both.
func TestPolicy(t *testing.T) {
	for name, why := range refused {
		plain := strings.Trim(strings.TrimSuffix(name, "()"), ":")
		if why == "" {
			t.Errorf("%s has no reason", name)
		}
		if strings.HasSuffix(name, "()") && functions[plain] || properties[name] != nil || strings.HasPrefix(name, ":") && pseudoClasses[plain] {
			t.Errorf("%s is refused and allowed", name)
		}
	}
}
