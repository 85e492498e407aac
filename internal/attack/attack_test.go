package main

import (
	"os"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestAttack is the short run of the command.
func TestAttack(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves the browser out")
	}
	program := testenv.Chromium(t)
	vectors, err := choose("", true)
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []*outcome
	for _, m := range modes {
		if m.name == "control" || m.still {
			continue // "frames" is the control in less time; pictures take more than a test should
		}
		o, err := measure(program, m.brief(), vectors, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		outcomes = append(outcomes, o)
		for _, fault := range m.judge(o, vectors) {
			t.Error(fault)
		}
	}
	table(os.Stdout, outcomes)
}
