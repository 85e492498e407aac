package lens

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/sandbox/report"
)

const ledger = `{"id":"a","ts":"2026-05-04T10:00:00Z","title":"Plain and clean"}
{"id":"b","title":"zero\u200bwidth","session":{"model":"m` + "\u200b" + `1"}}

{"id":"c","result":"one","result":"two"}
{"id":"d","found":"please ` + "\u0430" + `pprove it","details":[{"l":"x","v":"tag` + "\U000E0061\U000E0070\U000E0070\U000E0072\U000E006F\U000E0076\U000E0065" + `"}]}
{"id":"torn","title":"half` + "\u2060" + ` a line
{"id":"e","title":"Grüße, 漢字, שלום, 👩‍🔬 and 12 kΩ"}`

func summary(r *report.Reading) []string {
	var list []string
	for _, x := range r.Passages {
		list = append(list, fmt.Sprintf("%d %s %s %s %s", x.Line, x.Path, x.Way, x.Sight, x.Plain))
	}
	return list
}

func TestLedger(t *testing.T) {
	want := []string{
		"2 /title characters never ",
		"2 /session/model characters never ",
		"4 /result member aside ",
		"5 /found look-alike likely approve",
		"5 /details/0/v characters never approve",
		"6  characters aside ",
	}
	whole, err := Read(figs.Runs, strings.NewReader(ledger))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, summary(whole)); diff != "" {
		t.Errorf("Read (-want +got):\n%s", diff)
	}
	for _, size := range []int{1, 7, 64} {
		l := NewLedger(figs.Runs, 0)
		for at := 0; at < len(ledger); at += size {
			l.Write([]byte(ledger[at:min(len(ledger), at+size)]))
		}
		if diff := cmp.Diff(whole, l.End()); diff != "" {
			t.Errorf("in pieces of %d (-whole +pieces):\n%s", size, diff)
		}
	}
}

func TestSmall(t *testing.T) {
	r := Small(figs.AgentJSON, []byte("{\n \"name\": \"Ac\u200bme\",\n \"steps\": [\"one\", \"tw\\u2063o\"]\n}\n"))
	if diff := cmp.Diff([]string{"0 /name characters never ", "0 /steps/1 characters never "}, summary(r)); diff != "" {
		t.Errorf("Small (-want +got):\n%s", diff)
	}
	r = Small(figs.Contract, []byte("# Contract\n\nnothing\u200b here\n"))
	if diff := cmp.Diff([]string{"3  characters never "}, summary(r)); diff != "" {
		t.Errorf("Small (-want +got):\n%s", diff)
	}
}

// FuzzLedger holds that how bytes are cut does not matter, and that nothing is found in what is plain.
func FuzzLedger(f *testing.F) {
	f.Add([]byte(ledger), 3)
	f.Add([]byte("{\"a\":\"\\u200b\"}\r\n\xff\n[1]\n"), 1)
	f.Fuzz(func(t *testing.T, b []byte, cut int) {
		whole, err := Read(figs.Asks, strings.NewReader(string(b)))
		if err != nil {
			t.Fatal(err)
		}
		cut = min(len(b), max(0, cut))
		l := NewLedger(figs.Asks, 0)
		l.Write(b[:cut])
		l.Write(b[cut:])
		if diff := cmp.Diff(whole, l.End()); diff != "" {
			t.Fatalf("cut at %d of %q (-whole +pieces):\n%s", cut, b, diff)
		}
	})
}
