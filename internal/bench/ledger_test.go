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
