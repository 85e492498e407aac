package pagetest

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"
)

// Messages is a golden file of what pages tell people. A test names the case, such as "invite-used"; the words of all
// cases are in the file alone, so that a sentence which is rewritten changes one line there.
type Messages struct {
	path   string
	update *bool // write the file instead of comparing with it

	mutex     sync.Mutex
	want, got map[string]string
}

// OpenMessages reads the file of a package's messages: the name of each case on a line, its words indented below it.
func OpenMessages(path string, update *bool) *Messages {
	m := &Messages{path: path, update: update, want: map[string]string{}, got: map[string]string{}}
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		panic(err)
	}
	name := ""
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSuffix(line, "\n")
		if words, indented := strings.CutPrefix(line, "\t"); !indented {
			name = line
		} else if m.want[name] == "" {
			m.want[name] = words
		} else {
			m.want[name] += "\n" + words
		}
	}
	return m
}

// Told is what a page tells the person who reads it: its heading, and what is wrong, what was done, or what to know before
// going on; with none of these, the text below the heading of a page without a frame. Without a heading it is the whole
// page; of an answer to a program it is the error.
func Told(t testing.TB, page string) []string {
	t.Helper()
	var program struct{ Error string }
	if json.Unmarshal([]byte(page), &program) == nil {
		return []string{program.Error}
	}
	root := Parse(t, page)
	if len(All(root, "h1")) == 0 {
		return Lines(root)
	}
	var told []*html.Node
	for n := range root.Descendants() {
		if slices.ContainsFunc(telling, func(selector string) bool { return Matches(n, selector) }) {
			told = append(told, n)
		}
	}
	if lines := Lines(told...); len(lines) > 1 {
		return lines
	}
	return Lines(append(told, All(root, ".page-alone p.lede")...)...)
}

var telling = []string{"h1", ".fault", ".done", "p.notice", ".deciding-why", "[role=alert]"}

// Check holds what a page tells to a case. A page that tells nothing fails, and so do two messages of one case: -update
// writes neither.
func (m *Messages) Check(t testing.TB, name string, lines []string) {
	t.Helper()
	m.mutex.Lock()
	defer m.mutex.Unlock()
	got := strings.Join(lines, "\n")
	if earlier, ok := m.got[name]; got == "" || ok && earlier != got {
		t.Errorf("%s tells\n%s\nwhere it told\n%s", name, got, earlier)
		return
	}
	m.got[name] = got
	if want := m.want[name]; !*m.update && want != got {
		t.Errorf("%s tells\n%s\nwant, from %s,\n%s\n(if the words are meant, run with -update and look at the change)", name, got, m.path, want)
	}
}

// Close writes the file with -update. After a run of all tests it reports cases that no test named.
func (m *Messages) Close() error {
	whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == "" && !testing.Short()
	if !*m.update {
		for name := range m.want {
			if _, used := m.got[name]; whole && !used {
				return fmt.Errorf("%s: no test names the case %s", m.path, name)
			}
		}
		return nil
	}
	if !whole {
		for name, words := range m.want {
			if _, ok := m.got[name]; !ok {
				m.got[name] = words
			}
		}
	}
	var names []string
	for name := range m.got {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		b.WriteString(name + "\n\t" + strings.ReplaceAll(m.got[name], "\n", "\n\t") + "\n")
	}
	return os.WriteFile(m.path, []byte(b.String()), 0o644)
}
