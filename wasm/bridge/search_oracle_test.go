package bridge

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
)

// inOrder is what a search finds and in which order, without any of what makes it quick: every record is folded and matched, and the
// lines of the three ledgers are gone through one by one from their ends.
func inOrder(f *figs.Folder, text string, texts map[string]string) (found []Ref) {
	matches := plainly(f, text, texts)
	type placed struct {
		file figs.File
		line int
		at   int64
	}
	var all [figs.Ledgers][]placed
	for file := range figs.File(figs.Ledgers) {
		at := int64(figs.NoTime)
		for i := range f.Lines(file) {
			if line := f.Line(file, i); line.TS != figs.NoTime {
				at = line.TS
			}
			all[file] = append(all[file], placed{file, i, at})
		}
	}
	for {
		best := -1
		for file, lines := range all {
			if len(lines) > 0 && (best < 0 || lines[len(lines)-1].at > all[best][len(all[best])-1].at) {
				best = file
			}
		}
		if best < 0 {
			break
		}
		last := all[best][len(all[best])-1]
		all[best] = all[best][:len(all[best])-1]
		line := f.Line(last.file, last.line)
		if line.Record < 0 {
			continue
		}
		first, newest, _ := f.Ends(last.file, line.Record)
		if last.file == figs.Messages {
			newest = first
		}
		if r := (Ref{last.file, line.Record}); newest.Index == last.line && matches[r] {
			found = append(found, r)
		}
	}
	for i := range f.Attachments() {
		if r := (Ref{find.Attached, i}); matches[r] {
			found = append(found, r)
		}
	}
	return found
}

// oddWords are what random folders are made of: words that begin alike, escapes, letters beyond ASCII, broken characters, digits.
var oddWords = []string{"status", "stat", "a", "ab", "abc", "fail", "Close", "clo", "0", "00", "000", "2026", "2026-05", "Größe", "gr\\u00f6\\u00DFer", "\\u0061bc", "\\n", "\\\"", "\\\\u0061", "é", "ÉCOLE", "日本", "日本語", "Ω", "ё",
	"\xff", "\xc3", "\\ud83d\\ude00", "\\ud83d", "1,204", "x-y", "bank statement", "bank", "statement", "\\t", "—", "a\\u002db", "zebra", "z", "reportreport", "reportreports", "reportreportreportreports", "ts", "attachments"}

var lookedFor = []string{"s", "st", "stat", "status", "status f", "\"status\"", "a", "ab", "abc", "\"ab\"", "a b", "a-b", "0", "00", "000", "000 a", "2026", "2026-05", "größe", "GRÖß", "größer", "é", "école", "日", "日本語", "日本", "ω", "Ё", "ё", "x-y",
	"\"bank statement\"", "bank-st", "\"bank statement\" z", "z", "ze", "reportreports", "\"reportreport\"", "reportreportreportr", "1,204", "close-2026", "ts", "-a", "-\"bank statement\" in:jobs", "\"a b c\"", "fail close", "\"fail close\"", "u0061", "n", "attachments",
	"in:asks", "in:jobs -in:asks", "is:needs", "is:closed", "is:in-flight", "status:fail", "status:unknown", "round:>1", "before:2026-03", "after:2026-10", "on:2026-05", "on:2026", "-on:2026-05", "before:1900", "has:attachment", "-has:attachment",
	"file:a", "file:abc in:asks", "unit:ab", "unit:größe", "by:ana", "by:\"ana\"", "type:question", "type:sign-off abc", "to:manager", "-to:manager in:asks", "id:a", "id:r-1", "id:\"r-1\"", "is:ne", "on:2026-0", "by:ana unit:ab", "zebra zebra", "groesse", "reports", "statements", "reportreporting", "größen", "Gro", "u", "agent:a", "-agent:a bank"}

