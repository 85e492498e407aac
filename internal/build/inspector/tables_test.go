package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

// stressed is a program that leans on the tables: stacks that grow while pointers stand on
// them, collections in the middle, panics that unwind, goroutines that sleep.
const stressed = `package main

import "runtime"

type node struct{ next *node; pad [64]byte; v int }

var newest *node

func deep(n int, list *node) int {
	var local [32]*node
	newest = &node{next: list, v: n}
	local[n%32] = newest
	if n == 0 {
		runtime.GC()
		sum := 0
		for ; list != nil; list = list.next {
			sum += list.v
		}
		return sum
	}
	got := deep(n-1, local[n%32])
	if local[n%32].v != n {
		panic("lost a pointer")
	}
	return got
}

func caught() (text string) {
	defer func() { text = recover().(error).Error() }()
	var none []int
	return string(rune(none[deep(50, nil)]))
}

func main() {
	sums := make(chan int)
	for range 8 {
		go func() { sums <- deep(3000, nil) }()
	}
	total := 0
	for range 8 {
		total += <-sums
	}
	if total != 8*3000*3001/2 || caught() != "runtime error: index out of range [1275] with length 0" {
		panic("wrong")
	}
	println("all is well")
}
`

func TestDropLinesLeavesTheProgramAlone(t *testing.T) {
	node := testenv.Node(t)
	dir := t.TempDir()
	raw, out := filepath.Join(dir, "raw.wasm"), filepath.Join(dir, "out.wasm")
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(stressed), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", raw, "main.go")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, text)
	}
	before, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	known := false
	after, err := joinSegments(before, func(image []byte) { known = dropLines(image) })
	if err != nil || !known {
		t.Fatalf("%s writes a table of functions that is not known here: %v", runtime.Version(), err)
	}
	if again, err := joinSegments(after, func(image []byte) { known = dropLines(image) }); err != nil || !known || !bytes.Equal(again, after) {
		t.Errorf("dropping twice is not dropping once: %v, %v", err, known)
	}
	if bytes.Contains(after, []byte("main.deep\x00")) || !bytes.Contains(before, []byte("main.deep\x00")) {
		t.Error("the names of functions are still there, or never were")
	}
	if err := os.WriteFile(out, after, 0o644); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(node, "--stack-size=8192", filepath.Join(goroot(t), "lib/wasm/wasm_exec_node.js"), out)
	run.Env = []string{"PATH=/usr/bin:/bin", "GOGC=5"}
	if text, err := run.CombinedOutput(); err != nil || strings.TrimSpace(string(text)) != "all is well" {
		t.Errorf("the program says %q (%v)", text, err)
	}
}

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestDropLinesLeavesForeignMemoryAlone(t *testing.T) {
	table := make([]byte, 400)
	copy(table[100:], tableHead)
	for name, image := range map[string][]byte{
		"nothing":         {},
		"no table":        make([]byte, 100),
		"only its head":   tableHead,
		"offsets of zero": table,
		"two tables":      append(bytes.Clone(table), table...),
		"wild offsets":    append(append(bytes.Clone(tableHead), bytes.Repeat([]byte{0xFF}, 64)...), make([]byte, 64)...),
	} {
		was := bytes.Clone(image)
		if dropLines(image) || !bytes.Equal(was, image) {
			t.Errorf("%s: taken for a table", name)
		}
	}
}
