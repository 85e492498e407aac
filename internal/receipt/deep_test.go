package receipt

import (
	"crypto/ed25519"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// Whatever a hosted reader takes as an ask has a receipt that is read again.
func TestLargestReceipts(t *testing.T) {
	for name, extra := range map[string]string{
		"deep":       strings.Repeat(`{"a":[`, 15) + strings.Repeat(`]}`, 15),
		"long":       `"` + strings.Repeat("x", figs.MaxRecord-200) + `"`,
		"escaped":    `"` + strings.Repeat(`<\u2028`, (figs.MaxRecord-200)/7) + `"`,
		"control":    `"` + strings.Repeat(`\b`, (figs.MaxRecord-200)/2) + `"`,
		"angle":      `"` + strings.Repeat(`<`, figs.MaxRecord-200) + `"`,
		"quotes":     `"` + strings.Repeat(`\"`, (figs.MaxRecord-200)/2) + `"`,
		"delete":     `"` + strings.Repeat("\x7f", figs.MaxRecord-200) + `"`,
		"separators": `"` + strings.Repeat("\u2028", (figs.MaxRecord-200)/3) + `"`,
	} {
		t.Run(name, func(t *testing.T) {
			line := []byte(`{"id":"a","type":"question","title":"T","ts":"2026-11-20T10:00:00Z","status":"open","extra":` + extra + `}`)
			if figs.CheckSize(line) != figs.NotRefused {
				t.Fatal("no reader takes it")
			}
			fold := figs.Fold([][]byte{line})
			r, err := Build(Facts{Server: "https://figs.example", Workspace: "w", Agent: "g", Fold: figs.AppendObject(nil, fold), Round: 1, Revision: "1.1.0." + HashOf(fold),
				Line: []byte(`{"id":"m","kind":"answer","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","text":"` + strings.Repeat(`\"`, figs.MaxNote) + `"}`), By: "u", Made: 1, Effective: 2, Audit: "h"})
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Sign(make([]byte, ed25519.SeedSize)); err != nil {
				t.Fatal(err)
			}
			read, err := Read(r.JSON())
			if err != nil {
				t.Fatalf("%d bytes: %v", len(r.JSON()), err)
			}
			if Check(read, nil, nil).Signature != SignatureGood {
				t.Error("the signature does not hold")
			}
		})
	}
}
