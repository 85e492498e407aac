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
		answer{body: body}.has(t, "aside.as-of a[data-step=back]", "aside.as-of a[data-step=on]", "aside.as-of a[data-step=now]").part(t, "aside.as-of .as-of-words", "past-as-of")
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
	// The case is what the banner of the page says of the point.
	banner := func(page, point, name string) answer {
		t.Helper()
		return w.get(pastAt(page, point), "viewer").part(t, "aside.as-of .as-of-words", name)
	}
	banner("/asks/send", "1", "past-line-1").says(t, 404, "past-not-there").has(t, "a[data-step=now]")
	banner("/jobs/close", "0", "past-before-all").says(t, 404, "past-not-there")
	banner("/jobs/nothing", "2", "past-as-of").says(t, 404, "past-not-there")
	banner("/jobs", "tomorrow", "past-no-point").says(t, 200).shows(t, "done again")
	banner("/jobs", "999", "past-beyond").says(t, 200).shows(t, "done again")
	banner("/jobs", "2100-01-01", "past-future-day").says(t, 200)
	banner("/jobs", "2.1.0", "past-everything").says(t, 200)
	banner("/time", "999", "past-beyond").says(t, 200)
	banner("/search", "1", "past-search").says(t, 200)
	banner("/jobs", "2026-11-20", "past-today").says(t, 200)
	banner("/jobs", "2026-11-19", "past-before-all").says(t, 200)
	banner("/step", "0", "past-before-all").says(t, 404, "past-not-there")
	for _, page := range []string{"/time", "/step", "/waits"} {
		w.get(pastAgent+page, "viewer").shows(t, "Closer").lacks(t, "a[data-step=now]")
	}
	w.get(pastAgent, "viewer").has(t, "a[href="+pastAgent+"/time]")
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
		ask + "/remark": w.reply("remark-file=/request&remark-comment=x"), pastAgent + "/assign": "manager=&builder=", pastAgent + "/archive": "archived=1", pastAgent + "/erase?kind=run&key=close": "why=x"} {
		between := "?"
		if strings.Contains(address, "?") {
			between = "&"
		}
		w.post(address+between+"at=1", "owner", form).says(t, 400, "past-decides-nothing")
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
		w.get(address, "viewer").says(t, 422, "agent-too-large").shows(t, "figs-web open").has(t, "header.frame-head nav.tabs")
	}
	w.get(pastAgent+"/findings", "viewer").says(t, 200).shows(t, "Closer")
}

// What is erased is gone from every point of the past.
func TestPastErased(t *testing.T) {
	w := living(t)
	w.get(pastAt("/jobs/close", "1"), "viewer").shows(t, "done")
	w.sends(pastAgent+"/erase?kind=run&key=close", "owner", "why=a+secret")
	w.never(pastAt("/jobs/close", "1"), "viewer", ">done<").shows(t, "a secret").has(t, ".tombstone")
}
