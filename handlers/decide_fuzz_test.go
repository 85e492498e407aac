package handlers

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
)

// FuzzDecideForm sends a sign-off's form with fields added to those of its page, or in the place of
// all of them. Whatever was sent, no answer is a fault of the server's; and what was decided is what
// the form says, bound to what there is, with everything that an approval waits for.
func FuzzDecideForm(f *testing.F) {
	w := newTown(f)
	ctx := context.Background()
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"Closer"},"asks":[{"id":"gate","ts":"2026-11-20T10:00:00Z","type":"sign-off","title":"Go?","attachments":["report.html"],"onApprove":["Pay (irreversible)","File it"],"options":["Now"],"status":"open"}]}`, w.acme.ID, acmeAgent))
	w.ok(err)
	_, err = w.s.Push(ctx, store.Push{Workspace: w.acme.ID, Act: store.Act{At: hostedNow.UnixMicro()}, Body: body})
	w.ok(err)
	rec, err := w.s.Record(ctx, acmeAgent, figs.Asks, "gate")
	w.ok(err)
	revision, file := store.RevisionOf(rec), reply.File{Name: "report.html", SHA256: w.hash}
	f.Add("verdict=approved&waive=1&reason=so&step=1", true)
	f.Add("verdict=approved&step=1", true)
	f.Add("verdict=approved&waive=1&step=2&waive=2&reason=+", true)
	f.Add("verdict=rejected&text=no&chosen=Now&next=1", true)
	f.Add("verdict=approved&waive=1&reason=so&step=1&file=-+report.html", true)
	f.Add("verdict=changes-requested&text=a%0D%0Ab&key=&file=-+other&revision=0.0.0.x", true)
	f.Add("verdict=approved&waive=1&reason=so&step=1&key=k&revision="+revision.String(), false)
	n := 0
	f.Fuzz(func(t *testing.T, more string, whole bool) {
		n++
		w.t = t
		form := "key=" + fmt.Sprint("fuzz-", n) + "&revision=" + revision.String() + "&file=" + url.QueryEscape(file.Value()) + "&" + more
		if !whole {
			form = more
		}
		r := httptest.NewRequest(http.MethodPost, hostedAt+"/w/acme/agents/"+acmeAgent+"/asks/gate/decide", strings.NewReader(form))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Cookie", w.h.Auth.Cookie+"=session-owner")
		answer := httptest.NewRecorder()
		w.routes.ServeHTTP(answer, r)
		if answer.Code >= 500 {
			t.Fatalf("%q = %d %s", form, answer.Code, answer.Body)
		}
		made, err := w.s.Pending(ctx, acmeAgent, "gate")
		if (err == nil) != (answer.Code == http.StatusSeeOther) {
			t.Fatalf("%q = %d to %q, and there is %v", form, answer.Code, answer.Header().Get("Location"), err)
		}
		if err != nil {
			return
		}
		sent, _ := url.ParseQuery(form)
		read := reply.Read(sent)
		m := figs.ReadMessage(figs.Fold([][]byte{made.Line}))
		if !read.Says(m) || m.By != "The owner" || made.By != w.people["owner"].ID || made.Saw.Revision != revision {
			t.Errorf("%q became %s of %s on %s", form, made.Line, made.By, made.Saw.Revision)
		}
		if !slices.Contains(read.Files, file) || m.Verdict == "approved" && (!slices.Contains(read.Ticked, 1) || len(read.Waived) == 0 || read.Reason == "") {
			t.Errorf("%q passed for %s", form, made.Line)
		}
		_, err = w.s.Undo(ctx, store.Act{By: made.By, At: hostedNow.UnixMicro()}, acmeAgent, made.ID)
		w.ok(err)
		w.ok(w.s.SaveDraft(ctx, store.Draft{Person: made.By, Workspace: w.acme.ID, Agent: acmeAgent, Ask: "gate"}))
	})
}
