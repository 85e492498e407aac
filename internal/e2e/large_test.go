package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// ledger writes a .figs folder whose runs.jsonl has at least size bytes, in lines of 384 bytes, four to a job.
func ledger(t testing.TB, size int64) (folder string) {
	t.Helper()
	folder = filepath.Join(lay(t, map[string]string{".figs/agent.json": `{"name":"Ledger clerk","mandate":"Books."}`, ".figs/config.json": `{"agentId":"cb2d2df4-d0c2-4548-b011-a08f5b757c09"}`}), ".figs")
	file, err := os.Create(filepath.Join(folder, "runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	filler := strings.Repeat("booked and matched ", 20)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for line, done := 0, int64(0); done < size; line++ {
		state := "in-flight"
		if line%4 == 3 {
			state = "settled"
		}
		text := fmt.Sprintf(`{"id":"job-%d","ts":"%s","state":%q,"status":"ok","result":"`, line/4, start.Add(time.Duration(line)*time.Second).Format(time.RFC3339), state)
		text += filler[:384-len(text)-3] + "\"}\n"
		n, err := w.WriteString(text)
		if err != nil {
			t.Fatal(err)
		}
		done += int64(n)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return folder
}

// indexed is a size past which the page keeps only an index of the ledgers, in bytes.
const indexed = 270 << 20

// TestLargeLedger opens a ledger of which only an index is kept, pages through it, and changes the file underneath: the
// page says so, and reading again helps.
func TestLargeLedger(t *testing.T) {
	if testing.Short() {
		t.Skip("writes and reads 270 MB")
	}
	p := newTab(t)
	p.open(saved(t))
	folder := ledger(t, indexed)
	runs := filepath.Join(folder, "runs.jsonl")
	p.give(folder)
	p.noted("only an index is kept in memory", "search finds ids only")
	p.visit("/1/jobs?from=1000")
	p.sees("booked and matched")
	p.visit("/1/jobs/job-999")
	p.sees("Settled", "Checkpoint")

	file, err := os.OpenFile(runs, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString(strings.Replace(oneRun, "job-1", "invoices-2026", 1))
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	eval[chromedp.Void](p, `location.hash = "/1/lines/runs.jsonl?from=700000", undefined`)
	p.troubled("A file changed or moved on disk", "Read the folder again")
	p.shot("bad-changed")
	p.turn(func() { p.click("#trouble .primary") }, "/1/lines/runs.jsonl?from=700000")
	p.visit("/1/jobs?q=invoices")
	p.sees("Twelve invoices booked")

	p.drop(folder) // and once more, cut off while it is read
	p.await(`!document.querySelector("#progress").hidden && document.querySelector("#progress-bar").value > 0`, "the progress of reading")
	if err := os.Truncate(runs, indexed/2); err != nil {
		t.Fatal(err)
	}
	p.await(`document.querySelector("#progress").hidden`, "the end of reading")
	p.sees("Ledger clerk")
	p.visit("/1/findings")
	p.sees("file_changed", "runs.jsonl")
	p.shot("bad-changed-while-read")
}

// TestCancel stops a reading; what was open before is gone, and the page says so and goes on.
func TestCancel(t *testing.T) {
	if testing.Short() {
		t.Skip("writes and reads 270 MB")
	}
	p := newTab(t)
	p.open(saved(t))
	folder := ledger(t, indexed)
	eval[chromedp.Void](p, `{ // as soon as the bar moves: reading takes a second
		const timer = setInterval(() => {
			if (document.querySelector("#progress").hidden || !(document.querySelector("#progress-bar").value > 0)) return;
			clearInterval(timer);
			document.querySelector('#progress [data-act="cancel"]').click();
		}, 5);
	}`)
	p.drop(folder)
	p.troubled("Reading was cancelled", "Read it again")
	p.shot("cancelled")
	p.give(filepath.Join(recent(t), ".figs"))
	p.glance()
	p.quiet()
}

// TestChangedAttachment changes and removes attachments after the folder was read.
func TestChangedAttachment(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	dir := lay(t, contentsOf(t, recent(t), ".figs/"))
	p.give(dir)
	note := filepath.Join(dir, ".figs", "artifacts", "notes.txt")
	p.visit("/1/files")
	page := eval[string](p, `[...document.querySelectorAll("#view .files a.title")].find(a => a.innerText.includes("notes.txt")).hash.slice(1)`)
	if err := os.WriteFile(note, []byte("Words of a later day\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.visit(page)
	p.frames("Words of a later day")
	if err := os.Remove(note); err != nil {
		t.Fatal(err)
	}
	p.visit("/1/files")
	p.visit(page)
	p.troubled("A file changed or moved on disk")
	p.turn(func() { p.click("#trouble .primary") }, page)
	p.visit("/1/files")
	p.await(`[...document.querySelectorAll("#view .files .is-missing")].some(n => n.innerText.includes("notes.txt"))`, "notes.txt among what is missing")
}

// TestManyFiles drops a project of many files, stops the search for folders once, and drops many attachments. Making and
// removing 200,000 files takes a minute, so that many are dropped only where FIGS_HUGE is set.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	folders := 10
	if huge() {
		folders = 200
	}
	dir := lay(t, contentsOf(t, recent(t), ".figs/"))
	for i := range folders {
		sub := filepath.Join(dir, fmt.Sprintf("data-%03d", i), "more")
		if err := os.MkdirAll(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		fill(t, sub, 1000)
	}
	p := newTab(t)
	p.open(saved(t))
	p.slow("the project", func() { p.drop(dir) })
	p.glance()
	if huge() {
		p.noted("The search stopped after 200,000 files and folders")
	}
	fill(t, filepath.Join(dir, ".figs", "artifacts"), 5_000)
	p.slow("the attachments", func() { p.drop(filepath.Join(dir, ".figs")) })
	p.follow("/1/files")
	p.sees("5,009")
	p.quiet()
}

// slow does something that may take long, waits for the first view, and notes when it came.
func (p *tab) slow(what string, act func()) {
	p.t.Helper()
	begun := time.Now()
	p.turn(func() {
		act()
		p.awaitFor(90*time.Second, `!document.querySelector("#view").hidden && !document.querySelector("#view").firstElementChild?.old`, "the first view")
	}, "/")
	p.t.Logf("%s: first view after %s", what, time.Since(begun).Round(time.Millisecond))
}

// TestManyEntries gives zips with as many entries as are read, and with more.
func TestManyEntries(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	entries := []entry{{name: ".figs/runs.jsonl", data: []byte(oneRun)}}
	for i := range 199_999 {
		entries = append(entries, entry{name: "data/" + strconv.Itoa(i)})
	}
	whole := zipOf(t, entries...)
	more := zipOf(t, append(entries, entry{name: "data/last"})...)
	p.slow("200,000 entries", func() { p.drop(whole) })
	p.sees("Twelve invoices booked")
	p.drop(more)
	p.troubled("This zip couldn't be read", "200,001 entries; at most 200,000 are read")
	p.quiet()
}

// huge says that tests may take minutes and gigabytes of disk.
func huge() bool { return os.Getenv("FIGS_HUGE") != "" }

func fill(t testing.TB, dir string, n int) {
	t.Helper()
	for i := range n {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)+".txt"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHugeLedger opens a ledger of 2 GB and holds the browser's page to 1 GB of memory. It takes minutes and disk, so it
// runs only where FIGS_HUGE is set.
func TestHugeLedger(t *testing.T) {
	if !huge() {
		t.Skip("set FIGS_HUGE=1 to write and read 2 GB")
	}
	p := ownBrowser(t)
	p.open(saved(t))
	folder := ledger(t, 2<<30)
	begun := time.Now()
	p.drop(folder)
	p.awaitFor(5*time.Minute, `performance.getEntriesByName("folder-read").length`, "the end of reading")
	t.Logf("2 GB read after %s", time.Since(begun).Round(time.Millisecond))
	p.awaitFor(time.Minute, has("#view", "Ledger clerk"), "the first view")
	t.Logf("first view after %s; peak memory %d MB", time.Since(begun).Round(time.Millisecond), peak(t)>>20)
	for _, path := range []string{"/1/jobs?from=1000000", "/1/jobs/job-1199999", "/1/lines/runs.jsonl?from=5000000", "/1/findings"} {
		begun := time.Now()
		p.visit(path)
		t.Logf("%s after %s", path, time.Since(begun).Round(time.Millisecond))
	}
	if most := peak(t); most > 1<<30 {
		t.Errorf("the page took %d MB, at most 1024", most>>20)
	}
}

// peak is the most memory that one renderer of this user's browsers had so far, in bytes, where Linux tells.
func peak(t testing.TB) (most int64) {
	t.Helper()
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range processes {
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		status, _ := os.ReadFile(filepath.Join(dir, "status"))
		_, rest, found := bytes.Cut(status, []byte("VmHWM:"))
		if !found || !bytes.Contains(line, []byte("--type=renderer")) {
			continue
		}
		kb, err := strconv.ParseInt(strings.Fields(string(rest))[0], 10, 64)
		if err == nil {
			most = max(most, kb<<10)
		}
	}
	return most
}
