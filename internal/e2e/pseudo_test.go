package e2e

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/components/words"
)

// cutOff lists labels that are wider than their boxes, and sentences that a box cuts off without an ellipsis. Both may
// be scrolled to where their box scrolls. What agents wrote is not looked at.
const cutOff = `(() => {
	const shown = n => n.checkVisibility({ visibilityProperty: true }) && n.getClientRects().length && n.clientWidth !== 1;
	const name = n => n.tagName.toLowerCase() + [...n.classList].map(c => "." + c).join("");
	const say = (n, text) => name(n.parentElement) + " > " + name(n) + ": " + text.trim().slice(0, 60);
	const found = [];
	for (const n of document.querySelectorAll("button, h1, h2, h3, h4, label, legend, summary, th, dt, a, [class*=chip], [class*=badge], [class*=pill]")) {
		const style = getComputedStyle(n);
		if (!shown(n) || n.closest("svg, .map-squares") || style.display.startsWith("inline") && style.display === "inline") continue;
		let around = n.parentElement;
		while (/^(inline|contents)$/.test(getComputedStyle(around).display)) around = around.parentElement;
		const edge = around.getBoundingClientRect(), box = n.getBoundingClientRect();
		if (style.position !== "absolute" && (box.right > edge.right + 1 || box.left < edge.left - 1) && !/auto|scroll/.test(getComputedStyle(around).overflowX)) found.push("sticks out: " + say(n, n.innerText));
		if (n.scrollWidth > n.clientWidth + 1 && style.textOverflow !== "ellipsis" && !/auto|scroll/.test(style.overflowX)) found.push("too wide: " + say(n, n.innerText));
	}
	const range = document.createRange(), texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node = texts.nextNode(); node; node = texts.nextNode()) {
		const parent = node.parentElement;
		if (!node.data.includes("⟦") || parent.closest("bdi, .map-squares, pre, code, svg, script, style, template, textarea, option") || !shown(parent)) continue;
		range.selectNodeContents(node);
		const box = range.getBoundingClientRect();
		for (let around = parent; around && around !== document.body; around = around.parentElement) {
			const style = getComputedStyle(around), edge = around.getBoundingClientRect();
			if (style.position === "fixed" || /auto|scroll/.test(style.overflowX) || style.textOverflow === "ellipsis") break;
			if (around.clientWidth <= 1) break; // for screen readers alone
			if (/hidden|clip/.test(style.overflowX) && (box.right > edge.right + 1 || box.left < edge.left - 1)) {
				found.push("cut off by " + name(around) + ": " + say(parent, node.data));
				break;
			}
		}
	}
	return [...new Set(found)];
})()`

// untranslated lists the texts on the screen that no translation reaches, those of scripts among them. Package components
// looks at pages as the server sends them, and has more exceptions; here, times are the browser's.
const untranslated = `(() => {
	const found = [], texts = document.createTreeWalker(document.querySelector(%q), NodeFilter.SHOW_TEXT);
	let depth = 0;
	for (let node = texts.nextNode(); node; node = texts.nextNode()) {
		if (node.parentElement.closest("bdi, code, pre, kbd, textarea, option, time, svg, script, style, noscript, template, #say, #opened, .in-hashes, [data-system] > summary")) continue;
		let outside = "";
		for (const letter of node.data) {
			depth += letter === "⟦" ? 1 : letter === "⟧" ? -1 : 0;
			if (!depth && letter !== "⟧") outside += letter;
		}
		outside = outside.replace(/\u2068.*?\u2069/g, "").replace(/\b(figs-web|readyz|UTC|ms|[KMGT]?B|U\+[0-9A-F]+|\w+\.(jsonl|json|md)|[a-z]+:[a-z-]+|\w+_\w+|Deutsch|English|Français|fetch|XMLHttpRequest|WebSocket|EventSource|beacon|prefetch)\b/g, "");
		if (/[a-z]/i.test(outside) && node.parentElement.checkVisibility()) found.push(node.parentElement.tagName + "." + node.parentElement.className + ": " + node.data.trim().slice(0, 80));
	}
	return [...new Set(found)];
})()`

