package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// pattern is how something comes to an address that is no person at a page of ours.
type pattern struct {
	method  string
	headers []string // "Name: value"
	form    string   // sent as a form
	query   string   // behind the address
}

// patterns are links that are followed, looked at and loaded ahead, programs that read mail, and
// forms of pages elsewhere. The session's cookie comes with all of them, which is more than most
// could have.
func patterns(form string) (list []pattern) {
	const foreign, here = "Origin: https://evil.example", "Origin: " + hostedAt
	for _, method := range []string{"GET", "HEAD", "OPTIONS"} {
		for _, headers := range [][]string{
			nil,
			{"Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document", "Sec-Fetch-User: ?1"},
			{"Sec-Fetch-Site: same-origin", "Sec-Purpose: prefetch", "Purpose: prefetch"},
			{"Sec-Fetch-Site: same-origin", "Sec-Purpose: prefetch;prerender", "Sec-Fetch-Dest: iframe"},
			{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"},
			{"Sec-Fetch-Site: same-origin", "X-HTTP-Method-Override: POST", "X-Method-Override: POST", "X-HTTP-Method: POST"},
			{"User-Agent: Mozilla/5.0 (compatible; SafeLinks)", "X-Forwarded-For: 203.0.113.9"},
			{"Authorization: Bearer token-owner"},
		} {
			list = append(list, pattern{method, headers, "", form}, pattern{method, headers, "", "_method=POST&" + form}, pattern{method, headers, form, ""})
		}
	}
	for _, headers := range [][]string{
		nil, {foreign}, {"Origin: null"}, {"Referer: " + hostedAt + "/w/acme"}, {foreign, "Sec-Fetch-Site: cross-site"}, {here, "Sec-Fetch-Site: cross-site"},
		{here, "Sec-Fetch-Site: same-site"}, {here, "Sec-Fetch-Site: none"}, {"Origin: null", "Sec-Fetch-Site: cross-site"}, {"Origin: " + hostedAt + ".evil.example"},
		{"Origin: " + strings.Replace(hostedAt, "http:", "https:", 1)}, {"Origin: " + strings.TrimSuffix(hostedAt, "0")}, {here, foreign},
		{here, "Sec-Fetch-Site: "}, {"Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"}, {"Sec-Fetch-Site: Same-Origin"}, {"Sec-Fetch-Site: same-origin, cross-site"},
		{here, "Sec-Purpose: prefetch"}, {"Sec-Fetch-Site: same-origin", "Purpose: prefetch"},
		{"Authorization: Bearer token-owner"}, {"Authorization: Bearer token-owner", foreign},
	} {
		list = append(list, pattern{"POST", headers, form, ""}, pattern{"POST", headers, "", form}, pattern{"POST", headers, form, form})
	}
	for _, method := range []string{"PUT", "PATCH", "DELETE", "LINK", "PROPFIND", "QUERY"} {
		list = append(list, pattern{method, []string{here, "Sec-Fetch-Site: same-origin"}, form, form})
	}
	return list
}

func (w *town) fire(p pattern, address, who string) int {
	w.t.Helper()
	if p.query != "" {
		address += "?" + p.query
	}
	r := httptest.NewRequest(p.method, hostedAt+address, strings.NewReader(p.form))
	if p.form != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, header := range p.headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Add(name, value)
	}
	r.Header.Set("Cookie", w.h.Auth.Cookie+"=session-"+who)
	ctx, leave := context.WithCancel(r.Context())
	defer leave()
	answer := &leaving{httptest.NewRecorder(), leave}
	w.routes.ServeHTTP(answer, r.WithContext(ctx))
	return answer.Code
}

// decided is whatever of deciding there is in the town.
func (w *town) decided() (found []string) {
	w.t.Helper()
	ctx := context.Background()
	for _, x := range []store.Workspace{w.acme, w.other} {
		pending, err := w.s.PendingIn(ctx, x.ID)
		w.ok(err)
		for i := range pending {
			found = append(found, "a decision: "+string(pending[i].Line))
		}
	}
	for _, agent := range []string{acmeAgent, otherAgent} {
		said, err := w.s.Messages(ctx, agent)
		w.ok(err)
		for i := range said {
			found = append(found, "a reply: "+string(said[i].Line))
		}
		claims, err := w.s.Claims(ctx, agent, "send", 0)
		w.ok(err)
		if len(claims) > 0 {
			found = append(found, "a claim")
		}
		for role, u := range w.people {
			if _, err := w.s.Draft(ctx, u.ID, agent, "send"); !errors.Is(err, store.ErrNotFound) {
				found = append(found, "a draft of the "+role)
			}
			if until, err := w.s.Snoozed(ctx, u.ID, agent, "send", 0); until != 0 || err != nil {
				found = append(found, "a snooze of the "+role)
			}
		}
	}
	return found
}

// scanForm is a form that would decide, keep a draft, claim and put off, wherever it is sent.
func (w *town) scanForm() string {
	w.t.Helper()
	rec, err := w.s.Record(context.Background(), acmeAgent, figs.Asks, "send")
	w.ok(err)
	return url.Values{
		"key": {"scan"}, "revision": {store.RevisionOf(rec).String()}, "chosen": {"Yes"}, "text": {"decided by a program"}, "verdict": {"answer"},
		"for": {"on"}, "until": {"1h"}, "id": {"x"}, "remark": {"### Comment 1: the request"}, "remark-text": {"x"}, "remark-do": {"remove 1"}, "next": {"1"},
	}.Encode()
}

