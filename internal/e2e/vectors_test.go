package e2e

import (
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/figs/figstest"
)

// vectorTools gives a page the clock of a vector, and hands what the page saves to the test. findings waits for the
// folder that is being dropped, opens its page of findings and exports them.
const vectorTools = `{
	const findings = '#view [data-export="json"]';
	let saved = null;
	URL.createObjectURL = blob => { saved = blob; return "blob:nothing"; };
	HTMLAnchorElement.prototype.click = () => {};
	const reads = () => performance.getEntriesByName("folder-read").length;
	const until = async (met, what) => {
		for (const end = performance.now() + 15_000; !met(); await new Promise(done => setTimeout(done, 2))) {
			if (!document.querySelector("#trouble").hidden) throw new Error("the page says: " + document.querySelector("#trouble").innerText);
			if (performance.now() > end) throw new Error("waited in vain for " + what);
		}
	};
	const shown = () => { const view = document.querySelector("#view"); return !view.hidden && view.firstElementChild && !view.firstElementChild.old; };
	globalThis.vectors = {
		begin(now) {
			Date.prototype.toISOString = () => now;
			performance.clearMarks("folder-read");
			for (const node of document.querySelector("#view").children) node.old = true;
		},
		async findings() {
			await until(() => reads() && shown(), "the folder");
			location.hash = "/1/findings";
			await until(() => shown() && document.querySelector(findings), "the page of findings");
			saved = null;
			document.querySelector(findings).click();
			await until(() => saved, "the export");
			return new Uint8Array(await saved.arrayBuffer()).toBase64();
		},
		async kind(no) {
			await until(() => reads() && shown(), "the folder");
			const button = document.querySelector("#view").appendChild(document.createElement("button"));
			Object.assign(button.dataset, { export: "json", agent: "p" + no });
			saved = null;
			button.click();
			await until(() => saved, "the export");
			return new Uint8Array(await saved.arrayBuffer()).toBase64();
		},
	};
}`

// TestVectors drops the folder of every conformance vector on one page and exports its findings from there. They are
// what the vector expects, and the bytes that doctor --json prints.
func TestVectors(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.screen(360, 320, "light") // nobody looks at the pages between a drop and an export
	p.open(saved(t))
	eval[chromedp.Void](p, vectorTools)
	for v := range figstest.Vectors() {
		t.Run(v.Name, func(t *testing.T) {
			p := p.in(t)
			folder := filepath.Join(t.TempDir(), ".figs")
			if err := errors.Join(onPage(v), v.Lay(folder)); errors.Is(err, errors.ErrUnsupported) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			page := p.findingsAt(folder, v.Now)
			for _, complaint := range v.Compare(figstest.Result{FindingsJSON: page}) {
				t.Error(complaint)
			}
			same(t, "doctor --json", doctor(t, folder, v.Now), page)
			p.quiet()
		})
	}
}

// findingsAt drops a folder on a page with vectorTools and returns what it exports, judged at a time.
func (p *tab) findingsAt(folder, now string) []byte {
	p.t.Helper()
	eval[chromedp.Void](p, fmt.Sprintf("vectors.begin(%s)", quoted(now)))
	p.drop(folder)
	text, err := base64.StdEncoding.DecodeString(eval[string](p, "vectors.findings()"))
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// onPage says why a page is not given a vector.
func onPage(v figstest.Vector) error {
	for _, a := range v.Artifacts {
		if !utf8.ValidString(a.Name) {
			return fmt.Errorf("%w: a browser gives names as text, %q is none", errors.ErrUnsupported, a.Name)
		}
	}
	return nil
}
