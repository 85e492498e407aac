package figs_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// pastOf compares two folders of ledgers, with both texts and with a kept print of the older one; both say what it amounts to.
func pastOf(t *testing.T, old, new [][]byte) (past, byPrint figs.History, c *figs.Comparison) {
	t.Helper()
	f, g := readLedgers(1<<20, old...), readLedgers(1<<20, new...)
	p, q := f.Print(printKey), g.Print(printKey)
	kept, ok := figs.ReadFingerprint(figs.AppendFingerprint(nil, p))
	if !ok || !kept.Fits(q) || !kept.Equal(p) {
		t.Fatal("a print that was kept is another")
	}
	c = g.CompareWith(f, p, q, printKey)
	return c.History(), g.CompareWith(nil, kept, q, printKey).History(), c
}

// lines are numbered lines of a ledger, no two of them alike.
func lines(who string, from, to int) (b []byte) {
	for i := from; i < to; i++ {
		b = fmt.Appendf(b, `{"id":"%s-%d","type":"question","title":"How many keys, %d?","ts":"2026-05-04T10:00:%02dZ"}`+"\n", who, i, i*i, i%60)
	}
	return b
}

func TestPast(t *testing.T) {
	base, grown := lines("a", 0, 6), lines("a", 0, 9)
	ours, theirs := append(bytes.Clone(base), lines("x", 0, 3)...), append(bytes.Clone(base), lines("y", 0, 4)...)
	edit := func(b []byte, old, new string) []byte {
		return bytes.Replace(bytes.Clone(b), []byte(old), []byte(new), 1)
	}
	crlf := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }
	for _, test := range []struct {
		name     string
		old, new [][]byte
		want     figs.History
	}{
		{"the same", [][]byte{base, grown}, [][]byte{base, grown}, figs.HistoryUnchanged},
		{"grown", [][]byte{base, base}, [][]byte{grown, base}, figs.HistoryUnchanged},
		{"nothing before", [][]byte{nil}, [][]byte{base, grown}, figs.HistoryUnchanged},
		{"a checkout with CR LF", [][]byte{base, grown}, [][]byte{crlf(base), crlf(grown)}, figs.HistoryUnchanged},
		{"a checkout with LF, and grown", [][]byte{crlf(base)}, [][]byte{grown}, figs.HistoryUnchanged},
		{"torn, completed", [][]byte{grown[:len(base)+20]}, [][]byte{grown}, figs.HistoryUnchanged},
		{"torn, taken away", [][]byte{grown[:len(base)+20]}, [][]byte{base}, figs.HistoryUnchanged},
		{"torn, another line in its place", [][]byte{grown[:len(base)+20]}, [][]byte{theirs}, figs.HistoryUnchanged},
		{"a ledger is missing", [][]byte{base, grown}, [][]byte{base}, figs.HistoryMissing},
		{"an older copy", [][]byte{grown, base}, [][]byte{base, base[:0]}, figs.HistoryOlder},
		{"another copy", [][]byte{ours}, [][]byte{theirs}, figs.HistoryDiverged},
		{"another copy, with blank lines", [][]byte{append(bytes.Clone(ours), "\n\n"...)}, [][]byte{append(bytes.Clone(theirs), "\n\n"...)}, figs.HistoryDiverged},
		{"another copy, and its agent wrote an older line again", [][]byte{append(bytes.Clone(ours), lines("a", 2, 3)...)}, [][]byte{append(bytes.Clone(theirs), lines("a", 2, 3)...)}, figs.HistoryDiverged},
		{"an older copy in one ledger, grown in another", [][]byte{grown, base}, [][]byte{base, grown}, figs.HistoryDiverged},
		{"the last line edited", [][]byte{base}, [][]byte{edit(base, "keys, 25", "keys, 26")}, figs.HistoryDiverged},
		{"merged behind", [][]byte{ours}, [][]byte{append(bytes.Clone(theirs), lines("x", 0, 3)...)}, figs.HistoryMerged},
		{"merged, ours first", [][]byte{ours}, [][]byte{append(bytes.Clone(ours), lines("y", 0, 4)...)}, figs.HistoryUnchanged},
		{"sorted another way", [][]byte{ours}, [][]byte{slices.Concat(lines("x", 0, 3), base)}, figs.HistoryMerged},
		{"replies in another order", [][]byte{base, base, lines("m", 0, 4)}, [][]byte{grown, base, slices.Concat(lines("n", 0, 1), lines("m", 2, 4), lines("m", 0, 1))}, figs.HistoryDiverged},
		{"words replaced for a copy to be shown", [][]byte{base}, [][]byte{edit(base, "keys, 4", "[email-12], 4")}, figs.HistoryRedacted},
		{"the copy was first, the folder came later", [][]byte{edit(base, "keys, 4", "[aws-key-1], 4")}, [][]byte{grown}, figs.HistoryRedacted},
		{"a placeholder in one edited line of two", [][]byte{base}, [][]byte{edit(edit(base, "keys, 4", "[email-1], 4"), "keys, 9", "keys, 8")}, figs.HistoryRewritten},
		{"words replaced and a line taken out", [][]byte{base}, [][]byte{edit(edit(base, "keys, 4", "[email-1], 4"), string(lines("a", 4, 5)), "")}, figs.HistoryRewritten},
		{"another folder", [][]byte{base}, [][]byte{lines("b", 0, 9)}, figs.HistoryUnrelated},
		{"another folder with blank lines", [][]byte{append(bytes.Clone(base), '\n')}, [][]byte{append(lines("b", 0, 9), '\n')}, figs.HistoryUnrelated},
		{"one byte edited", [][]byte{base, grown}, [][]byte{base, edit(grown, "keys, 4", "keys, 5")}, figs.HistoryRewritten},
		{"one byte edited, and grown", [][]byte{base}, [][]byte{edit(grown, "keys, 4", "keys, 5")}, figs.HistoryRewritten},
		{"white space", [][]byte{base}, [][]byte{edit(base, `,"title"`, `, "title"`)}, figs.HistoryRewritten},
		{"a line removed", [][]byte{base}, [][]byte{slices.Concat(lines("a", 0, 2), lines("a", 3, 9))}, figs.HistoryRewritten},
	} {
		t.Run(test.name, func(t *testing.T) {
			past, byPrint, c := pastOf(t, test.old, test.new)
			if past != test.want || byPrint != test.want {
				t.Errorf("%s, by its print alone %s; want %s: %+v", past, byPrint, test.want, c.Ledgers)
			}
		})
	}
}

