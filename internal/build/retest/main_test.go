package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFailedTests(t *testing.T) {
	for _, c := range []struct {
		name, out string
		want      map[string][]string
	}{
		{"two packages", "ok  \ta\t1s\n--- FAIL: TestOne (2.39s)\n    x.go:1: waited\n--- FAIL: TestTwo (0.1s)\n    --- FAIL: TestTwo/part (0.1s)\nFAIL\nFAIL\tb\t8s\n--- FAIL: TestThree (0s)\nFAIL\nFAIL\tc\t1s\nFAIL\n",
			map[string][]string{"b": {"TestOne", "TestTwo"}, "c": {"TestThree"}}},
		{"not built", "FAIL\ta [build failed]\n--- FAIL: TestOne (0s)\nFAIL\tb\t1s\nFAIL\n", nil},
		{"a panic", "--- FAIL: TestOne (0s)\npanic: runtime error [recovered]\nFAIL\ta\t1s\n", nil},
		{"a time-out", "panic: test timed out after 45m0s\nFAIL\ta\t2700s\n", nil},
		{"nothing that is known", "something else\n", nil},
	} {
		got, ok := failedTests(strings.NewReader(c.out))
		if ok != (c.want != nil) {
			t.Errorf("%s: %v, %t", c.name, got, ok)
		}
		if ok {
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s:\n%s", c.name, diff)
			}
		}
	}
}

func TestFlagsOf(t *testing.T) {
	got := flagsOf(strings.Fields("-p 2 -vet=off -parallel 3 -timeout 45m example/a example/b"))
	if diff := cmp.Diff(strings.Fields("-p 2 -vet=off -parallel 3 -timeout 45m"), got); diff != "" {
		t.Error(diff)
	}
}
