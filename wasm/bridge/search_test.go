package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/figs/find/findtest"
)

var searchWords = strings.Fields(`matched invoice statement Invoice bank ledger balance caf\u00e9 Größe Größere \u0042ank PO-1177 1,204 prefix \"quoted\" C:\\close line\nfeed zanzibar`)

// searchable writes a folder of some hundred kilobytes, so that its ledgers have many blocks.
func searchable(r *rand.Rand, records int) sample {
	text := func(n int) string {
		var b []string
		for range n {
			w := r.IntN(len(searchWords) + 30)
			if w >= len(searchWords) {
				b = append(b, fmt.Sprintf("w%dx", r.IntN(5000)))
			} else {
				b = append(b, searchWords[w])
			}
		}
		return strings.Join(b, " ")
	}
	var runs, asks, messages []string
	for i := range records {
		day := fmt.Sprintf("2026-%02d-%02dT10:00:00Z", 1+i*12/records, 1+r.IntN(28))
		for n := range 1 + r.IntN(3) {
			state := []string{`"in-flight"`, `"settled"`}[r.IntN(2)]
			runs = append(runs, fmt.Sprintf(`{"id":"run-%d","ts":"%s","title":"Close %d","state":%s,"status":"%s","unit":"u%d","n%d":"%s"}`,
				i, day, i, state, []string{"ok", "warn", "fail", "odd"}[r.IntN(4)], i%5, n, text(20)))
		}
		asks = append(asks, fmt.Sprintf(`{"id":"ask-%d","ts":"%s","type":"%s","to":"%s","status":"open","title":"Which %d?","need":"%s","attachments":["report-%d.html"]}`,
			i, day, []string{"question", "sign-off"}[i%2], []string{"manager", "builder"}[r.IntN(2)], i, text(15), i%7))
		if r.IntN(3) == 0 {
			messages = append(messages, fmt.Sprintf(`{"id":"m-%d","ts":"%s","kind":"answer","by":"Ana %s","ask":"ask-%d","text":"%s"}`, i, day, []string{"Lima", "Ruiz"}[i%2], i, text(10)))
		}
		if r.IntN(40) == 0 {
			runs = append(runs, `{"broken`)
		}
	}
	s := sample{name: "searched", files: map[figs.File][]byte{}, names: [][]any{}}
	for file, lines := range map[figs.File][]string{figs.Runs: runs, figs.Asks: asks, figs.Messages: messages} {
		s.files[file] = []byte(strings.Join(lines, "\n") + "\n")
	}
	for i := range 5 {
		s.names = append(s.names, []any{fmt.Sprintf("report-%d.html", i), 10})
	}
	return s
}

// plainly is what a search finds, without any of what makes it quick.
func plainly(f *figs.Folder, text string, texts map[string]string) map[Ref]bool {
	q, found := find.Parse(text), map[Ref]bool{}
	if q.Empty() {
		return found
	}
	for file := range figs.File(figs.Ledgers) {
		for i := range f.Records(file) {
			var lines [][]byte
			for _, ref := range f.Trail(file, i) {
				if lines = append(lines, f.Bytes(file, ref)); file == figs.Messages {
					break
				}
			}
			fold := figs.Fold(lines)
			it := find.Item{File: file, ID: f.ID(file, i), Fold: fold}
			it.At, _ = figs.ParseTime(fold.Get("ts").Text())
			it.Folded = find.AppendRecord(nil, fold)
			switch file {
			case figs.Runs:
				it.Outcome = f.Outcome(i)
			case figs.Asks:
				it.Phase, it.Round = f.State(i).Phase, f.State(i).Round
			}
			if q.Match(&it) {
				found[Ref{file, i}] = true
			}
		}
	}
	for i, a := range f.Attachments() {
		it := find.Item{File: find.Attached, ID: a.Name, At: figs.NoTime, Folded: find.AppendFile(nil, a.Name, []byte(texts[a.Name]))}
		if a.Size >= 0 && q.Match(&it) {
			found[Ref{find.Attached, i}] = true
		}
	}
	return found
}

