package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/internal/version"
)

const mit = `Permission is hereby granted, free of charge, to any person obtaining
a copy of this software … The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.
THE SOFTWARE IS PROVIDED "AS IS"`

const bsd2 = `Redistribution and use in source and binary forms, with or without …
1. Redistributions of source code must retain the above copyright notice
2. Redistributions in binary form must reproduce the above copyright notice`

func TestRecognise(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"mit":           {mit, "MIT"},
		"bsd, two":      {bsd2, "BSD-2-Clause"},
		"bsd, three":    {bsd2 + "\n3. … may be used to endorse or\n * promote products derived from this software", "BSD-3-Clause"},
		"apache":        {"Apache License\n  Version 2.0, January 2004\n 3. Grant of Patent License.", "Apache-2.0"},
		"apache's name": {"see the Apache License, Version 2.0", ""},
		"isc":           {"Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.", "ISC"},
		"half of mit":   {mit[:100], ""},
		"gpl":           {"GNU GENERAL PUBLIC LICENSE\nVersion 3", ""},
		"mit or agpl":   {mit + "\nor under the GNU Affero General Public License", ""},
		"nothing":       {"", ""},
	} {
		if got := recognise([]byte(test.text)); got != test.want {
			t.Errorf("%s: recognise = %q, want %q", name, got, test.want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no licence":      {map[string]string{"README.md": mit}, "not one that is known"},
		"an unknown one":  {map[string]string{"LICENSE": "All rights reserved."}, "not one that is known"},
		"copyleft beside": {map[string]string{"LICENSE": mit, "LICENSE-PARTS": "GNU General Public License"}, "gnu general public license"},
	} {
		dir := t.TempDir()
		for file, text := range test.files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := read("example.com/m", module{Dir: dir}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: read = %v, want %q", name, err, test.want)
		}
	}
}

// The list in docs is that of what is linked now.
func TestListIsUpToDate(t *testing.T) {
	root := testenv.Root(t)
	all, err := parts(root)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(root, listed))
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != string(list(all)) {
		t.Errorf("%s is not what is linked: run go run ./internal/build/licenses", listed)
	}
	texts := string(collected(all))
	out, err := materials(all, "go1.26.0")
	var b bill
	if err == nil {
		err = json.Unmarshal(out, &b)
	}
	if err != nil || len(b.Components) != len(all) || b.Metadata.Component.Version != version.Version {
		t.Fatalf("the bill of materials has %d components, want %d (%v)", len(b.Components), len(all), err)
	}
	expression := regexp.MustCompile(`^[A-Z][A-Za-z0-9.-]+( AND [A-Z][A-Za-z0-9.-]+)?$`)
	for i, c := range b.Components {
		if !expression.MatchString(c.Licenses[0].Expression) || !strings.Contains(texts, "\n"+c.Name+" "+c.Version+" (") && c.PURL != "pkg:golang/std@v1.26.0" {
			t.Errorf("component %d of the bill of materials is %+v", i, c)
		}
	}
	for _, p := range all {
		if !strings.Contains(texts, "\n"+p.name+" "+p.version+" (") || len(p.files) == 0 {
			t.Errorf("the texts leave %s out", p.name)
		}
	}
}