// narrowScreens looks at the page on a narrow screen, light and dark: it doesn't scroll sideways, and nothing is cut off.
// Within a part, everything is translated.
func (p *tab) narrowScreens(name, within string) {
	p.t.Helper()
	p.await(`document.body.innerText.includes("⟦")`, "a page in pseudo-English")
	for _, colours := range []string{"light", "dark"} {
		p.screen(360, 800, colours)
		where := fmt.Sprintf("pseudo-%s-%s", name, colours)
		p.fits(where)
		for _, found := range eval[[]string](p, cutOff) {
			p.t.Errorf("%s: %s", where, found)
		}
		p.shot(where)
	}
	for _, text := range eval[[]string](p, fmt.Sprintf(untranslated, within)) {
		p.t.Errorf("%s is not translated: %s", name, text)
	}
}

// TestPseudoHosted opens every page of the hosted reader in pseudo-English on a narrow screen.
func TestPseudoHosted(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	for _, name := range []string{"reconciliation", "payables", "onboarding"} {
		s.push(name)
	}
	s.admin("", "user", "operator", "--email", ownerEmail)
	s.admit("lotte@example.org", "Lotte Lindqvist", "viewer")
	reset := s.admin("", "user", "reset", "--email", "lotte@example.org", "--public-url", s.address)["link"]
	invite := s.admin("", "invite", "create", "--workspace", workspaceSlug, "--role", "member", "--public-url", s.address)["link"]
	p, _ := s.watched(t)
	p.inLanguage(words.PseudoLanguage.Code)
	for _, link := range []string{s.url("/sign-in"), s.url("/sign-in/recovery"), reset, invite} {
		at, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		p.do(chromedp.Navigate(link))
		p.lands(s, at.Path)
		p.narrowScreens("hosted-"+strings.Trim(strings.ReplaceAll(at.Path, "/", "-"), "-"), "body")
	}
	p.signIn(s, "/inbox")
	file := strings.NewReplacer(reconciliation, "-agent", "/", "-", "?", "-", "=", "-", "&", "-", ".", "")
	for _, page := range append(append([]string{}, hostedPages...), peoplePages...) {
		p.goes(s, page)
		p.narrowScreens("hosted-"+strings.Trim(file.Replace(page), "-"), "body")
	}
	p.quiet()
}

// TestPseudoInspector opens every page of the inspector in pseudo-English on a narrow screen.
func TestPseudoInspector(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.inLanguage(words.PseudoLanguage.Code)
	p.open(saved(t))
	p.findsCutOff()
	file := strings.NewReplacer("/", "-", "?", "-", "=", "-")
	for _, name := range []string{"reconciliation", "mistakes"} {
		p.give(filepath.Join(sample(t, name), ".figs"))
		for _, path := range places {
			p.visit(path)
			p.narrowScreens(name+file.Replace(path), "#view") // around it is the frame, which is English still
		}
	}
	p.quiet()
}

// findsCutOff holds that cutOff finds what it is for.
func (p *tab) findsCutOff() {
	p.t.Helper()
	eval[chromedp.Void](p, `(part => {
		part.id = "too-narrow";
		for (const [name, text] of [["button", "⟦one⟧"], ["p", "⟦two⟧"]]) {
			const node = document.createElement(name), box = document.createElement("div");
			node.textContent = text;
			(name === "button" ? node : box).style.cssText = "width: 20px; padding: 0; overflow: hidden; white-space: nowrap";
			box.append(node);
			part.append(box);
		}
		document.body.append(part);
	})(document.createElement("div")), undefined`)
	found := strings.Join(eval[[]string](p, cutOff), "\n")
	for _, want := range []string{"too wide: div > button: ⟦one⟧", "cut off by div: div > p: ⟦two⟧"} {
		if !strings.Contains(found, want) {
			p.t.Errorf("a part that is too narrow is not found: want %q in\n%s", want, found)
		}
	}
	eval[chromedp.Void](p, `document.querySelector("#too-narrow").remove(), undefined`)
}
