package main

import (
	"bytes"
	"testing"

	"github.com/figs-web/figs-web/figs/jsonl"
)

func TestGenerate(t *testing.T) {
	const size = 1 << 20
	f := generate(size)
	if again := generate(size); !bytes.Equal(f.Runs, again.Runs) || !bytes.Equal(f.Asks, again.Asks) {
		t.Error("two folders of the same size differ")
	}
	if len(f.Runs) != len(f.Asks) || f.size() > size || f.size() < size-2*bytesPerID {
		t.Errorf("generate(%d) has %d + %d bytes", size, len(f.Runs), len(f.Asks))
	}
	for name, ledger := range map[string][]byte{"runs": f.Runs, "asks": f.Asks} {
		lines := bytes.Split(bytes.TrimSuffix(ledger, []byte("\n")), []byte("\n"))
		if got := len(ledger) / len(lines); got != 384 {
			t.Errorf("%s: %d bytes a line, want 384", name, got)
		}
		ids, escaped := map[string]int{}, 0
		for _, line := range lines {
			ids[string(line[:bytes.IndexByte(line, ',')])]++
			if bytes.IndexByte(line, '\\') >= 0 {
				escaped++
			}
		}
		for id, n := range ids {
			if n != linesPerID {
				t.Errorf("%s: %s has %d lines, want %d", name, id, n, linesPerID)
			}
		}
		if part := 100 * escaped / len(lines); part < 8 || part > 12 {
			t.Errorf("%s: %d %% of the lines have escapes, want 10", name, part)
		}
		var s jsonl.Scanner
		for i := 0; i < len(ledger); {
			line := s.Scan(ledger, i)
			if line.Status != jsonl.Whole {
				t.Fatalf("%s: not JSON: %s", name, ledger[line.Start:line.End])
			}
			i = line.Next
		}
	}
}

func TestGenerateMarked(t *testing.T) {
	f := generateMarked(1 << 20)
	for name, ledger := range map[string][]byte{"runs": f.Runs, "asks": f.Asks} {
		lines, marked := bytes.Split(bytes.TrimSuffix(ledger, []byte("\n")), []byte("\n")), 0
		for _, line := range lines {
			if bytes.ContainsFunc(line, func(r rune) bool { return r >= 0x80 }) {
				marked++
			}
		}
		if part := 100 * marked / len(lines); part < 28 || part > 38 || jsonl.InvalidUTF8(ledger) >= 0 {
			t.Errorf("%s: %d %% of the lines have characters outside ASCII, want 33", name, part)
		}
	}
}

// BenchmarkRead reads a folder natively, as measureNode does.
func BenchmarkRead(b *testing.B) {
	for name, f := range map[string]*folder{"ascii": generate(10_000_000), "marked": generateMarked(10_000_000)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(f.size()))
			for b.Loop() {
				f.read()
			}
		})
	}
}

// BenchmarkScan is the floor under every other figure: finding lines and their members, and nothing else.
func BenchmarkScan(b *testing.B) {
	f := generate(10_000_000)
	b.SetBytes(int64(f.size()))
	b.ReportAllocs()
	var s jsonl.Scanner
	for b.Loop() {
		for _, ledger := range [][]byte{f.Runs, f.Asks} {
			for i := 0; i < len(ledger); {
				i = s.Scan(ledger, i).Next
			}
		}
	}
}
