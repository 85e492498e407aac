package figs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

func TestCompareRecords(t *testing.T) {
	line := func(s ...string) []byte { return []byte(strings.Join(s, "\n") + "\n") }
	ask := func(id, rest string) string {
		return `{"id":"` + id + `","type":"question","title":"T"` + rest + `}`
	}
	reply := func(id, ask, ts string) string {
		return `{"id":"` + id + `","kind":"answer","ask":"` + ask + `","by":"Ada","text":"yes","ts":"` + ts + `"}`
	}
	before := readLedgers(1<<20,
		line(`{"id":"fly","state":"in-flight","ts":"2026-05-01T10:00:00Z"}`, `{"id":"done","ts":"2026-05-01T10:00:00Z"}`, `{"id":"lost","ts":"2026-05-01T10:00:00Z"}`, `{"id":7}`, `{"title":"no id"}`),
		line(ask("open", ""), ask("asked", ""), ask("close", ""), ask("again", "")),
		line(reply("m1", "again", "2026-05-01T10:00:00Z")))
	after := readLedgers(1<<20,
		line(`{"id":"fly","state":"in-flight","ts":"2026-05-01T10:00:00Z"}`, `{"id":"done","ts":"2026-05-01T10:00:00Z"}`, `{"id":7}`, `{"title":"no id"}`,
			`{"id":"fly","state":"settled","ts":"2026-05-02T10:00:00Z"}`, `{"id":"done","title":"more"}`, `{"id":"new","ts":"2026-05-02T10:00:00Z"}`),
		line(ask("open", ""), ask("asked", ""), ask("close", ""), ask("again", ""), `{"id":"close","status":"withdrawn"}`, ask("again", `,"ts":"2026-05-03T10:00:00Z"`), ask("fresh", "")),
		line(reply("m1", "again", "2026-05-01T10:00:00Z"), reply("m2", "asked", "2026-05-02T10:00:00Z")))
	var got []string
	for _, c := range after.CompareRecords(before) {
		of, n := after, c.New
		if n < 0 {
			of, n = before, c.Old
		}
		got = append(got, fmt.Sprint(c.Kind, " ", of.ID(c.File, n)))
	}
	want := []string{
		fmt.Sprint(figs.RecordNew, " fresh"), fmt.Sprint(figs.AskRaised, " again"), fmt.Sprint(figs.AskClosed, " close"), fmt.Sprint(figs.AskAnswered, " asked"),
		fmt.Sprint(figs.RecordNew, " new"), fmt.Sprint(figs.RecordChanged, " done"), fmt.Sprint(figs.JobSettled, " fly"), fmt.Sprint(figs.RecordDeleted, " lost"),
		fmt.Sprint(figs.RecordNew, " m2"),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestCompareRecordsGrown reads a journal that was made at random to two points of its life: what became of it between them is
// what each record says at either, and between a point and itself there is nothing.
func TestCompareRecordsGrown(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	types := []string{`,"type":"question","title":"T"`, `,"type":"sign-off","title":"T","onApprove":["x"]`, `,"status":"resolved","resolution":"done"`, `,"status":"open"`, `,"title":"other"`}
	states := []string{"", `,"state":"in-flight"`, `,"status":"fail"`, `,"state":"settled"`}
	for range 300 {
		var ledgers [figs.Ledgers][][]byte
		for n := range 2 + random.IntN(20) {
			ts := fmt.Sprintf(`,"ts":"2026-05-%02dT10:00:00Z"`, 1+n)
			switch id := random.IntN(4); random.IntN(3) {
			case 0:
				ledgers[0] = append(ledgers[0], fmt.Appendf(nil, `{"id":"r%d"%s%s}`+"\n", id, ts, states[random.IntN(len(states))]))
			case 1:
				ledgers[1] = append(ledgers[1], fmt.Appendf(nil, `{"id":%d%s%s}`+"\n", id, ts, types[random.IntN(len(types))]))
			default:
				ledgers[2] = append(ledgers[2], fmt.Appendf(nil, `{"id":"m%d","kind":"answer","by":"Ada","text":"yes","ask":%d%s}`+"\n", n, id, ts))
			}
		}
		var part, all [][]byte
		for _, lines := range ledgers {
			part = append(part, slices.Concat(lines[:random.IntN(len(lines)+1)]...))
			all = append(all, slices.Concat(lines...))
		}
		before, after := readLedgers(1<<20, part...), readLedgers(1<<20, all...)
		for _, f := range []*figs.Folder{before, after} {
			if same := f.CompareRecords(f); len(same) > 0 {
				t.Fatalf("%q differs from itself: %+v", all, same)
			}
		}
		came, lost := 0, 0
		for _, c := range after.CompareRecords(before) {
			if c.Kind == figs.RecordNew {
				came++
			}
		}
		for _, c := range before.CompareRecords(after) {
			if c.Kind == figs.RecordDeleted {
				lost++
			}
		}
		if came != lost {
			t.Fatalf("%q from %q: %d records came, and backwards %d are lost", all, part, came, lost)
		}
		told := map[[2]int]figs.RecordChange{}
		for _, c := range after.CompareRecords(before) {
			told[[2]int{int(c.File), c.New}] = c
		}
		for file := range figs.File(figs.Ledgers) {
			for i := range after.Records(file) {
				c, changed := told[[2]int{int(file), i}]
				if isNew := i >= before.Records(file); isNew != (changed && c.Kind == figs.RecordNew) {
					t.Fatalf("%s %d of %q from %q: new is %v, told %+v", file, i, all, part, isNew, c)
				} else if isNew || file == figs.Messages {
					continue
				}
				_, _, was := before.Ends(file, i)
				_, _, is := after.Ends(file, i)
				other := was != is
				if file == figs.Asks {
					other = other || before.State(i).Phase != after.State(i).Phase || len(before.Thread(i)) != len(after.Thread(i)) || before.State(i).Round != after.State(i).Round
				} else {
					other = other || before.Outcome(i) != after.Outcome(i)
				}
				if other != changed || changed && c.Old != i {
					t.Fatalf("%s %d of %q from %q: changed is %v, told %+v", file, i, all, part, other, c)
				}
			}
		}
	}
}
