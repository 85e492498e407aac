package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one := file("one", "built in /home/ana, as always")
	for name, test := range map[string]struct {
		other string
		same  bool
		want  string
	}{
		"same":      {"built in /home/ana, as always", true, "29 bytes, SHA-256 "},
		"a path":    {"built in /home/bob, as always", false, "from byte 15 on"},
		"cut short": {"built in /home", false, "29 and 14 bytes, from byte 14 on"},
		"empty":     {"", false, "from byte 0 on"},
	} {
		same, said, err := compare(one, file("other", test.other))
		if err != nil || same != test.same || !strings.Contains(said, test.want) {
			t.Errorf("%s: compare = %v, %q, %v, want %v and %q", name, same, said, err, test.same, test.want)
		}
	}
	if _, _, err := compare(one, filepath.Join(dir, "missing")); err == nil {
		t.Error("a missing file compares")
	}
}

func TestPlacesHaveNothingInCommon(t *testing.T) {
	p := placesIn("/x")
	if len(p) != 2 || len(p[0].folder) == len(p[1].folder) || p[0].git == p[1].git {
		t.Fatalf("places = %+v", p)
	}
	for _, setting := range p[0].env {
		for _, other := range p[1].env {
			if setting == other {
				t.Errorf("both are built with %s", setting)
			}
		}
	}
}