// odd writes a folder at random, with everything that makes an index wrong.
func odd(r *rand.Rand, records int) sample {
	text := func() string {
		var b []string
		for range 1 + r.IntN(4) {
			b = append(b, oddWords[r.IntN(len(oddWords))])
		}
		return strings.Join(b, []string{" ", "", "-", "  "}[r.IntN(4)])
	}
	value := func() string {
		switch r.IntN(8) {
		case 0:
			return []string{"null", "17", "-0.5e3", "true", `""`, "[]", "{}"}[r.IntN(7)]
		case 1:
			return `["` + text() + `",{"` + text() + `":"` + text() + `","deep":["` + text() + `"]}]`
		}
		return `"` + text() + `"`
	}
	stamp := func() string {
		switch r.IntN(8) {
		case 0:
			return ""
		case 1:
			return fmt.Sprintf(`,"ts":%s`, value())
		case 2:
			return fmt.Sprintf(`,"ts":"2026\u002d%02d-03T10:00:00Z"`, 1+r.IntN(12))
		case 3:
			return fmt.Sprintf(`,"t\u0073":"2026-%02d-03T10:00:00Z"`, 1+r.IntN(12))
		}
		return fmt.Sprintf(`,"ts":"2026-%02d-%02dT%02d:00:00Z"`, 1+r.IntN(12), 1+r.IntN(28), r.IntN(24))
	}
	keys := []string{"title", "result", "need", "unit", "status", "stat\\u0075s", "bank", "abc", "deep", "a", "by", "text"}
	lines := func(n, ids int, id string, more func() string) []byte {
		var b []byte
		for range n {
			switch r.IntN(30) {
			case 0:
				b = append(b, "{\"broken\n"...)
				continue
			case 1:
				b = append(b, "\n"...)
			}
			b = append(b, fmt.Sprintf(`{"id":"%s-%d"%s`, id, r.IntN(ids), stamp())...)
			for range r.IntN(4) {
				b = append(b, fmt.Sprintf(`,"%s":%s`, keys[r.IntN(len(keys))], value())...)
			}
			b = append(b, more()+"}\n"...)
		}
		return b
	}
	s := sample{name: "odd", files: map[figs.File][]byte{}, names: [][]any{{"abc.html", 10}, {"a-1.txt", 5}}}
	attached := func() string {
		return []string{"", "", `,"attachments":["abc.html"]`, `,"attachments":[]`, `,"attachm\u0065nts":["a-1.txt"]`, `,"refs":[{"artifact":"a-1.txt"}]`}[r.IntN(6)]
	}
	s.files[figs.Runs] = lines(records, max(1, records/2), "r", func() string {
		return []string{"", `,"state":"in-flight"`, `,"state":"settled","status":"fail"`, `,"status":"ok"`}[r.IntN(4)] + attached()
	})
	s.files[figs.Asks] = lines(records, max(1, records/3), "a", func() string {
		return []string{"", `,"status":"open"`, `,"status":"resolved","resolution":{"via":"self","ts":"2026-05-04T10:00:00Z"}`}[r.IntN(3)] +
			[]string{"", `,"type":"question"`, `,"type":"sign-off"`}[r.IntN(3)] + []string{"", `,"to":"manager"`, `,"to":"manager now"`}[r.IntN(3)] + attached()
	})
	s.files[figs.Messages] = lines(records/2, max(1, records/3), "m", func() string {
		return fmt.Sprintf(`,"kind":"answer","ask":"a-%d","by":"%s","text":"%s"`, r.IntN(records), []string{"Ana", "Anas Bo", "An\\u0061"}[r.IntN(3)], text())
	})
	return s
}