// TestNothingIsDecidedByItself fires at every address of the server everything that comes without
// a person pressing a button, in the name of the owner, with a form that would decide.
func TestNothingIsDecidedByItself(t *testing.T) {
	w := newTown(t)
	form, rows := w.scanForm(), hostedRows(w)
	all, before := patterns(form), len(w.decided()) // what rows of receipts stand on
	addresses := map[string]bool{}
	for _, route := range w.routes.Routes() {
		if strings.HasPrefix(route.Method, "echo_") {
			continue
		}
		method := route.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		if row, ok := rows[method+" "+route.Path]; ok {
			addresses[row.address] = true
		} else {
			t.Errorf("%s %s has no row, and so no address to fire at", route.Method, route.Path)
		}
	}
	for address := range addresses {
		if address == "/sign-out" || address == "/settings/sessions/end" {
			continue // what they end, the others need; the next test has them
		}
		address, _, _ = strings.Cut(address, "?")
		for i := range all {
			w.fire(all[i], address, "owner")
		}
		if found := w.decided(); len(found) != before {
			t.Fatalf("firing at %s left %q", address, found)
		}
	}
	if code := w.fire(pattern{"GET", nil, "", ""}, "/w/acme", "owner"); code != http.StatusOK {
		t.Errorf("the session has ended meanwhile, so that nothing was shown: %d", code)
	}
	for _, address := range []string{"/sign-out", "/settings/sessions/end"} {
		for i := range all {
			w.fire(all[i], address, "owner")
		}
	}
	if found := w.decided(); len(found) != before {
		t.Errorf("it left %q", found)
	}
}

// The control: the same form does decide when a page of ours sends it, by either proof.
func TestProofDecides(t *testing.T) {
	const at = "/w/acme/agents/" + acmeAgent + "/asks/send"
	for _, headers := range [][]string{{"Sec-Fetch-Site: same-origin"}, {"Origin: " + hostedAt}, {"Sec-Fetch-Site: same-origin", "Origin: null"}} {
		for _, action := range []string{"/decide", "/draft", "/remark", "/claim", "/snooze"} {
			w := newTown(t)
			if code := w.fire(pattern{"POST", headers, w.scanForm(), ""}, at+action, "owner"); code != http.StatusSeeOther {
				t.Errorf("%s with %v = %d", action, headers, code)
			}
			if len(w.decided()) != 1 {
				t.Errorf("%s with %v left %q", action, headers, w.decided())
			}
		}
	}
	w := newTown(t)
	r := w.fire(pattern{"POST", nil, w.scanForm(), ""}, at+"/decide", "owner")
	if r != http.StatusForbidden {
		t.Errorf("without a proof: %d", r)
	}
	for _, action := range []string{"/decide", "/draft", "/remark", "/undo", "/claim", "/snooze", "/viewed"} {
		for _, method := range []string{"GET", "HEAD", "PUT"} {
			if code := w.fire(pattern{method, nil, "", w.scanForm()}, at+action, "owner"); code != http.StatusMethodNotAllowed {
				t.Errorf("%s %s = %d", method, action, code)
			}
		}
	}
	got := w.ask("POST", at+"/decide", "", "x=1")
	if got.StatusCode != http.StatusSeeOther {
		t.Errorf("signed out: %d", got.StatusCode)
	}
}

// No credential of an agent decides, whatever it is sent with, nor once it has kept a draft that says
// what to decide.
func TestTokensDecideNothing(t *testing.T) {
	const at = "/w/acme/agents/" + acmeAgent + "/asks/send"
	w := newTown(t)
	form := w.scanForm()
	w.tokensDecideNothing(at, form)
	if found := w.decided(); len(found) > 0 {
		t.Errorf("they left %q", found)
	}
	if r := w.ask("POST", "/api/v1/workspaces/acme/agents/"+acmeAgent+"/asks/send/drafts", "token-owner", `{"chosen":"Yes","text":"decided by a program"}`); r.StatusCode != http.StatusCreated {
		t.Fatalf("a draft = %d %s", r.StatusCode, text(t, r))
	}
	w.tokensDecideNothing(at, form)
	for _, patience := range []time.Duration{0, store.UndoWindow * time.Microsecond, 365 * 24 * time.Hour} {
		_, err := w.s.Settle(context.Background(), hostedNow.Add(patience).UnixMicro())
		w.ok(err)
		if found := w.decided(); len(found) != 1 || found[0] != "a draft of the owner" {
			t.Errorf("after %v the draft has become %q", patience, found)
		}
	}
}

// tokensDecideNothing sends every form of an ask's page with every token.
func (w *town) tokensDecideNothing(at, form string) {
	w.t.Helper()
	for _, action := range []string{"/decide", "/draft", "/remark", "/undo", "/claim", "/snooze", "/viewed"} {
		for _, token := range []string{"token-owner", "token-viewer", "token-foreign"} {
			r := w.ask("POST", at+action, token, form)
			if r.StatusCode != http.StatusUnauthorized {
				w.t.Errorf("%s as %s = %d", action, token, r.StatusCode)
			}
		}
	}
}