// looked goes through all pages of a search, so many megabytes at a time; 0 is all at once.
func looked(t testing.TB, e *Engine, text string, size int) (hits []Ref, last *Selection) {
	t.Helper()
	for from := 0; ; {
		b := bytes.Clone(call(t, e, map[string]any{"op": "select", "page": "search", "agent": 0, "text": text, "n": 200, "from": from, "slice": size}))
		var spans [][4]int
		if err := json.Unmarshal(call(t, e, map[string]any{"op": "slices"}), &spans); err != nil {
			t.Fatal(err)
		}
		for _, span := range spans {
			b = append(b, bytes.Repeat([]byte{' '}, span[3])...) // what the page reads again
		}
		s, ok := Decode(b)
		if !ok {
			t.Fatal("the selection cannot be read")
		}
		if s.Searched().Left > 0 {
			continue
		}
		hits = append(hits, s.Hits...)
		if from += len(s.Hits); len(s.Hits) == 0 || from >= s.Total {
			if len(hits) != s.Total {
				t.Fatalf("%s: %d hits, and the total is %d", text, len(hits), s.Total)
			}
			return hits, s
		}
	}
}

// TestSearchFindsAll: blocks, slices and texts change when something is found, and never what.
func TestSearchFindsAll(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	records := 900
	if testing.Short() {
		records = 200
	}
	s := searchable(r, records)
	searches := []string{"invoice", "zanz", "café", "GRÖSSER größe", `"bank statement"`, `"bank ledger" -zanzibar`, "bank", "status:fail zanzibar", "is:needs to:builder w1", "is:in-flight",
		"by:ana", "unit:u3 -status:ok", "on:2026-05", "after:2026-10 in:replies", "file:report-2", "has:attachment on:2026-01", "report 4", "id:run-8", "po-1177", "1,204 close", "nowhere", "-in:files", "quoted feed",
		"hidden", "prefix:x", ""}
	for range 8 {
		searches = append(searches, fmt.Sprintf("w%d", r.IntN(5000)), fmt.Sprintf("w%dx", r.IntN(5000)))
	}
	texts := map[string]string{"report-2.html": "the hidden bank statement", "report-3.html": "w1x"}
	for name, prepare := range map[string]func(e *Engine){
		"at once": func(*Engine) {},
		"with some blocks": func(e *Engine) {
			e.shelf(e.agents[0]).fill(150_000)
		},
		"with all blocks": func(e *Engine) {
			for {
				var state struct{ More int }
				if err := json.Unmarshal(call(t, e, map[string]any{"op": "index", "agent": 0}), &state); err != nil {
					t.Fatal(err)
				}
				if state.More == 0 {
					return
				}
			}
		},
	} {
		e := read(t, true, 1<<20, s)
		prepare(e)
		size := 0
		if name != "at once" {
			size = 1
		}
		check := func(texts map[string]string) {
			for _, text := range searches {
				hits, last := looked(t, e, text, size)
				want := plainly(e.agents[0].f, text, texts)
				if len(hits) != len(want) {
					t.Errorf("%s, %s: %d found, want %d", name, text, len(hits), len(want))
				}
				for _, h := range hits {
					if !want[h] {
						t.Errorf("%s, %s: found %v", name, text, h)
					}
					delete(want, h)
				}
				if f := last.Searched(); f.Jobs+f.Asks+f.Replies+f.Files != last.Total {
					t.Errorf("%s, %s: counts %+v of %d", name, text, f, last.Total)
				}
			}
		}
		check(nil)
		for file, text := range texts {
			call(t, e, map[string]any{"op": "index", "agent": 0, "name": file, "text": text})
		}
		check(texts)
	}
}