// sameAsPlain holds searches of a folder to the plain version: at once, while blocks are made, and with all of them.
func sameAsPlain(t *testing.T, s sample, r *rand.Rand, searches []string) {
	t.Helper()
	texts := map[string]string{"abc.html": "the bank statement Größe", "a-1.txt": "a b c"}
	for _, filled := range []int{0, 1 + r.IntN(20_000), 1 << 30} {
		e := read(t, true, 1<<20, s)
		for name, text := range texts {
			call(t, e, map[string]any{"op": "index", "agent": 0, "name": name, "text": text})
		}
		f := e.agents[0].f
		e.shelves[0].filler = filler{} // shelve has read some
		e.shelf(e.agents[0]).fill(filled)
		for _, text := range searches {
			l := e.looking(e.agents[0], text)
			x := &selector{e: e, a: e.agents[0], f: f}
			for n := 0; l.left() > 0; n++ {
				l.goOn(x, 1+r.IntN(20_000), r.IntN(20))
				if filled > 0 && n%3 == 0 {
					e.shelf(e.agents[0]).fill(r.IntN(5_000))
				}
			}
			if want := inOrder(f, text, texts); !slices.Equal(l.hits, want) {
				t.Fatalf("with %d bytes in blocks, %s finds\n%v, want\n%v", filled, text, l.hits, want)
			}
			if n := l.counts[0] + l.counts[1] + l.counts[2] + l.counts[find.Attached]; n != len(l.hits) {
				t.Fatalf("%s counts %d of %d", text, n, len(l.hits))
			}
		}
	}
}

// TestSearchAsPlain: whatever makes a search quick hides nothing, adds nothing and moves nothing.
func TestSearchAsPlain(t *testing.T) {
	seeds := uint64(8)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 3))
		size := []int{3, 30, 200, 400}[seed%4]
		searches := lookedFor
		if size > 300 && testing.Short() {
			searches = lookedFor[:20]
		}
		sameAsPlain(t, odd(r, size), r, searches)
	}
	r := rand.New(rand.NewPCG(1, 1))
	sameAsPlain(t, journalOf(r, 1<<20), r, append(slices.Clone(typed), "close-2026-0000", "unit-3", "\"statement customer\"", "before:2026-01-05", "has:attachment"))
}

// FuzzSearchAsPlain does the same with any line and any search.
func FuzzSearchAsPlain(f *testing.F) {
	for i, line := range []string{`"title":"Größe \u0041bc","x":["a b",{"k":"c"}]`, `"status":"fail","close":"fail"`, `"t\u0073":"2026-05-04T10:00:00Z","a":"\ud83d"`, `"a":"x","a":"y"`} {
		f.Add(line, `"note":"b"`, lookedFor[i*3], uint64(i))
	}
	f.Fuzz(func(t *testing.T, one, two, text string, seed uint64) {
		if strings.ContainsAny(one+two, "\n") || len(one)+len(two) > 10_000 || len(text) > 200 {
			return
		}
		r := rand.New(rand.NewPCG(seed, 5))
		s := odd(r, 12)
		for file := range figs.File(figs.Ledgers) {
			s.files[file] = append(s.files[file], fmt.Sprintf("{\"id\":\"r-1\",%s}\n{\"id\":\"r-1\",%s}\n{\"id\":\"r-2\",%s}\n", one, two, two)...)
		}
		b, _ := json.Marshal(text)
		var valid string
		if json.Unmarshal(b, &valid) != nil {
			return
		}
		sameAsPlain(t, s, r, []string{valid})
	})
}

// TestMarksCover: what is found in folded text has marks that the text has.
func TestMarksCover(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 3000 {
		var folded []byte
		for range 1 + r.IntN(5) {
			folded = find.AppendFolded(folded, []byte(oddWords[r.IntN(len(oddWords))]+" "+oddWords[r.IntN(len(oddWords))]+"-"+oddWords[r.IntN(len(oddWords))]))
		}
		has := map[uint32]bool{}
		for _, m := range appendMarks(nil, folded) {
			if has[m] = true; m >= exact+shared {
				t.Fatalf("mark %d", m)
			}
		}
		from := r.IntN(len(folded))
		for folded[from] != ' ' {
			from--
		}
		to := from + 1 + r.IntN(len(folded)-from)
		part := string(folded[from:to])
		words := strings.Trim(part, " ")
		if words == "" || strings.Contains(strings.TrimLeft(part, " "), "  ") {
			continue
		}
		for _, m := range needOf(words, "", strings.HasSuffix(part, " ")).marks {
			if !has[m] {
				t.Fatalf("%q stands in %q, and its marks do not", words, folded)
			}
		}
	}
}
