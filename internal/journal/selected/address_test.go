package selected_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/figs-web/figs-web/internal/journal"
)

var longID = strings.Repeat("long/", 100)

// askLines are asks whose ids are plain, like a number, unlike any URL, too long for one, repeated, and missing.
var askLines = []string{
	`{"id":"3","ts":"2026-11-17T08:00:00Z","type":"question","title":"Has a number as its id","attachments":["a b.txt"]}`,
	`{"id":"send/it ✓","ts":"2026-11-17T09:00:00Z","type":"question","title":"Odd","run":"close"}`,
	`{"id":"plain","ts":"2026-11-17T10:00:00Z","type":"question","title":"Plain"}`,
	`{"ts":"2026-11-17T11:00:00Z","type":"question","title":"Without an id"}`,
	`{"id":"` + longID + `","ts":"2026-11-17T12:00:00Z","type":"question","title":"Long"}`,
	`{"id":"../x","ts":"2026-11-17T12:30:00Z","type":"question","title":"Climbs","attachments":["b.txt"]}`,
	`{"id":"plain","ts":"2026-11-18T10:00:00Z","detail":"More"}`,
}

func folderOf(asks []string, jobs string) fstest.MapFS {
	return fstest.MapFS{".figs/asks.jsonl": &fstest.MapFile{Data: []byte(strings.Join(asks, "\n") + "\n")}, ".figs/runs.jsonl": &fstest.MapFile{Data: []byte(jobs)}}
}

const closeJob = `{"id":"close","ts":"2026-11-17T08:00:00Z","title":"Close"}` + "\n"

// TestAddressesStay tests that the address of a record shows the same record after the agent has written more, in a copy whose
// lines are in another order, and at every earlier point at which there is the record.
func TestAddressesStay(t *testing.T) {
	ctx := context.Background()
	before := openDir(t, folderOf(askLines[:6], closeJob), ".figs")
	list, err := before.page(t, "/1/asks").Asks(ctx, "1", journal.Query{})
	if err != nil || len(list.Items) != 6 {
		t.Fatal(list, err)
	}
	more := append([]string{`{"id":"other","ts":"2026-11-16T08:00:00Z","type":"question","title":"Other","attachments":["new.txt"]}`}, askLines...)
	after := openDir(t, folderOf(append(append([]string{}, askLines...), more[0]), closeJob), ".figs")
	moved := openDir(t, folderOf(more, `{"id":"first","ts":"2026-11-16T08:00:00Z"}`+"\n"+closeJob), ".figs")
	show := func(l *openFolder, path string) (title string) {
		t.Helper()
		j := l.page(t, path)
		key := strings.Split(strings.Split(path, "?")[0], "/")[3]
		ask, err := j.Ask(ctx, "1", key)
		if errors.Is(err, journal.ErrNotFound) {
			return ""
		}
		if err != nil {
			t.Fatal(err)
		}
		if at := j.Canonical(path); at != path {
			t.Errorf("%s leads on to %s", path, at)
		}
		return ask.Ask.Title
	}
	seen := map[string]bool{}
	for _, ask := range list.Items {
		path := "/1/asks/" + ask.Key
		if seen[ask.Key] || len(ask.Key) > 420 || strings.ContainsAny(ask.Key, "/ %#?✓") {
			t.Errorf("%q has the key %q", ask.Ask.Title, ask.Key)
		}
		seen[ask.Key] = true
		if got := show(before, path); got != ask.Ask.Title {
			t.Errorf("%s shows %q, want %q", path, got, ask.Ask.Title)
		}
		if got := show(after, path); got != ask.Ask.Title {
			t.Errorf("%s shows %q once more was written, want %q", path, got, ask.Ask.Title)
		}
		if !strings.HasPrefix(ask.Key, "~.") {
			if got := show(moved, path); got != ask.Ask.Title {
				t.Errorf("%s shows %q in another copy, want %q", path, got, ask.Ask.Title)
			}
		}
		for _, at := range []string{"1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0", "1.7.0", "1.8.0"} {
			if got := show(after, path+"?at="+at); got != ask.Ask.Title && got != "" {
				t.Errorf("%s shows %q at %s, want %q or nothing", path, got, at, ask.Ask.Title)
			}
		}
		if got := show(after, path+"?at=1.6.0"); got != ask.Ask.Title {
			t.Errorf("%s shows %q at 1.6.0, want %q", path, got, ask.Ask.Title)
		}
	}
}

// TestAddressesWithNumbers tests the addresses of earlier versions, and those that lead nowhere.
func TestAddressesWithNumbers(t *testing.T) {
	ctx := context.Background()
	l := openDir(t, folderOf(askLines, closeJob), ".figs")
	for path, want := range map[string]string{
		"/1/asks/1": "/1/asks/3", "/1/asks/2?at=1.6.0": "/1/asks/~c2VuZC9pdCDinJM?at=1.6.0", "/1/asks/3": "/1/asks/3", "/1/asks/6/why": "/1/asks/~Li4veA/why",
		"/1/asks/4": "/1/asks/~.4", "/1/asks/~.4": "/1/asks/~.4", "/1/asks/~.3": "/1/asks/plain", "/1/asks/5": "/1/asks/~.5", "/1/jobs/1": "/1/jobs/close", "/1/jobs/close": "/1/jobs/close",
		"/1/files/1": "/1/files/~YSBiLnR4dA", "/1/files/2": "/1/files/b.txt", "/1/files/b.txt": "/1/files/b.txt", "/1/share/2": "/1/share/~c2VuZC9pdCDinJM",
		"/1/asks": "/1/asks", "/1/asks?n=5": "/1/asks?n=5", "/": "/", "/1": "/1", "/1/files": "/1/files", "/rules/line_torn": "/rules/line_torn",
		"/1/asks/99": "/1/asks/99", "/1/asks/0": "/1/asks/0", "/1/asks/nowhere": "/1/asks/nowhere", "/1/asks/~": "/1/asks/~", "/1/files/nowhere": "/1/files/nowhere",
	} {
		if got := l.page(t, path).Canonical(path); got != want {
			t.Errorf("%s leads to %s, want %s", path, got, want)
		}
	}
	for _, key := range []string{"99", "0", "nowhere", "~", "~.", "~.0", "~.-1", "~.99", "", "~_w", "~" + strings.Repeat("A", 5000)} {
		path := "/1/asks/" + key
		if ask, err := l.page(t, path).Ask(ctx, "1", key); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("%s shows %v, %v", path, ask, err)
		}
	}
	j := l.page(t, "/1/asks/3")
	if ask, err := j.Ask(ctx, "1", "plain"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("the page of one ask answers for another: %v, %v", ask, err)
	}
}
