package figs

import (
	"strings"
	"testing"
	"unsafe"
)

// A folder of 100 MB has a quarter of a million lines: see docs/performance.md.
func TestSmallEntries(t *testing.T) {
	for what, sizes := range map[string][2]uintptr{
		"line": {unsafe.Sizeof(line{}), 32}, "record": {unsafe.Sizeof(record{}), 40}, "ask": {unsafe.Sizeof(askFacts{}), 208}, "mention": {unsafe.Sizeof(mention{}), 8},
	} {
		if sizes[0] > sizes[1] {
			t.Errorf("%s takes %d bytes, more than %d", what, sizes[0], sizes[1])
		}
	}
}

func TestOffsetBeyond4GiB(t *testing.T) {
	var ln line
	for _, off := range []int64{0, 1<<32 - 1, 1 << 32, 5<<40 + 7} {
		if ln.setOff(off); ln.off() != off {
			t.Errorf("offset %d reads as %d", off, ln.off())
		}
	}
}

func TestPlaceOnIndentedLine(t *testing.T) {
	const asks = `{"id":"a","type":"question","title":"A","onApprove":["send"]}` + "\n" +
		" \t" + `{"id":"b","type":"question","title":"B","onApprove":["pay"]}` + "\n" +
		"\uFEFF   " + `{"id":"c","type":"question","title":"C","onApprove":["book"]}` + "\n"
	f := New(Options{})
	f.Feed(Asks, []byte(asks))
	found := 0
	for _, x := range f.Finish().Findings {
		if x.Code != OnApproveOnQuestion {
			continue
		}
		want := []string{`["send"]`, `["pay"]`, `["book"]`}[x.Line-1]
		begin := strings.LastIndexByte(asks[:x.Offset], '\n') + 1
		if found++; !strings.HasPrefix(asks[x.Offset:], want) || begin+x.Column-1 != int(x.Offset) {
			t.Errorf("line %d: offset %d and column %d aren't those of %s", x.Line, x.Offset, x.Column, want)
		}
	}
	if found != 3 {
		t.Errorf("%d findings, want 3", found)
	}
	for i, title := range []string{`"A"`, `"B"`, `"C"`} {
		if _, offset, n := f.Headline(i); asks[offset:int(offset)+n] != title {
			t.Errorf("the title of ask %d is %q", i, asks[offset:int(offset)+n])
		}
	}
}
