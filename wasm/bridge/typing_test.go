package bridge

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// typed are searches as people type them, and single letters of them that are hard: nothing begins so, only
// what is old does, or only keys are called so.
var typed = []string{"i", "inv", "invoice", "r", "reconciliati", "reconciliation 1204", "close-2026", "close-2026-00", "close-2026-000", "close-2026-000777", "is:ne", "is:needs customer",
	"status f", "status:fail twice", "z", "ze", "zebra", `"bank twice zebra"`, "before:2025", "unit:unit-3 zeb", "type:question -customer", `"statement customer prefix ledger"`}

// journalOf writes a folder of so many bytes in the shape of a journal of years: four lines a record, a dozen of them side by side.
func journalOf(r *rand.Rand, size int) sample {
	vocabulary := strings.Split("matched|invoice|statement|keys|the|of|and|for|customer|within|tolerance|flagged|1,204 rows|98.6%|delivery|number|prefix|waiting|on|bank|ledger|balance|$50,442.63|"+
		"currency|rounding|October|supplier|credit|note|booked|twice|review|a|in|is|not", "|")
	escapes := []string{`\"PO-1177\"`, `\n`, `caf\u00e9`, `C:\\close`, `\t`, `\u2014`, `31\/31`}
	text := func(b []byte, n int) []byte {
		escaped := r.IntN(10) == 0
		for end := len(b) + n; len(b) < end; {
			word := vocabulary[r.IntN(len(vocabulary))]
			if escaped && r.IntN(5) == 0 {
				word = escapes[r.IntN(len(escapes))]
			}
			b = append(append(b, word...), ' ')
		}
		return b
	}
	ledger := func(size int, first func(id, nth int) string) []byte {
		b, begun := make([]byte, 0, size+4096), 12
		var open [12][2]int
		for i := range open {
			open[i][0] = i
		}
		for second := 0; len(b) < size; second++ {
			o := &open[r.IntN(len(open))]
			ts := fmt.Sprintf("2026-%02d-%02dT%02d:%02d:00Z", 1+second/26000%12, 1+second/900%28, second/60%24, second%60)
			b = fmt.Appendf(b, `{"id":"close-2026-%06d","ts":"%s",`, o[0], ts)
			b = append(b, first(o[0], o[1])...)
			b = append(text(b, 230), "reconciliation-report"[:second%12]+`"}`+"\n"...)
			if o[1]++; o[1] == 4 {
				*o = [2]int{begun, 0}
				begun++
			}
		}
		return b
	}
	s := sample{name: "journal", files: map[figs.File][]byte{}, names: [][]any{}}
	s.files[figs.Runs] = ledger(size/2, func(id, nth int) string {
		return fmt.Sprintf(`"title":"Monthly close %d","state":"%s","status":"%s","unit":"unit-%d","session":{"model":"large","startedAt":"2026-02-03T08:00:00Z","tokens":{"input":%d}},"result":"`, id%90, []string{"in-flight", "settled"}[nth/3], []string{"ok", "warn", "fail"}[id%3], id%24, id)
	})
	s.files[figs.Asks] = ledger(size/2, func(id, nth int) string {
		return fmt.Sprintf(`"type":"%s","to":"manager","status":"%s","title":"Which of %d?","details":[{"l":"Due","v":"2026-11-0%d"}],"need":"`, []string{"question", "sign-off"}[id%2], []string{"open", "withdrawn"}[nth/3], id%70, 1+id%9)
	})
	return s
}

// BenchmarkTyping takes, of 100 MB, how long the first page of a search takes: until there is a page of results, or there is none.
func BenchmarkTyping(b *testing.B) {
	e := read(b, true, 1<<20, journalOf(rand.New(rand.NewPCG(9, 7)), 100<<20))
	for _, state := range []string{"plain", "filled"} {
		if state == "filled" {
			b.Run("fill", func(b *testing.B) {
				for b.Loop() {
					e.shelves = nil
					for e.shelf(e.agents[0]).fill(3 << 20) {
					}
				}
			})
		}
		for _, text := range typed {
			b.Run(state+"/"+strings.ReplaceAll(text, " ", "_"), func(b *testing.B) {
				slices := 0
				for b.Loop() {
					e.searches = nil
					for slice := 2; ; slice = 8 {
						slices++
						x := call(b, e, map[string]any{"op": "select", "page": "search", "agent": 0, "n": 50, "slice": slice, "text": text})
						_ = x
						if l := e.searches[len(e.searches)-1]; len(l.hits) > 0 || l.left() == 0 {
							break
						}
					}
				}
				b.ReportMetric(float64(slices)/float64(b.N), "slices")
			})
		}
	}
}
