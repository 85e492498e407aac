package figs_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

var printKey = figs.FingerprintKey{0x0706050403020100, 0x0f0e0d0c0b0a0908}

// readLedgers reads a folder of ledgers that is fed in pieces of a size; a nil ledger is not there.
func readLedgers(piece int, ledgers ...[]byte) *figs.Folder {
	f := figs.New(figs.Options{Keep: true})
	for file, b := range ledgers {
		if b == nil {
			continue
		}
		f.Feed(figs.File(file), nil)
		for b = bytes.Clone(b); len(b) > 0; b = b[min(piece, len(b)):] {
			f.Feed(figs.File(file), b[:min(piece, len(b)):min(piece, len(b))])
		}
	}
	f.Finish()
	return f
}

// compared compares two texts as asks.jsonl: with both texts, and with the print alone, which must agree on what
// matters.
func compared(t *testing.T, old, new []byte) *figs.LedgerChange {
	t.Helper()
	f, g := readLedgers(1<<20, nil, old), readLedgers(7, nil, new)
	p, q := f.Print(printKey), g.Print(printKey)
	kept, ok := figs.ReadFingerprint(figs.AppendFingerprint(nil, p))
	if !ok {
		t.Fatal("a print that was written cannot be read")
	}
	c := g.CompareWith(f, p, q, printKey)
	byPrint := g.CompareWith(nil, kept, q, printKey)
	if c.Rewritten() != byPrint.Rewritten() {
		t.Fatalf("%q → %q: rewritten %v with texts, %v with the print alone", old, new, c.Rewritten(), byPrint.Rewritten())
	}
	for _, l := range []*figs.LedgerChange{&c.Ledgers[figs.Asks], &byPrint.Ledgers[figs.Asks]} {
		wholeAccount(t, l, old, new)
	}
	l := &c.Ledgers[figs.Asks]
	for _, change := range l.Changes {
		was, is := c.Texts(figs.Asks, change)
		if want := lineOf(old, change.Old); !bytes.Equal(was, want) {
			t.Fatalf("%q → %q: %+v shows %q for %q", old, new, change, was, want)
		}
		if want := lineOf(new, change.New); !bytes.Equal(is, want) {
			t.Fatalf("%q → %q: %+v shows %q for %q", old, new, change, is, want)
		}
		plain := func(b []byte) []byte { return bytes.TrimSuffix(b, []byte("\r")) }
		if alike := bytes.Equal(plain(was), plain(is)); change.Kind == figs.LineMoved && !alike || change.Kind == figs.LineEdited && bytes.Equal(was, is) {
			t.Fatalf("%q → %q: %+v from %q to %q", old, new, change, was, is)
		}
	}
	return l
}