// TestPastHonest lets copies of a folder go on by themselves, as honest ones do: each only appends, takes replies as they come,
// is read while a line is written, and checked out with other line ends. Whichever reading of whichever copy is compared with
// whichever other, none is said to be rewritten; nor is a copy with which another was merged, when it is compared with either.
func TestPastHonest(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for range rounds(400) {
		type copied [3][][]byte // lines by ledger
		copies := []copied{{}}
		var readings [][][]byte
		written, replies := 0, [][]byte(nil)
		read := func(c copied) [][]byte {
			var all [][]byte
			for i := range c {
				b := slices.Concat(c[i]...)
				if random.IntN(4) == 0 {
					b = bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))
				}
				if n := len(c[i]); n > 0 && len(c[i][n-1]) > 1 && random.IntN(6) == 0 {
					b = b[:len(b)-1-random.IntN(len(c[i][n-1])-1)] // read while it was written
				}
				all = append(all, append([]byte{}, b...))
			}
			return all
		}
		for range 3 + random.IntN(20) {
			at := random.IntN(len(copies))
			c := &copies[at]
			switch written++; random.IntN(8) {
			case 0:
				copies = append(copies, copied{slices.Clone(c[0]), slices.Clone(c[1]), slices.Clone(c[2])})
			case 1: // replies flow down
				if len(replies) > 0 {
					reply := replies[random.IntN(len(replies))]
					if !slices.ContainsFunc(c[2], func(l []byte) bool { return bytes.Equal(l, reply) }) {
						c[2] = append(c[2], reply)
					}
				}
			case 2:
				replies = append(replies, lines("m", written, written+1))
			case 3:
				i := random.IntN(2)
				c[i] = append(c[i], []byte("\n"))
			default:
				i := random.IntN(3)
				c[i] = append(c[i], lines("w", written, written+1))
			}
			readings = append(readings, read(*c))
		}
		for range 12 {
			old, new := readings[random.IntN(len(readings))], readings[random.IntN(len(readings))]
			if past, byPrint, c := pastOf(t, old, new); past == figs.HistoryRewritten || byPrint == figs.HistoryRewritten {
				t.Fatalf("%q\nbecame %q\n%+v", old, new, c.Ledgers)
			}
		}
		ours, theirs := copies[random.IntN(len(copies))], copies[random.IntN(len(copies))]
		var merged copied
		for i := range merged {
			merged[i] = slices.Clone(theirs[i])
			for _, line := range ours[i] {
				if !slices.ContainsFunc(merged[i], func(l []byte) bool { return bytes.Equal(l, line) }) {
					merged[i] = append(merged[i], line)
				}
			}
		}
		for _, before := range []copied{ours, theirs} {
			if past, byPrint, c := pastOf(t, read(before), read(merged)); past == figs.HistoryRewritten || byPrint == figs.HistoryRewritten {
				t.Fatalf("%q\nmerged to %q\n%+v", before, merged, c.Ledgers)
			}
		}
	}
}

