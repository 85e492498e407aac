package artifacts_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/kind"
)

const between = "\n----\n"

// FuzzReader holds the reader to a plain reading of the same records: whatever they hold, in whatever order they come.
func FuzzReader(f *testing.F) {
	for v := range figstest.KindVectors() {
		var records []string
		size := 0
		for p, content := range v.Tree {
			if strings.HasPrefix(p, artifacts.Dir) {
				records, size = append(records, string(content)), size+len(content)
			}
		}
		if slices.Sort(records); size > 0 && size < 1<<16 {
			f.Add([]byte(strings.Join(records, between)))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		contents := bytes.Split(data, []byte(between))
		if len(contents) > 12 {
			contents = contents[:12]
		}
		report, c := readAll(contents, false)
		backwards, d := readAll(contents, true)
		if !reflect.DeepEqual(report, backwards) || !reflect.DeepEqual(c, d) {
			t.Fatalf("the order of records plays a part:\n%+v\n%+v", report, backwards)
		}
		checkPlaces(t, report, contents)
		plain := plainly(contents)
		malformed := map[string]bool{}
		for _, f := range report.Findings {
			malformed[f.File] = malformed[f.File] || f.Code == figs.RecordMalformed
		}
		for i := range contents {
			if file := fileOf(contents, i); (plain[i] == nil) != malformed[file] {
				t.Errorf("%q: malformed is %v, a plain reading is %v", contents[i], malformed[file], plain[i])
			}
		}
		for i := range c.Records {
			r := &c.Records[i]
			n := slices.IndexFunc(contents, func(content []byte) bool { return len(content) > 0 && &content[0] == &r.Raw[0] })
			if plain[n] != nil && utf8.Valid(r.Raw) {
				comparePlain(t, r, plain[n])
			}
			if p := r.Target.Path; p != "" && (path.Clean(p) != p || strings.HasPrefix(p, "/") || strings.HasPrefix(p+"/", "../")) {
				t.Errorf("the target of %q is %q", r.Path, p)
			}
		}
		compareRevisions(t, c)
		compareWorks(t, c)
	})
}

// fileOf names a record by what it says of itself where that is simple, so that revisions find each other.
func fileOf(contents [][]byte, i int) string {
	var plain struct{ ID string }
	if json.Unmarshal(contents[i], &plain) == nil && plain.ID != "" && !strings.ContainsAny(plain.ID, "/\x00") && len(plain.ID) < 50 {
		return fmt.Sprintf("%s/%s.%d.json", artifacts.Dir, plain.ID, i)
	}
	return fmt.Sprintf("%s/%d.json", artifacts.Dir, i)
}

func readAll(contents [][]byte, backwards bool) (*figs.Report, *artifacts.Channels) {
	r := artifacts.New()
	order := make([]int, len(contents))
	for i := range order {
		order[i] = i
	}
	for _, i := range order {
		r.See(fileOf(contents, i))
	}
	if backwards {
		slices.Reverse(order)
	}
	for _, i := range order {
		r.Give(fileOf(contents, i), contents[i])
	}
	for n, p := range r.Targets() {
		r.Look(p, kind.Target{State: kind.State(n % 5), Size: int64(n), Dir: n%3 == 0, Detail: "a detail"})
	}
	return r.Finish(""), r.State()
}

// checkPlaces holds every finding to a place that there is.
func checkPlaces(t *testing.T, report *figs.Report, contents [][]byte) {
	for _, f := range report.Findings {
		i := slices.IndexFunc(contents, func(content []byte) bool { return bytes.Equal(content, contentOf(contents, f.File)) })
		if i < 0 {
			t.Fatalf("%+v is about no record", f)
		}
		lines := bytes.Split(contents[i], []byte("\n"))
		if f.Line < 0 || f.Line > len(lines) || f.Line > 0 && f.Column > len(lines[f.Line-1])+1 || f.Message == "" || f.Hint == "" {
			t.Errorf("%+v stands nowhere, or says nothing", f)
		}
	}
}

func contentOf(contents [][]byte, file string) []byte {
	for i := range contents {
		if fileOf(contents, i) == file {
			return contents[i]
		}
	}
	return []byte("no such record")
}

