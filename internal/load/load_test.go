//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

func TestQuantile(t *testing.T) {
	values := []float64{5, 1, 4, 2, 3}
	for part, want := range map[float64]float64{0: 1, 0.5: 3, 0.99: 5, 1: 5} {
		if got := quantile(values, part); got != want {
			t.Errorf("quantile(%v, %v) = %v, want %v", values, part, got, want)
		}
	}
	if values[0] != 5 {
		t.Error("quantile sorted what it was given")
	}
}

func TestTroubles(t *testing.T) {
	x := &troubles{}
	for _, part := range []string{`{"level":"INFO","msg":"a"}` + "\n" + `{"level":"ERR`, `OR","msg":"b"}` + "\n", `{"level":"WARN","msg":"c"}` + "\npanic: d\n", "half a line"} {
		if n, err := x.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	if n, said := x.said(); n != 2 || said != `{"level":"ERROR","msg":"b"}`+"\npanic: d" {
		t.Errorf("said = %d, %q, want the error and the panic", n, said)
	}
}

// TestLedger holds what is generated to the protocol: a push with a finding would measure something else.
func TestLedger(t *testing.T) {
	text := ledger(store.Workspace{ID: "3b0c8a52-0000-4000-8000-000000000000"}, 3, 20, 10, 4)
	push, err := figs.ReadPush(text)
	if err != nil {
		t.Fatal(err)
	}
	runs, open := 0, strings.Count(string(text), `"status":"open"`)
	for _, r := range push.Records {
		if r.File == figs.Runs {
			runs++
		}
	}
	if push.Agent != agentID(0, 3) || runs != 20 || len(push.Records) != 30 || open != 4 || len(push.Refused) != 0 {
		t.Errorf("the ledger of %s has %d runs of %d records, %d open asks, %d refused", push.Agent, runs, len(push.Records), open, len(push.Refused))
	}
}

func TestField(t *testing.T) {
	page := []byte(`<input type="hidden" name="key" value="other"><form><input name="key" value="a&amp;b"><input value="x" name="revision"></form>`)
	if got := field(page, "key") + " " + field(page, "revision") + " " + field(page, "absent"); got != "a&b x " {
		t.Errorf("fields are %q", got)
	}
}
