package handlers

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/foldercache"
	"github.com/figs-web/figs-web/internal/store"
)

const pastAgent = "/w/acme/agents/" + acmeAgent

// pastPages are the pages of an agent that show it as it was.
var pastPages = []string{"", "/agent", "/jobs", "/jobs/close", "/jobs/close/why", "/asks", "/asks/send", "/asks/send/why", "/messages", "/files", "/files/report.html", "/findings", "/findings?state=mended", "/waits", "/time", "/time?by=line", "/step"}

// pastAt adds a point to the address of a page.
func pastAt(page, point string) string {
	between := "?"
	if strings.Contains(page, "?") {
		between = "&"
	}
	return pastAgent + page + between + "at=" + point
}

// living is a town whose agent has written a third line: its first two are the past.
func living(t *testing.T) *town {
	w := newTown(t)
	body, err := figs.ReadPush([]byte(`{"workspaceId":"` + w.acme.ID + `","agent":{"id":"` + acmeAgent + `","name":"Closer"},"runs":[{"id":"close","ts":"2026-11-20T11:00:00Z","state":"settled","status":"ok","result":"done again","attachments":["report.html"]}]}`))
	w.ok(err)
	_, err = w.s.Push(context.Background(), store.Push{Workspace: w.acme.ID, Act: store.Act{At: hostedNow.UnixMicro() + 1}, Body: body})
	w.ok(err)
	return w
}

// Every page of an agent shows it at a point, says so, and takes nothing: to whom the page is shown without one, and to nobody else.
func TestPastPages(t *testing.T) {
	w := living(t)
	for _, page := range pastPages {
		at := pastAt(page, "2")
		for i, who := range visitors {
			if got := w.ask(http.MethodGet, at, who, "").StatusCode; got != inside[i] {
				t.Errorf("GET %s as %q = %d, want %d", at, who, got, inside[i])
			}
		}
		body := text(t, w.ask(http.MethodGet, at, "owner", ""))
		_, main, _ := strings.Cut(body, "<main")
		for _, word := range []string{"As of", "Later lines are left out.", "step 2 of 3", "Back to now", "One line back", "One line on"} {
			if !strings.Contains(main, word) {
				t.Errorf("%s does not say %q", at, word)
			}
		}
		for _, word := range []string{`method="post"`, "/erase?", "/assign", "done again"} {
			if strings.Contains(main, word) && (word != "done again" || !strings.HasPrefix(page, "/time")) { // which lists the next lines
				t.Errorf("%s holds %s", at, word)
			}
		}
		for _, link := range strings.Split(main, `href="`+pastAgent)[1:] {
			link, _, _ = strings.Cut(link, `"`)
			back, _, _ := strings.Cut(page, "&amp;at=")
			if !strings.Contains(link, "at=") && strings.ReplaceAll(link, "&amp;", "&") != back && !strings.Contains(link, "/share") {
				t.Errorf("%s leads to %s, which is now", at, link)
			}
		}
	}
}

// Where a page is not there yet, or the point is none, a sentence says so.
func TestPastPoints(t *testing.T) {
	w := living(t)
	status := func(page, point string, want int, words ...string) {
		t.Helper()
		r := w.ask(http.MethodGet, pastAt(page, point), "viewer", "")
		if r.StatusCode != want {
			t.Errorf("%s at %s = %d, want %d", page, point, r.StatusCode, want)
		}
		body := text(t, r)
		for _, word := range words {
			if !strings.Contains(body, word) {
				t.Errorf("%s at %s does not say %q", page, point, word)
			}
		}
	}
	status("/asks/send", "1", 404, "Not there at this point.", "Back to now")
	status("/jobs/close", "0", 404, "Not there at this point.", "Before the first line.")
	status("/jobs/nothing", "2", 404, "Not there at this point.")
	status("/jobs", "tomorrow", 200, "nobody understands", "A point is a day", "done again")
	status("/jobs", "999", 200, "nothing is left out", "done again")
	status("/jobs", "2100-01-01", 200, "nothing is left out")
	status("/jobs", "2.1.0", 200, "nothing is left out")
	status("/time", "999", 200, "nothing is left out", "State now")
	status("/search", "1", 200, "does not look back")
	status("/jobs", "2026-11-20", 200, "nothing is left out")
	status("/jobs", "2026-11-19", 200, "Before the first line.")
	status("/step", "0", 404, "Not there at this point.")
	for _, page := range []string{"/time", "/step", "/waits"} {
		w.shows(pastAgent+page, "viewer", []string{"Closer"}, []string{"Back to now"})
	}
	w.shows(pastAgent, "viewer", []string{pastAgent + "/time"}, nil)
	if got := w.ask(http.MethodGet, strings.Replace(pastAt("/jobs", "1"), acmeAgent, otherAgent, 1), "owner", "").StatusCode; got != 404 {
		t.Errorf("an agent of another workspace = %d", got)
	}
}

// Nothing is decided in the past, whoever sends what.
func TestPastDecidesNothing(t *testing.T) {
	w := living(t)
	before := w.fingerprint()
	ask := pastAgent + "/asks/send"
	for address, form := range map[string]string{ask + "/decide": w.reply("chosen=Yes"), ask + "/draft": w.reply("text=So"), ask + "/claim": "for=on", ask + "/snooze": "until=1h",
		ask + "/quote": w.reply("quote-file=report.html&quote-from=1"), pastAgent + "/assign": "manager=&builder=", pastAgent + "/archive": "archived=1", pastAgent + "/erase?kind=run&key=close": "why=x"} {
		between := "?"
		if strings.Contains(address, "?") {
			between = "&"
		}
		r := w.ask(http.MethodPost, address+between+"at=1", "owner", form)
		if body := text(t, r); r.StatusCode != http.StatusBadRequest || !strings.Contains(body, "Nothing can be decided in the past") {
			t.Errorf("POST %s = %d", address, r.StatusCode)
		}
	}
	if w.fingerprint() != before {
		t.Error("something was changed")
	}
}

// An agent that is too large to be read while somebody waits says so, in its frame, and what else can be done.
func TestPastTooLarge(t *testing.T) {
	w := living(t)
	w.h.Whole = foldercache.New(w.s, w.h.Now, foldercache.Limits{Agent: 1, Total: 1})
	for _, address := range []string{pastAt("/jobs", "1"), pastAgent + "/time", pastAgent + "/waits", pastAgent + "/findings?state=mended"} {
		r := w.ask(http.MethodGet, address, "viewer", "")
		body := text(t, r)
		for _, word := range []string{"has written too much", "figs-web open", "Pages of this agent"} {
			if !strings.Contains(body, word) {
				t.Errorf("%s = %d does not say %q", address, r.StatusCode, word)
			}
		}
		if r.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s = %d", address, r.StatusCode)
		}
	}
	w.shows(pastAgent+"/findings", "viewer", []string{"Closer"}, []string{"has written too much"})
}

// What is erased is gone from every point of the past.
func TestPastErased(t *testing.T) {
	w := living(t)
	w.shows(pastAt("/jobs/close", "1"), "viewer", []string{"done"}, nil)
	w.sends(pastAgent+"/erase?kind=run&key=close", "owner", "why=a+secret")
	w.shows(pastAt("/jobs/close", "1"), "viewer", []string{"a secret", "was erased"}, []string{">done<"})
}