// TestPastOneByte edits one byte of a history to any other, and to white space, in whichever line but the last one: it is
// always said to be rewritten. What makes one line of two, or two of one, is found too.
func TestPastOneByte(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for range 1500 {
		old := [][]byte{lines("r", 0, 1+random.IntN(9)), lines("a", 0, 3+random.IntN(9)), lines("m", 0, random.IntN(5))}
		new := slices.Clone(old)
		file := random.IntN(2)
		b := bytes.Clone(old[file])
		end := bytes.LastIndexByte(b[:len(b)-1], '\n') + 1
		if end == 0 {
			continue
		}
		at := random.IntN(end - 1)
		if was := b[at]; random.IntN(3) == 0 {
			b[at] = " \t\r"[random.IntN(3)]
			if b[at] == was || b[at] == '\r' && b[at+1] == '\n' {
				continue
			}
		} else {
			b[at] ^= byte(1 + random.IntN(255))
		}
		new[file] = append(b, lines("later", 0, random.IntN(3))...)
		if past, byPrint, c := pastOf(t, old, new); past != figs.HistoryRewritten || byPrint != figs.HistoryRewritten {
			t.Fatalf("byte %d of %s: %s, by its print %s: %+v", at, figs.File(file), past, byPrint, c.Ledgers)
		}
		if past, _, c := pastOf(t, new, old); len(c.Ledgers[file].Changes) == 0 {
			t.Fatalf("byte %d of %s, backwards: %s: %+v", at, figs.File(file), past, c.Ledgers)
		}
	}
}

// TestPrintBegins holds what is said of two prints alone to what their texts say.
func TestPrintBegins(t *testing.T) {
	a, b := lines("a", 0, 5), lines("a", 0, 7)
	print := func(b ...[]byte) *figs.Fingerprint { return readLedgers(1<<20, b...).Print(printKey) }
	crlf := bytes.ReplaceAll(a, []byte("\n"), []byte("\r\n"))
	for _, test := range []struct {
		p, q *figs.Fingerprint
		want bool
	}{
		{print(a), print(b), true}, {print(b), print(a), false}, {print(a), print(a, b), true}, {print(crlf), print(b), true}, {print(b[:len(a)+9]), print(b), true},
		{print(lines("x", 0, 1)), print(b), false}, {print(nil), print(a), true},
	} {
		if test.p.Begins(test.q) != test.want {
			t.Errorf("%v is no answer", !test.want)
		}
	}
	other := readLedgers(1<<20, a).Print(figs.FingerprintKey{1, 2})
	if other.Fits(print(a)) || !print(b).Fits(print(a)) || print(a).Equal(print(b)) || print(a).Equal(print(crlf)) || !print(a).Equal(print(bytes.Clone(a))) {
		t.Error("prints fit that do not, or the other way round")
	}
}

// TestPlaceholder tells placeholders from other brackets.
func TestPlaceholder(t *testing.T) {
	for text, want := range map[string]bool{
		"[email-1]": true, `{"a":"x [aws-key-12] y"}`: true, "0123456[jwt-3]": true, "01234567[jwt-3]": true, "[[[ip-9]": true,
		"[email]": false, "[email-]": false, "[-1]": false, "[Email-1]": false, "[email-1": false, "[1]": false, "[]": false, "[": false, "": false, `["a-1"]`: false, "[a1-1]": false,
	} {
		line := []byte(strings.Repeat("x", 3) + text + "\n")
		if past, _, _ := pastOf(t, [][]byte{append(bytes.Clone(line), "end\n"...)}, [][]byte{[]byte("other\nend\n")}); (past == figs.HistoryRedacted) != want {
			t.Errorf("%s: %s", text, past)
		}
	}
}
