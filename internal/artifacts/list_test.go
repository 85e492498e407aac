package artifacts_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/artifacts"
)

// record writes a sound record; more are members, such as `"replaces":"art_1"`, in place of those of the same name.
func record(id string, more ...string) string {
	members := []string{`"version":1`, `"id":"` + id + `"`, `"channel":"design"`, `"kind":"file"`, `"path":"out/` + id + `"`,
		`"recordPath":"` + artifacts.Dir + "/" + id + `.json"`, `"targetAvailable":true`, `"createdAt":"2026-11-20T09:00:00Z"`, `"updatedAt":"2026-11-20T09:00:00Z"`,
		`"producer":{"workId":"w1","kind":"task"}`, `"status":"active"`}
	for _, m := range more {
		key, _, _ := strings.Cut(m, ":")
		members = slices.DeleteFunc(members, func(old string) bool { return strings.HasPrefix(old, key+":") })
		members = append(members, m)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// read reads records by their ids; their order is that of the ids.
func read(t *testing.T, records map[string]string) *artifacts.Channels {
	t.Helper()
	r := artifacts.New()
	for id, content := range records {
		path := artifacts.Dir + "/" + id + ".json"
		if !r.See(path) {
			t.Fatalf("See(%q) = false", path)
		}
		r.Give(path, []byte(content))
	}
	r.Finish("")
	return r.State()
}

func ids(list []*artifacts.Record) string {
	var all []string
	for _, r := range list {
		all = append(all, r.ID)
	}
	return strings.Join(all, " ")
}

func TestList(t *testing.T) {
	at := func(time string) string { return `"createdAt":"` + time + `"` }
	by := func(producer string) string { return `"producer":{` + producer + `}` }
	c := read(t, map[string]string{
		"a": record("a", at("2026-11-18T09:00:00Z"), by(`"workId":"w1","kind":"task","taskId":"t1"`)),
		"b": record("b", at("2026-11-20T09:00:00Z"), `"replaces":"a"`, by(`"workId":"w2","parentWorkId":"w1","kind":"task"`)),
		"c": record("c", at("2026-11-20T10:00:00+02:00"), `"channel":"patch"`, by(`"runId":"w3","session":"s1"`)),
		"d": record("d", at("2026-11-20T09:00:00Z"), `"status":"deleted"`),
		"e": record("e", at("yesterday"), `"status":"weird"`),
	})
	for _, test := range []struct {
		about  string
		filter artifacts.Filter
		want   string
	}{
		{"what stands, newest first, those without a time at the end", artifacts.Filter{}, "b c e"},
		{"all; of one time the last file first", artifacts.Filter{All: true}, "d b c a e"},
		{"active is the default", artifacts.Filter{Status: "active"}, "b c e"},
		{"superseded by another", artifacts.Filter{Status: "superseded"}, "a"},
		{"deleted", artifacts.Filter{Status: "deleted"}, "d"},
		{"another status", artifacts.Filter{Status: "weird"}, ""},
		{"channel", artifacts.Filter{Channel: "patch"}, "c"},
		{"work", artifacts.Filter{Work: "w3"}, "c"},
		{"parent work", artifacts.Filter{Parent: "w1"}, "b"},
		{"task, hidden", artifacts.Filter{Task: "t1"}, ""},
		{"task, all", artifacts.Filter{Task: "t1", All: true}, "a"},
		{"session", artifacts.Filter{Session: "s1"}, "c"},
		{"since a time", artifacts.Filter{Since: "2026-11-20T08:30:00Z"}, "b"},
		{"since a day", artifacts.Filter{Since: "2026-11-20"}, "b c"},
		{"since a riddle", artifacts.Filter{Since: "lately"}, "b c e"},
		{"limit", artifacts.Filter{All: true, Limit: 2}, "d b"},
	} {
		if got := ids(c.List(test.filter)); got != test.want {
			t.Errorf("%s: List(%+v) = %q, want %q", test.about, test.filter, got, test.want)
		}
	}
	// Whoever puts Channels together without a reader gets the same.
	if got := ids((&artifacts.Channels{Records: c.Records}).List(artifacts.Filter{})); got != "b c e" {
		t.Errorf("List of a literal = %q", got)
	}
}

func TestChain(t *testing.T) {
	replaces := func(id string) string { return `"replaces":"` + id + `"` }
	c := read(t, map[string]string{
		"a": record("a"), "b": record("b", replaces("a")), "c": record("c", replaces("b")), "d": record("d", replaces("b")), "e": record("e", replaces("d")),
		"x": record("x", replaces("y")), "y": record("y", replaces("x")), "z": record("z", replaces("z")),
	})
	for no, want := range map[int][]int{0: nil, 1: {1, 2, 3, 4, 5}, 2: {1, 2, 3, 4, 5}, 3: {1, 2, 3}, 4: {1, 2, 4, 5}, 5: {1, 2, 4, 5}, 6: {6}, 7: {7}, 8: {8}, 9: nil} {
		if got := c.Chain(no); !slices.Equal(got, want) {
			t.Errorf("Chain(%d) = %v, want %v", no, got, want)
		}
	}
	if all := c.Competing(); len(all) != 1 || all[0].ID != "b" || all[0].No != 2 || !slices.Equal(all[0].Revisions, []int{3, 4}) {
		t.Errorf("Competing() = %+v", all)
	}
	if got := c.Rivals(4); !slices.Equal(got, []int{3}) {
		t.Errorf("Rivals(4) = %v, want 3", got)
	}
	if got := ids(c.List(artifacts.Filter{})); got != "z y x e c" {
		t.Errorf("List = %q, want what stands, and all of a circle", got)
	}
	if ch := c.Channels; len(ch) != 1 || ch[0].Competing != 1 || ch[0].Active != 5 || ch[0].Records != 8 || !slices.Equal(ch[0].Heads, []int{8, 7, 6, 5, 3}) {
		t.Errorf("Channels = %+v", ch)
	}
}

func TestSee(t *testing.T) {
	r := artifacts.New()
	for path, want := range map[string]bool{
		artifacts.Dir + "/art_1.json": true, artifacts.Dir + "/a/art_1.json": false, artifacts.Dir + "/.art_1.json": false, artifacts.Dir + "/art_1.JSON": false,
		artifacts.Dir + "/": false, artifacts.Dir: false, "x/" + artifacts.Dir + "/a.json": false, ".flue-runtime/artifacts/files/a.json": false,
	} {
		if got := r.See(path); got != want {
			t.Errorf("See(%q) = %v, want %v", path, got, want)
		}
	}
}