// plainly reads records with encoding/json; nil is no JSON object.
func plainly(contents [][]byte) []map[string]any {
	all := make([]map[string]any, len(contents))
	for i, content := range contents {
		if json.Unmarshal(content, &all[i]) != nil {
			all[i] = nil
		}
	}
	return all
}

func comparePlain(t *testing.T, r *artifacts.Record, plain map[string]any) {
	producer, _ := plain["producer"].(map[string]any)
	work := word(producer, "workId")
	if work == "" {
		work = word(producer, "runId")
	}
	for _, c := range [][3]string{
		{"id", r.ID, word(plain, "id")}, {"channel", r.Channel, word(plain, "channel")}, {"kind", r.Kind, word(plain, "kind")},
		{"path", r.Path, word(plain, "path")}, {"title", r.Title, word(plain, "title")}, {"status", r.Status, word(plain, "status")},
		{"replaces", r.Replaces, word(plain, "replaces")}, {"createdAt", r.Created, word(plain, "createdAt")}, {"work", r.Producer.Work, work},
		{"parentWorkId", r.Producer.ParentWork, word(producer, "parentWorkId")},
	} {
		if c[1] != c[2] {
			t.Errorf("%s = %q, a plain reading has %q", c[0], c[1], c[2])
		}
	}
	for _, list := range []struct {
		name string
		got  int
	}{{"tags", len(r.Tags)}, {"parentArtifactIds", len(r.Parents)}} {
		items, _ := plain[list.name].([]any)
		texts := 0
		for _, item := range items {
			if _, ok := item.(string); ok {
				texts++
			}
		}
		if list.got != texts {
			t.Errorf("%d %s, a plain reading has %d", list.got, list.name, texts)
		}
	}
}

func word(object map[string]any, key string) string {
	s, _ := object[key].(string)
	return s
}

// compareRevisions walks from each record up, step by step, as the definition has it.
func compareRevisions(t *testing.T, c *artifacts.Channels) {
	up := func(r *artifacts.Record) *artifacts.Record {
		if r.Replaces == "" || r.Replaces == r.ID {
			return nil
		}
		old := c.Named(r.Replaces)
		if old == r {
			return nil
		}
		return old
	}
	superseded := map[int]bool{}
	for i := range c.Records {
		r := &c.Records[i]
		circled := false
		for at, n := up(r), 0; at != nil && n <= len(c.Records); at, n = up(at), n+1 {
			circled = circled || at == r
		}
		want := 0
		if old := up(r); old != nil && !circled {
			want = old.No
			superseded[want] = true
		}
		if r.ReplacesNo != want {
			t.Errorf("record %d replaces %d, want %d", r.No, r.ReplacesNo, want)
		}
		if chain := c.Chain(r.No); !slices.Contains(chain, r.No) || len(chain) > len(c.Records) {
			t.Errorf("Chain(%d) = %v", r.No, chain)
		}
	}
	for i := range c.Records {
		r := &c.Records[i]
		if want := superseded[r.No] || r.Status == "superseded"; r.Superseded != want {
			t.Errorf("record %d: superseded is %v, want %v", r.No, r.Superseded, want)
		}
	}
	for n, competition := range c.Competitions {
		for _, no := range competition.Revisions {
			if c.Record(no).Replaces != competition.ID || c.Record(no).Competition != n+1 || len(competition.Revisions) < 2 {
				t.Errorf("%+v, and record %d replaces %q", competition, no, c.Record(no).Replaces)
			}
		}
	}
}

// compareWorks wants each record that names its work in the tree once, and parents before their children.
func compareWorks(t *testing.T, c *artifacts.Channels) {
	want, got := 0, 0
	for i := range c.Records {
		if c.Records[i].Producer.Work != "" {
			want++
		}
	}
	begun := map[int]bool{}
	for i, w := range c.Works {
		got += len(w.Records)
		if begun[i] != (w.Depth > 0) {
			t.Errorf("work %q of depth %d: it is a child is %v", w.ID, w.Depth, begun[i])
		}
		for _, child := range w.Children {
			if child <= i || begun[child] {
				t.Errorf("work %q has the child %d, which stands before it or is another's", w.ID, child)
			}
			begun[child] = true
		}
	}
	if got != want {
		t.Errorf("the tree has %d records, want %d", got, want)
	}
}
