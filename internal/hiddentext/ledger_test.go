package hiddentext

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

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

// TestEscapedKeys reads keys whose first or last character is written with a backslash.
func TestEscapedKeys(t *testing.T) {
	r, err := Read(figs.Runs, strings.NewReader(`{"x\n":"a\u200bb","\u0041":"a\u200bb","\\":"a\u200bb","\t":"a\u200bb"}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1 /x\n characters never ", "1 /A characters never ", `1 /\ characters never `, "1 /\t characters never "}, summary(r)); diff != "" {
		t.Errorf("Read (-want +got):\n%s", diff)
	}
}

// TestLong keeps what is noted short, however long keys and values are.
func TestLong(t *testing.T) {
	key := strings.Repeat("é", 1<<18)
	r, err := Read(figs.Runs, strings.NewReader(`{"`+key+`":{"`+key+`":[`+strings.Repeat("1,", 1<<18)+`"a\u200bb"]},"x":"`+key+`","x":1}`+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Passages) != 2 {
		t.Fatalf("%d passages, want 2", len(r.Passages))
	}
	for _, x := range r.Passages {
		if len(x.Text) > longest+len("…") || len(x.Path) > longestPath || !utf8.ValidString(x.Path+x.Text) {
			t.Errorf("it has %d bytes and stands at %d bytes", len(x.Text), len(x.Path))
		}
	}
}

// TestDeep finds what nests deeper than values are looked into one by one.
func TestDeep(t *testing.T) {
	for depth := range 40 {
		for _, hidden := range []string{"\u200b", `\u200b`} {
			r, err := Read(figs.Runs, strings.NewReader(`{"x":`+strings.Repeat(`{"a\"b":[`, depth)+`"a`+hidden+`b"`+strings.Repeat("]}", depth)+"}\n"))
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Passages) != 1 {
				t.Errorf("%d deep there are %d passages, want 1", depth, len(r.Passages))
			}
		}
	}
}

// TestTwice finds keys that are named twice, however they are written and however many there are.
func TestTwice(t *testing.T) {
	many := func(n int, before, after string) string {
		var b strings.Builder
		b.WriteString("{" + before)
		for i := range n {
			fmt.Fprintf(&b, `,"k%d":1`, i)
		}
		return b.String() + "," + after + "}\n"
	}
	for _, n := range []int{1, few - 2, few - 1, few, few + 1, 150_000} {
		for line, want := range map[string][]string{
			many(n, `"result":"one"`, `"result":"two"`):                            {`"one"`},
			many(n, `"result":"one"`, `"re\u0073ult":"two"`):                       {`"one"`},
			many(n, `"result":"one"`, `"re\u0073ult":"two","result":"three"`):      {`"one"`, `"two"`},
			many(n, `"a":1,"a":2`, `"a":3`):                                        {"1", "2"},
			many(n, `"result":"one"`, `"resul":"two","esul":"three","Result":"x"`): nil,
		} {
			r, err := Read(figs.Runs, strings.NewReader(line))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, x := range r.Passages {
				got = append(got, x.Text)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d members between, %.80s (-want +got):\n%s", n, line, diff)
			}
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
	f.Add([]byte(`{"x\n":1,"\\":"\u200b","\u0041":2,"A":3}`), 5)
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
