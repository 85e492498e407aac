package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/figs"
)

// composed is the line that the page made of a reply.
func (p *tab) composed() string {
	p.t.Helper()
	p.await(`document.querySelector("#composed [data-copy]")`, "the line")
	line := eval[string](p, `document.querySelector("#composed [data-copy]").dataset.copy`)
	if !json.Valid([]byte(line)) || strings.Contains(line, "\n") {
		p.t.Fatalf("%q is no line", line)
	}
	return line
}

// signs opens the sign-off of the sample and asks for changes.
func (p *tab) signs(note string) string {
	p.t.Helper()
	p.visit("/1/asks/acme-send")
	p.await(`document.querySelector('[name="by"]').value || !document.querySelector("#view[aria-busy]")`, "the form")
	if eval[string](p, `document.querySelector('[name="by"]').value`) == "" {
		p.write(`[name="by"]`, "Ada O'Hara")
	}
	p.write("#reply-text", note)
	p.click(`[data-decide-key="c"]`)
	return p.composed()
}

// stands is where the asks of the sample stand with more lines in its ledger.
func stands(t *testing.T, ledger []byte) figs.AskState {
	t.Helper()
	dir := filepath.Join(sample(t, "reconciliation"), ".figs")
	asks, err := os.ReadFile(filepath.Join(dir, "asks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	f := figs.New(figs.Options{Keep: true, Now: "2027-01-01T00:00:00Z"})
	f.Feed(figs.Asks, asks)
	f.Feed(figs.Messages, ledger)
	f.Finish()
	return f.State(1)
}

func replies(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sample(t, "reconciliation"), ".figs", "messages.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestCompose makes a reply on a page that is a file of the disk, and takes it away as a copy and as a file.
func TestCompose(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.open(saved(t))
	p.give(filepath.Join(sample(t, "reconciliation"), ".figs"))
	p.visit("/1/asks/acme-send")
	p.write(`[name="by"]`, "Ada O'Hara")
	p.click(`[data-decide-key="r"]`)
	p.await(has("#composed [role=alert]", "needs a note"), "why there is no line")
	p.write("#reply-text", "Two \"words\" first.")
	p.tabs()
	p.click(`[data-decide-key="a"]`)
	p.await(`!document.querySelector("#composed [data-copy]") && document.activeElement.matches(".file-tab, [data-view-end]")`, "the first thing that an approval lacks")
	p.await(has("#decide [role=alert]", "first."), "what it lacks in words")
	p.shot("compose-lacks")
	p.click(`[data-decide-key="c"]`)
	line := p.composed()
	for _, want := range []string{`"ask":"acme-send"`, `"by":"Ada O'Hara"`, `"source":"chat"`, `"verdict":"changes-requested"`, `"text":"Two \"words\" first."`} {
		if !strings.Contains(line, want) {
			t.Errorf("the line lacks %s: %s", want, line)
		}
	}
	if state := stands(t, append(replies(t), "\n"+line+"\n"...)); state.Phase != figs.BeingRevised {
		t.Errorf("with the line the ask is %s", state.Phase)
	}
	p.bringAxe()
	p.axe("compose")
	p.shot("compose-line")
	p.click("#composed [data-copy]")
	p.await(has("#composed [data-copy]", "Copied"), "the copy")
	if got := p.download(func() { p.click("#composed [data-save-line]") }); string(got) != "\n"+line+"\n" {
		t.Errorf("the file holds %q", got)
	}
	p.click(`[data-decide-key="c"]`)
	if again := p.composed(); again != line {
		t.Errorf("said twice it is two replies:\n%s\n%s", line, again)
	}
	p.write("#reply-text", " More.")
	p.await(`!document.querySelector("#composed").childElementCount`, "a line that says something else to go")
	p.click(`[data-decide-key="c"]`)
	if other := p.composed(); !strings.Contains(other, "More.") || other[:20] == line[:20] {
		t.Errorf("another reply is %s after %s", other, line)
	}
	p.visit("/1/jobs/acme-2026-10")
	p.visit("/1/asks/acme-send")
	p.await(`document.querySelector("#reply-text").value.includes("More.")`, "the words on the way back")
	p.quiet()
}

// tabs goes to the second file of an ask: what was typed stays, and nothing counts as viewed that was only shown.
func (p *tab) tabs() {
	p.t.Helper()
	n := eval[int](p, `document.querySelectorAll(".file-tab").length`)
	if n < 2 {
		p.t.Fatalf("the sign-off has %d tabs", n)
	}
	waits := `document.querySelectorAll(".unviewed > li:not([hidden])").length`
	before := eval[int](p, waits)
	p.click(".file-tab:nth-of-type(2)")
	p.await(`document.querySelector(".file-tab:nth-of-type(2)[aria-current]") && !document.querySelector("#attachment[aria-busy]")`, "the second file")
	p.await(`document.querySelector("#reply-text").value === 'Two "words" first.'`, "the words on another tab")
	if after := eval[int](p, waits); before != n || after != n {
		p.t.Errorf("of %d files %d were not viewed before, and %d after one was shown", n, before, after)
	}
	p.views()
	p.await(fmt.Sprintf("%s === %d", waits, n-1), "the file that was read to count as viewed")
	if text := p.text("#decide"); strings.Contains(text, "has changed since") {
		p.t.Errorf("an ask that nobody touched has changed:\n%s", text)
	}
}

// TestAppend appends a reply to a folder that was granted. The picker cannot be driven, so that it gives a folder
// of the browser's own.
func TestAppend(t *testing.T) {
	p := newTab(t)
	p.open(serve(t).url("/inspect"))
	p.give(filepath.Join(sample(t, "reconciliation"), ".figs"))
	content := map[string]string{}
	for _, name := range []string{"asks.jsonl", "messages.jsonl", "config.json", "agent.json"} {
		text, err := os.ReadFile(filepath.Join(sample(t, "reconciliation"), ".figs", name))
		if err != nil {
			t.Fatal(err)
		}
		content[name] = base64.StdEncoding.EncodeToString(text)
	}
	files, _ := json.Marshal(content)
	eval[chromedp.Void](p, fmt.Sprintf(grantedFolder, files))
	old := string(replies(t))
	line := p.signs("Add the totals.")

	eval[chromedp.Void](p, `fill("config.json", "{}")`)
	p.appends("another agent")
	eval[chromedp.Void](p, `restore()`)
	eval[chromedp.Void](p, `fill("asks.jsonl", '{"id":"new"}\n', true)`)
	p.appends("has changed this folder since")
	eval[chromedp.Void](p, `restore()`)
	eval[chromedp.Void](p, `fill("messages.jsonl", '\n{"id":"m","kind":"verdict","ask":"acme-send","verdict":"rejected"}\n', true)`)
	p.appends("has changed this folder since")
	eval[chromedp.Void](p, `restore()`)

	eval[chromedp.Void](p, `busy = 3, undefined`)
	p.appends("kept writing to messages.jsonl")
	theirs := "{\"id\":\"agent-3\"}\n{\"id\":\"agent-2\"}\n{\"id\":\"agent-1\"}\n"
	if got := eval[string](p, `read("messages.jsonl")`); got != old+theirs {
		t.Errorf("the ledger ends with %q, want what the agent wrote and nothing else", strings.TrimPrefix(got, old))
	}
	eval[chromedp.Void](p, `busy = 1, undefined`)
	p.appends("Your reply was added to messages.jsonl")
	theirs += "{\"id\":\"agent-1\"}\n"
	got := eval[string](p, `read("messages.jsonl")`)
	if got != old+theirs+"\n"+line+"\n" {
		t.Errorf("the ledger ends with %q", strings.TrimPrefix(got, old))
	}
	if state := stands(t, []byte(got)); state.Phase != figs.BeingRevised {
		t.Errorf("with the line the ask is %s", state.Phase)
	}
	p.shot("compose-appended")
	p.click(`[data-decide-key="c"]`)
	p.composed()
	p.appends("is already in the folder")
	if after := eval[string](p, `read("messages.jsonl")`); after != got {
		t.Errorf("a second time the ledger became %q", after)
	}
	p.click(".composed-said button")
	p.await(`performance.getEntriesByName("folder-read").length && document.querySelector("#view h1") && location.hash === "#/"`, "the folder as it is now")
	p.visit("/1/asks/acme-send")
	p.sees("changes were requested")
	eval[chromedp.Void](p, `delete window.showDirectoryPicker, window.showDirectoryPicker = undefined, undefined`)
	p.write("#reply-text", "Else.")
	p.click(`[data-decide-key="c"]`)
	p.await(has("#composed", "This browser can’t write to a folder"), "what is said without the ability")
	p.quiet()
}

// appends presses the button and waits for what is said of it. What was said of the time before is taken away, as it
// may be the same.
func (p *tab) appends(want string) {
	p.t.Helper()
	eval[chromedp.Void](p, `document.querySelector(".composed-said").replaceChildren()`)
	p.click("#composed [data-append-line]")
	p.await(has(".composed-said", want), want)
}

// grantedFolder is a .figs in the browser's own file system, which the picker gives. While busy is above 0, an agent
// appends a line whenever the page has begun to write.
const grantedFolder = `(async files => {
	const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(".figs", { create: true });
	window.fill = async (name, data, append) => {
		const handle = await root.getFileHandle(name, { create: true });
		const out = await plain.call(handle, { keepExistingData: append === true });
		if (append) await out.seek((await handle.getFile()).size);
		await out.write(data);
		await out.close();
	};
	window.read = async name => (await (await root.getFileHandle(name)).getFile()).text();
	window.busy = 0;
	const plain = FileSystemFileHandle.prototype.createWritable;
	FileSystemFileHandle.prototype.createWritable = async function (options) {
		const out = await plain.call(this, options);
		if (busy > 0) await fill(this.name, JSON.stringify({ id: "agent-" + busy-- }) + "\n", true);
		return out;
	};
	window.restore = async () => { for (const [name, text] of Object.entries(files)) await fill(name, Uint8Array.from(atob(text), c => c.charCodeAt(0))); };
	await restore();
	window.showDirectoryPicker = async options => {
		if (options.mode !== "readwrite") throw new Error("it asks for " + options.mode);
		return root;
	};
})(%s)`
