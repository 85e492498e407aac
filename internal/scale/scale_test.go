//go:build unix

package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/testenv"
)

// TestDocument holds docs/scale.md to what the program makes of the measurement that is kept.
func TestDocument(t *testing.T) {
	m, err := load("measured.json")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(testenv.Root(t), "docs", "scale.md"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := filled(text, assumed.tables(m))
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != string(want) {
		t.Error("the tables of docs/scale.md are not what internal/scale/measured.json comes to: run go run ./internal/scale -write -keep")
	}
}

var created = regexp.MustCompile(`(?i)CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?([a-z_]+)`)

// TestOwners holds the list of tables to the schema.
func TestOwners(t *testing.T) {
	var listed []string
	for _, o := range owners {
		listed = append(listed, strings.Fields(o.tables)...)
	}
	there := []string{}
	for _, pattern := range []string{"migrations/*.sql", "*.go"} {
		files, err := filepath.Glob(filepath.Join(testenv.Root(t), "internal", "store", "sqlstore", filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, name := range created.FindAllStringSubmatch(string(text), -1) {
				there = append(there, name[1])
			}
		}
	}
	slices.Sort(there)
	there = slices.Compact(there)
	slices.Sort(listed)
	for _, name := range there {
		if !slices.Contains(listed, name) {
			t.Errorf("nobody says whose rows the table %s holds: add it to owners", name)
		}
	}
	for i, name := range listed {
		if !slices.Contains(there, name) || i > 0 && listed[i-1] == name {
			t.Errorf("owners lists %s, which is no table, or twice", name)
		}
	}
}

// TestCrossing holds the names of methods to the store.
func TestCrossing(t *testing.T) {
	of := reflect.TypeFor[store.Store]()
	for _, x := range crossing {
		for _, name := range strings.Fields(x.methods) {
			if _, ok := of.MethodByName(name); !ok {
				t.Errorf("the store has no method %s", name)
			}
		}
	}
}

// TestTemplate holds the bundle to the samples' ratios, which the document tells.
func TestTemplate(t *testing.T) {
	x, err := readTemplate()
	if err != nil {
		t.Fatal(err)
	}
	steps, files := x.make(7)
	kinds := map[int]int{}
	names := map[string]bool{}
	for _, s := range steps {
		kinds[int(s.file)]++
		names[s.line] = true
	}
	if kinds[0] != 11 || kinds[1] != 8 || kinds[2] != 3 || len(files) != 11 || len(names) != len(steps) {
		t.Errorf("a bundle has %v lines by ledger, %d different ones of %d, and %d files; want 11, 8 and 3, and 11", kinds, len(names), len(steps), len(files))
	}
	if rows := x.perYear * (kinds[0] + kinds[1]); rows < yearly-20 || rows > yearly+20 {
		t.Errorf("a year has %d rows of trails, want about %d", rows, yearly)
	}
	other, _ := x.make(8)
	for _, s := range other {
		if names[s.line] {
			t.Errorf("two bundles share %s", s.line)
		}
	}
}

// TestSimulate holds what must be true of any draw.
func TestSimulate(t *testing.T) {
	c := assumed
	s := c.simulate(20)
	if s != c.simulate(20) {
		t.Error("two simulations differ")
	}
	if s.chosen > s.hashed || s.chosen < 1 || s.movedPart < 0.4 || s.movedPart > 0.5 || s.moved > s.teams || s.largest > c.TeamMost {
		t.Errorf("this cannot be: %+v", s)
	}
	one := assumptions{Agents: 10, TeamMedian: 100, TeamMost: 100}
	if s := one.simulate(2); s.teams != 1 || s.largest != 10 || s.chosen != 2 {
		t.Errorf("one team on two databases: %+v", s)
	}
}