// physical are the lines of a text as a print counts them.
func physical(b []byte) [][]byte {
	lines := bytes.Split(b, []byte("\n"))
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// written are the lines of a text that are not blank, without a byte order mark.
func written(b []byte) (lines [][]byte) {
	for _, line := range physical(bytes.TrimPrefix(b, []byte("\ufeff"))) {
		if len(bytes.Trim(bytes.TrimSuffix(line, []byte("\r")), " \t")) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

func records(b []byte) int { return len(written(b)) }

func lineOf(b []byte, n int) []byte {
	if n == 0 {
		return nil
	}
	return physical(bytes.TrimPrefix(b, []byte("\ufeff")))[n-1]
}

// wholeAccount holds a change to its promise: every line of both is in it once.
func wholeAccount(t *testing.T, l *figs.LedgerChange, old, new []byte) {
	t.Helper()
	var left, came int
	seen := map[[2]int]bool{}
	for _, c := range l.Changes {
		if seen[[2]int{0, c.Old}] || seen[[2]int{1, c.New}] {
			t.Fatalf("%q → %q: a line twice in %+v", old, new, l.Changes)
		}
		if c.Old > 0 {
			seen[[2]int{0, c.Old}] = true
			left++
		}
		if c.New > 0 {
			seen[[2]int{1, c.New}] = true
			came++
		}
	}
	if l.Gone {
		return
	}
	if l.Dropped {
		left++
	}
	if m := records(old); l.Same+left != m || l.Old != m {
		t.Fatalf("%q → %q: %d older lines, %d of %d told: %+v", old, new, m, l.Same+left, l.Old, l)
	}
	if n := records(new); l.Same+came+l.Added != n {
		t.Fatalf("%q → %q: %d newer lines, %d told: %+v", old, new, n, l.Same+came+l.Added, l)
	}
}

// grew is the plain rule: the older lines stand at the beginning of the newer ones, whether they end in LF or in CR LF.
// What stood behind the last line feed may have gone on, and when it was torn it may be any other.
func grew(old, new []byte) bool {
	was, is := written(old), written(new)
	all := physical(bytes.TrimPrefix(old, []byte("\ufeff")))
	tail := len(was) > 0 && !bytes.HasSuffix(old, []byte("\n")) && bytes.Equal(was[len(was)-1], all[len(all)-1])
	for i, line := range was {
		last := tail && i == len(was)-1
		switch {
		case last && torn(old):
		case i >= len(is):
			return false
		case last && bytes.HasPrefix(is[i], line):
		case !bytes.Equal(bytes.TrimSuffix(line, []byte("\r")), bytes.TrimSuffix(is[i], []byte("\r"))):
			return false
		}
	}
	return true
}

// torn reports whether the last line of a ledger is an incomplete text.
func torn(b []byte) bool {
	for _, f := range readLedgers(1<<20, nil, b).Finish().Findings {
		if f.Code == figs.LineTorn {
			return true
		}
	}
	return false
}

func TestCompareLines(t *testing.T) {
	a, b, c, d := `{"id":"a","type":"question","title":"A"}`+"\n", `{"id":"b","type":"question","title":"B"}`+"\n", `{"id":"c","title":"C"}`+"\n", `{"id":"d"}`+"\n"
	edited := strings.Replace(b, "B", "X", 1)
	for _, test := range []struct {
		name     string
		old, new string
		want     []figs.LineChange
		added    int
	}{
		{"equal", a + b, a + b, nil, 0},
		{"grown", a + b, a + b + c, nil, 1},
		{"begun", "", a + b, nil, 2},
		{"edited", a + b + c, a + edited + c, []figs.LineChange{{figs.LineEdited, 2, 2}}, 0},
		{"edited and grown", a + b + c, a + edited + c + d, []figs.LineChange{{figs.LineEdited, 2, 2}}, 1},
		{"last edited and grown", a + b, a + edited + c + d, []figs.LineChange{{figs.LineEdited, 2, 2}}, 2},
		{"removed", a + b + c, a + c, []figs.LineChange{{figs.LineRemoved, 2, 0}}, 0},
		{"removed and grown", a + b + c, a + c + d, []figs.LineChange{{figs.LineRemoved, 2, 0}}, 1},
		{"cut off", a + b + c, a, []figs.LineChange{{figs.LineRemoved, 2, 0}, {figs.LineRemoved, 3, 0}}, 0},
		{"moved", a + b + c + d, b + c + a + d, []figs.LineChange{{figs.LineMoved, 1, 3}}, 0},
		{"moved behind new ones", a + b, b + c + a, []figs.LineChange{{figs.LineMoved, 1, 3}}, 1},
		{"inserted", a + b, a + d + b, []figs.LineChange{{figs.LineInserted, 0, 2}}, 0},
		{"inserted first", a, d + a, []figs.LineChange{{figs.LineInserted, 0, 1}}, 0},
		{"white space", a + b, a + " " + b, []figs.LineChange{{figs.LineEdited, 2, 2}}, 0},
		{"a blank line", a + b, a + "\n" + b, nil, 0},
		{"blank lines of spaces, tabs and CR", a + b, a + " \t\r\n\r\n" + b + "  \n", nil, 0},
		{"a blank line less", "\n" + a + "\n", a + "\n", nil, 0},
		{"a byte order mark", a + b, "\ufeff" + a + b + c, nil, 1},
		{"a byte order mark less", "\ufeff" + a + b, a + b, nil, 0},
		{"a byte order mark, later", a + b, a + "\ufeff" + b, []figs.LineChange{{figs.LineEdited, 2, 2}}, 0},
		{"edited behind blank lines", "\n" + a + "\n" + b + c, "\n\n" + a + edited + "\n" + c, []figs.LineChange{{figs.LineEdited, 4, 4}}, 0},
		{"removed among blank lines", a + "\n" + b + "\n" + c, "\n" + a + "\n" + c, []figs.LineChange{{figs.LineRemoved, 3, 0}}, 0},
		{"everything else", a, d + c, []figs.LineChange{{figs.LineRemoved, 1, 0}}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := compared(t, []byte(test.old), []byte(test.new))
			if !slices.Equal(l.Changes, test.want) || l.Added != test.added {
				t.Errorf("%+v, %d added; want %+v, %d added", l.Changes, l.Added, test.want, test.added)
			}
		})
	}
}

// TestCompareEnd is about last lines: what has no end yet may get one.
func TestCompareEnd(t *testing.T) {
	whole := `{"id":"a","type":"question","title":"A"}`
	for _, test := range []struct {
		name, old, new                        string
		completed, joined, rewritten, missing bool
		dropped                               bool
	}{
		{name: "a line feed came", old: whole, new: whole + "\n"},
		{name: "a line feed and more", old: whole, new: whole + "\n" + whole},
		{name: "a line feed went", old: whole + "\n", new: whole},
		{name: "torn, completed", old: whole + "\n" + whole[:9], new: whole + "\n" + whole + "\n" + whole, completed: true},
		{name: "torn, sealed", old: whole[:9], new: whole[:9] + "\n" + whole},
		{name: "torn, torn further on", old: whole[:9], new: whole[:12], completed: true},
		{name: "torn, replaced", old: whole[:9], new: whole[:8] + "X" + whole[9:], dropped: true},
		{name: "torn, taken away", old: whole + "\n" + whole[:9], new: whole + "\n", dropped: true},
		{name: "torn, written anew", old: whole + "\r\n" + whole[:9], new: whole + "\n" + `{"id":"b","type":"question","title":"A"}` + "\n", dropped: true},
		{name: "torn, sealed, then taken away", old: whole + "\n" + whole[:9] + "\n", new: whole + "\n", rewritten: true},
		{name: "whole, joined", old: whole, new: whole + whole, joined: true},
		{name: "cut short", old: whole, new: whole[:9], rewritten: true},
		{name: "gone", old: whole, rewritten: true, missing: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			new := []byte(test.new)
			if test.missing {
				new = nil
			}
			l := compared(t, []byte(test.old), new)
			if l.Completed != test.completed || l.Joined != test.joined || l.Rewritten() != test.rewritten || l.Gone != test.missing || l.Dropped != test.dropped {
				t.Errorf("%+v", l)
			}
		})
	}
}

// FuzzCompare holds a comparison to the plain rule: a ledger was rewritten unless its older lines stand at the beginning
// of the newer ones.
func FuzzCompare(f *testing.F) {
	for _, s := range [][2]string{{"a\nb\n", "a\nb\nc"}, {"a\n\n\nb", "\na\nb\n\n"}, {"", "\n"}, {"a\nb\nc\n", "c\nb\na\n"}, {"{\"id\":1}", "{\"id\":1}x"}, {"a\r\nb", "a\nb\r\n"}, {"{\"a", "{\"b"}, {"\ufeffa", "a\n \nb"}, {"a\n ", "a"}} {
		f.Add([]byte(s[0]), []byte(s[1]))
	}
	f.Fuzz(func(t *testing.T, old, new []byte) {
		if old == nil || new == nil || len(old)+len(new) > 1<<14 {
			return
		}
		l := compared(t, old, new)
		if l.Rewritten() == grew(old, new) {
			t.Fatalf("%q → %q: rewritten %v", old, new, l.Rewritten())
		}
		if same := compared(t, old, old); same.Rewritten() || same.Added > 0 || same.Completed || same.Joined || same.Ends > 0 {
			t.Fatalf("%q differs from itself: %+v", old, same)
		}
		// What began a ledger stands in it, wherever it is cut; what came is the rest.
		if part := compared(t, new[:len(new)/2], new); part.Rewritten() || !part.Dropped && part.Same+part.Added != records(new) {
			t.Fatalf("the beginning of %q: %+v", new, part)
		}
	})
}

// TestCompareOneByte changes each single byte of a history, and finds it each time at its line.
func TestCompareOneByte(t *testing.T) {
	var b []byte
	for i := range 12 {
		b = fmt.Appendf(b, `{"id":"ask-%d","type":"question","title":"How many keys, %d?","ts":"2026-05-04T10:00:%02dZ"}`+"\n", i%5, i*i, i)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for at := range b {
		edited := bytes.Clone(b)
		for edited[at] == b[at] {
			edited[at] = byte(random.IntN(256))
		}
		if at%50 == 0 {
			runtime.GC() // as WebAssembly this loop leaves the background collector no time, and memory could run out
		}
		number := 1 + bytes.Count(b[:at], []byte("\n"))
		l := compared(t, b, append(edited, "{}\n"...))
		if !slices.ContainsFunc(l.Changes, func(c figs.LineChange) bool { return c.Old == number }) {
			t.Fatalf("byte %d, in line %d, became %q: %+v", at, number, edited[at], l.Changes)
		}
		if b[at] != '\n' && edited[at] != '\n' && (len(l.Changes) != 1 || l.Changes[0] != figs.LineChange{Kind: figs.LineEdited, Old: number, New: number} || l.Added != 1) {
			t.Fatalf("byte %d, in line %d: %+v, %d added", at, number, l.Changes, l.Added)
		}
	}
}

// TestCompareLeast holds the lines that stay to a plain table of the longest run of lines in order.
func TestCompareLeast(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		text := func() (lines []string) {
			for range random.IntN(9) {
				lines = append(lines, string(rune('a'+random.IntN(6))))
			}
			return lines
		}
		old, new := text(), text()
		longest := make([][]int, len(old)+1)
		for i := range longest {
			longest[i] = make([]int, len(new)+1)
		}
		for i := range old {
			for j := range new {
				if longest[i+1][j+1] = max(longest[i][j+1], longest[i+1][j]); old[i] == new[j] {
					longest[i+1][j+1] = longest[i][j] + 1
				}
			}
		}
		join := func(lines []string) []byte { return []byte(strings.Join(append(lines, ""), "\n")) }
		if l := compared(t, join(old), join(new)); l.Same != longest[len(old)][len(new)] {
			t.Fatalf("%q → %q: %d lines stay, want %d", old, new, l.Same, longest[len(old)][len(new)])
		}
	}
}

// TestCompareMany takes ledgers that would ruin a quadratic method: nothing in common, backwards, one line again and again.
func TestCompareMany(t *testing.T) {
	const n = 60_000
	var up, down, other []byte
	for i := range n {
		up = fmt.Appendf(up, "{\"n\":%d}\n", i)
		down = fmt.Appendf(down, "{\"n\":%d}\n", n-i)
		other = fmt.Appendf(other, "{\"m\":%d}\n", i)
	}
	same := bytes.Repeat([]byte("{}\n"), n)
	for _, pair := range [][2][]byte{{up, down}, {up, other}, {same, append(bytes.Clone(up), same...)}, {append(bytes.Clone(same), up...), append(bytes.Clone(up), same...)}} {
		f, g := readLedgers(1<<20, pair[0]), readLedgers(1<<20, pair[1])
		c := g.CompareWith(f, f.Print(printKey), g.Print(printKey), printKey)
		if l := &c.Ledgers[figs.Runs]; !l.Rewritten() {
			t.Errorf("%+v", l)
		} else {
			wholeAccount(t, l, pair[0], pair[1])
		}
	}
}

// FuzzReadPrint reads anything as a kept print: only what is one is taken, and written again it is the same.
func FuzzReadPrint(f *testing.F) {
	f.Add(figs.AppendFingerprint(nil, readLedgers(5, []byte("{}\nx"), nil, []byte("\n")).Print(printKey)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, ok := figs.ReadFingerprint(b); ok {
			if again := figs.AppendFingerprint(nil, p); len(again) != len(b) {
				t.Fatalf("%d bytes became %d", len(b), len(again))
			}
		}
	})
}

// TestPrintHash holds the hash to the vectors of SipHash's authors, through the print of one line each.
func TestPrintHash(t *testing.T) {
	want := map[int]uint64{1: 0x74f839c593dc67fd, 7: 0xab0200f58b01d137, 8: 0x93f5f5799a932462, 9: 0x9e0082df0ba9e4b0}
	for n, hash := range want {
		line := make([]byte, n)
		for i := range line {
			line[i] = byte(i)
		}
		b := figs.AppendFingerprint(nil, readLedgers(64, line).Print(printKey))
		at := len("figs-print 2\n") + 16 + 13
		var got uint64
		for i := 7; i >= 0; i-- {
			got = got<<8 | uint64(b[at+i])
		}
		if got != hash&^3 { // the lowest two bits say other things
			t.Errorf("%d bytes: %x, want %x", n, got, hash)
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	var text []byte
	for i := range 100_000 {
		text = fmt.Appendf(text, `{"id":"run-%d","title":"%s"}`+"\n", i, strings.Repeat("word ", 70))
	}
	f := readLedgers(1<<20, text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f.Print(printKey)
	}
}

// TestCompareRandom holds random short texts to the plain rule, blank lines, byte order marks and torn ends among them.
func TestCompareRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	parts := []string{"a", "b", "{\"", "\n", "\n", "\n", " ", "\t", "\r\n", "\ufeff", "[email-1]"}
	text := func() (b []byte) {
		b = []byte{}
		for range random.IntN(12) {
			b = append(b, parts[random.IntN(len(parts))]...)
		}
		return b
	}
	for range 20_000 {
		old, new := text(), text()
		if random.IntN(2) == 0 {
			new = append(bytes.Clone(old), new...)
		}
		if l := compared(t, old, new); l.Rewritten() == grew(old, new) {
			t.Fatalf("%q → %q: rewritten %v: %+v", old, new, l.Rewritten(), l)
		}
	}
}