// TestSearchTable holds the engine to what every door finds.
func TestSearchTable(t *testing.T) {
	s := sample{name: "table", files: map[figs.File][]byte{}, names: [][]any{}}
	for file := range figs.File(figs.Ledgers) {
		s.files[file] = []byte(findtest.Ledger(file.String()))
	}
	for _, name := range findtest.Names() {
		s.names = append(s.names, []any{name, len(findtest.Files[name])})
	}
	e := read(t, true, 1<<20, s)
	for name, text := range findtest.Files {
		call(t, e, map[string]any{"op": "index", "agent": 0, "name": name, "text": text})
	}
	f := e.agents[0].f
	for _, c := range findtest.Cases {
		hits, _ := looked(t, e, c.Search, 0)
		var ids []string
		for _, h := range hits {
			if h.File == find.Attached {
				ids = append(ids, f.Attachments()[h.Record].Name)
			} else {
				ids = append(ids, f.ID(h.File, h.Record))
			}
		}
		if got := strings.Join(ids, " "); got != c.Found {
			t.Errorf("%s finds %q, want %q", c.Search, got, c.Found)
		}
	}
}

// TestSearchAfterLookingBack: that somebody looked at an earlier point forgets no text of an attachment.
func TestSearchAfterLookingBack(t *testing.T) {
	e := read(t, true, 1<<20, searchable(rand.New(rand.NewPCG(9, 6)), 50))
	call(t, e, map[string]any{"op": "index", "agent": 0, "name": "report-2.html", "text": "xylophone"})
	for _, when := range []string{"before", "after"} {
		if hits, s := looked(t, e, "xylophone", 0); len(hits) != 1 || s.Searched().Read != 1 {
			t.Errorf("%s looking back %d are found, and %d texts are read", when, len(hits), s.Searched().Read)
		}
		call(t, e, map[string]any{"op": "select", "page": "agent", "agent": 0, "at": "3.2.1"})
		e.searches = nil
	}
}

// TestSearchOrder: what was written last comes first.
func TestSearchOrder(t *testing.T) {
	e := read(t, true, 1<<20, searchable(rand.New(rand.NewPCG(9, 2)), 200))
	hits, _ := looked(t, e, "close in:jobs", 0)
	f := e.agents[0].f
	for i := 1; i < len(hits); i++ {
		_, a, _ := f.Ends(hits[i-1].File, hits[i-1].Record)
		_, b, _ := f.Ends(hits[i].File, hits[i].Record)
		if a.Index < b.Index {
			t.Fatalf("line %d stands before line %d", a.Number, b.Number)
		}
	}
}

// TestSearchExcerpt marks what was looked for as it was written.
func TestSearchExcerpt(t *testing.T) {
	e := read(t, true, 7, searchable(rand.New(rand.NewPCG(9, 5)), 50))
	_, s := looked(t, e, "INVOICE", 0)
	if len(s.Hits) == 0 || len(s.Excerpts) != len(s.Hits) {
		t.Fatalf("%d hits and %d excerpts", len(s.Hits), len(s.Excerpts))
	}
	for i := range s.Excerpts {
		if x := &s.Excerpts[i]; !strings.EqualFold(string(x.Marked), "invoice") {
			t.Errorf("marks %q between %q and %q", x.Marked, x.Before, x.After)
		}
	}
}

// TestSearchIndexOnly searches ids, states and times, and says so.
func TestSearchIndexOnly(t *testing.T) {
	e := read(t, false, 1<<20, searchable(rand.New(rand.NewPCG(9, 3)), 100))
	for text, some := range map[string]bool{"run-7": true, "is:needs": true, "status:fail": true, "on:2026-03": true, "id:ask-1 is:needs": true, "invoice": false} {
		hits, s := looked(t, e, text, 1)
		if len(hits) > 0 != some || s.Searched().Kept {
			t.Errorf("%s: %d found, %+v", text, len(hits), s.Searched())
		}
	}
}

// BenchmarkSearch looks for a word that nothing has, with and without blocks.
func BenchmarkSearch(b *testing.B) {
	e := read(b, true, 1<<20, searchable(rand.New(rand.NewPCG(9, 4)), 20_000))
	for _, name := range []string{"plain", "blocks"} {
		if name == "blocks" {
			for e.shelf(e.agents[0]).fill(1 << 30) {
			}
		}
		for _, text := range []string{"nowhere", "zanzibar", "w77x", "status:fail type:x"} {
			b.Run(name+"/"+text, func(b *testing.B) {
				for b.Loop() {
					e.searches = nil
					e.Call([]byte(`{"op":"select","page":"search","agent":0,"n":50,"text":"` + text + `"}`))
				}
			})
		}
	}
}
