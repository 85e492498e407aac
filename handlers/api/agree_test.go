package api_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/handlers/api"
)

// number is one of an answer.
func (d *desk) number(v any) int {
	d.t.Helper()
	n, err := v.(json.Number).Int64()
	d.ok(err)
	return int(n)
}

// TestAnswersAgree holds answers to each other: a filter gives what says of itself that it passes,
// and what is counted is what is listed.
func TestAnswersAgree(t *testing.T) {
	d := newDesk(t)
	number := d.number
	needs := 0
	for _, agent := range d.get(acme + "/agents")["items"].([]any) {
		a := agent.(map[string]any)
		counts, address := a["counts"].(map[string]any), d.agent(a["key"].(string))
		needs += number(counts["needs"])
		for tab, count := range map[string]string{"needs": "needs", "waiting": "waiting", "closed": "closed", "": "asks"} {
			page := d.get(address + "/asks?n=200&state=" + tab)
			for _, item := range page["items"].([]any) {
				if got := item.(map[string]any)["state"].(map[string]any)["tab"]; tab != "" && got != tab {
					t.Errorf("%s: an ask of %v is among %s", address, got, tab)
				}
			}
			if number(page["total"]) != number(counts[count]) {
				t.Errorf("%s has %v %s asks and counts %v", address, page["total"], tab, counts[count])
			}
		}
		for state, count := range map[string]string{"in-flight": "in_flight", "fail": "failed", "warn": "warned", "unknown": "unknown", "ok": "", "": "jobs"} {
			page := d.get(address + "/jobs?n=200&state=" + state)
			for _, item := range page["items"].([]any) {
				if got := item.(map[string]any)["outcome"]; state != "" && got != state {
					t.Errorf("%s: a job of %v is among %s", address, got, state)
				}
			}
			if count != "" && number(page["total"]) != number(counts[count]) {
				t.Errorf("%s has %v %s jobs and counts %v", address, page["total"], state, counts[count])
			}
		}
		if got := number(d.get(address + "/messages")["total"]); got != number(counts["messages"]) {
			t.Errorf("%s has %d replies and counts %v", address, got, counts["messages"])
		}
	}
	inbox := d.get(acme + "/inbox?everybody=1&n=200")
	if listed := len(inbox["items"].([]any)); needs == 0 || listed != needs || number(inbox["needs"]) != needs {
		t.Errorf("the inbox has %d asks and counts %v; the agents count %d", listed, inbox["needs"], needs)
	}
	trends := d.get(acme + "/activity")
	settled := 0
	for _, day := range trends["days"].([]any) {
		for _, outcome := range []string{"ok", "warn", "fail", "unknown"} {
			settled += number(day.(map[string]any)[outcome])
		}
	}
	if settled == 0 || settled != number(trends["jobs"]) || len(trends["days"].([]any)) != 28 {
		t.Errorf("the days sum to %d jobs, the period has %v", settled, trends["jobs"])
	}
}

// TestMine holds lists of everybody's asks to the inbox of who asks: the same ones are theirs.
func TestMine(t *testing.T) {
	d := newDesk(t)
	mine := func(answer map[string]any, list string) (n int) {
		for _, item := range answer[list].([]any) {
			if item.(map[string]any)["mine"] == true {
				n++
			}
		}
		return n
	}
	own := d.number(d.get(acme + "/inbox")["needs"])
	got, claims := mine(d.get(acme+"/inbox?everybody=1&n=200"), "items"), mine(d.get(acme+"/inbox?everybody=1&tab=reported&n=200"), "items")
	if claims == 0 || got == 0 || got+claims != own {
		t.Errorf("of everybody's asks %d are hers, and %d are reported in her name; her own inbox has %d", got, claims, own)
	}
	if mine(d.get(acme+"/activity"), "waits") == 0 {
		t.Error("of what has waited longest nothing is hers")
	}
	others := parse(t, body(t, d.ask("GET", acme+"/inbox?everybody=1&n=200", "val")))
	if got := mine(others, "items"); got != 0 {
		t.Errorf("of a viewer %d asks want something", got)
	}
}

// FuzzAddress asks for any address with any query: the answer is JSON with a status that names no
// fault of the server.
func FuzzAddress(f *testing.F) {
	d := newDesk(f)
	for path := range d.document().Paths {
		for _, address := range d.addresses(path) {
			path, query, _ := strings.Cut(strings.TrimPrefix(address, api.Base), "?")
			f.Add(path, query)
		}
	}
	for _, query := range []string{"q=%22", "q=a*+NOT+(", "q=NEAR(", "from=999999999&n=200", "agent=~", "tab=closed&agent=x&everybody=1", "q=\x00", "days=91&agent=" + d.odd, ";"} {
		f.Add("/workspaces/acme/search", query)
		f.Add("/workspaces/acme/inbox", query)
		f.Add("/workspaces/acme/agents/"+d.odd+"/jobs", query)
	}
	for _, id := range []string{"\x00", "\xff", "..", "a/b", strings.Repeat("x", 1<<12)} {
		f.Add("/workspaces/acme/agents/"+d.odd+"/jobs/~"+base64.RawURLEncoding.EncodeToString([]byte(id)), "")
	}
	f.Fuzz(func(t *testing.T, path, query string) {
		r := httptest.NewRequest("GET", public+api.Base, nil)
		r.URL = &url.URL{Scheme: "https", Host: "figs.example", Path: api.Base + path, RawQuery: query}
		r.Header.Set("Authorization", "Bearer token-ana")
		w := httptest.NewRecorder()
		d.e.ServeHTTP(w, r)
		isData := w.Header().Get("Content-Type") == "application/octet-stream" && w.Code == http.StatusOK
		if w.Code >= 500 || w.Code == http.StatusUnauthorized || !isData && !json.Valid(w.Body.Bytes()) {
			t.Errorf("%q ? %q = %d %s", path, query, w.Code, fmt.Sprintf("%.300s", w.Body))
		}
	})
}

// TestPagesOfLists walks through lists by next, item by item, and expects what one page of the whole has.
func TestPagesOfLists(t *testing.T) {
	d := newDesk(t)
	for _, address := range []string{acme + "/agents", acme + "/inbox?everybody=1", acme + "/inbox?everybody=1&tab=closed",
		d.agent(d.recon) + "/jobs", d.agent(d.recon) + "/asks", d.agent(d.recon) + "/messages", d.agent(d.recon) + "/files"} {
		whole := d.get(with(address, "n=200"))
		all, walked := whole["items"].([]any), []any(nil)
		for next := any(with(address, "n=1")); next != nil && len(walked) <= len(all); {
			page := d.get(next.(string))
			walked, next = append(walked, page["items"].([]any)...), page["next"]
		}
		if diff := cmp.Diff(all, walked); diff != "" {
			t.Errorf("%s, page by page (-whole +walked):\n%s", address, diff)
		}
		if len(all) < 2 {
			t.Errorf("%s has %d items, which are no test", address, len(all))
		}
	}
	if r := d.ask("GET", acme+"/agents?after=x", "ana"); r.StatusCode != 200 {
		t.Errorf("after a cursor that can't be read: %d, want 200", r.StatusCode)
	}
}
