package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// lived are pushes of one agent: a job that begins, an ask that is raised, answered, raised again and closed, and one whose
// times lie: what counts is when it arrived.
var lived = []struct{ runs, asks, messages []string }{
	{runs: []string{`{"id":"j1","ts":"2026-11-01T09:00:00Z","state":"in-flight","result":"begun"}`}},
	{asks: []string{`{"id":"a1","ts":"2026-11-01T09:10:00Z","type":"sign-off","title":"Send it","run":"j1","found":"x","need":"y","to":"manager","status":"open","attachments":["report.md"]}`}},
	{messages: []string{`{"id":"m1","ts":"2026-11-01T09:20:00Z","kind":"verdict","ask":"a1","verdict":"changes-requested","by":"Ana","text":"Shorter."}`}},
	{asks: []string{`{"id":"a1","ts":"2026-11-01T09:30:00Z","type":"sign-off","title":"Send it, shorter","run":"j1","found":"x","need":"y","to":"manager","status":"open"}`},
		runs: []string{`{"id":"j0","ts":"2020-01-01T00:00:00Z","result":"came late, is old","status":"warn"}`}},
	{messages: []string{`{"id":"m2","ts":"2026-11-01T09:40:00Z","kind":"verdict","ask":"a1","verdict":"approved","by":"Ana"}`}},
	{asks: []string{`{"id":"a1","ts":"2026-11-01T09:50:00Z","type":"sign-off","title":"Send it, shorter","run":"j1","found":"x","need":"y","to":"manager","status":"resolved","resolution":{"ts":"2026-11-01T09:50:00Z","by":"Ana","answer":"m2"}}`},
		runs: []string{`{"id":"j1","ts":"2026-11-01T09:55:00Z","state":"settled","status":"fail","result":"done"}`}},
}

// TestAsOf holds what the API says of a moment to what it said at that moment, after every push.
func TestAsOf(t *testing.T) {
	d := newDesk(t)
	const agent = "0d4f2a3c-1111-4222-8333-0000000000aa"
	base := d.agent(agent)
	addresses := []string{"/jobs", "/jobs?state=in-flight", "/asks", "/asks?state=needs", "/asks?state=closed&n=1", "/messages", "/messages?n=1", "/jobs/j1", "/jobs/j0", "/asks/a1"}
	type answer struct {
		status int
		body   map[string]any
	}
	look := func(address string) answer {
		r := d.ask(http.MethodGet, base+address, "ana")
		defer r.Body.Close()
		if r.StatusCode != http.StatusOK {
			return answer{status: r.StatusCode}
		}
		body := d.get(base + address)
		if next, ok := body["next"].(string); ok { // it goes on as it began
			if strings.Contains(address, "at=") != strings.Contains(next, "at=") {
				t.Errorf("%s goes on at %s", address, next)
			}
			delete(body, "next")
		}
		forgetAsked(body) // nobody is asked of what was
		return answer{r.StatusCode, body}
	}
	said := map[string]answer{}
	var moments []time.Time
	for _, push := range lived {
		d.push(d.acme, agent, "", push.runs, push.asks, push.messages)
		moments = append(moments, d.now)
		for _, address := range addresses {
			said[d.now.Format(time.RFC3339)+address] = look(address)
		}
		d.now = d.now.Add(90 * time.Minute)
	}
	for _, at := range moments {
		for _, later := range []time.Duration{0, time.Hour} { // nothing arrived in between
			for _, address := range addresses {
				want := said[at.Format(time.RFC3339)+address]
				then := url.QueryEscape(at.Add(later).Format(time.RFC3339))
				between := "?"
				if strings.Contains(address, "?") {
					between = "&"
				}
				got := look(address + between + "at=" + then)
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(answer{})); diff != "" {
					t.Errorf("%s as of %s, from what it was (-was +as of):\n%s", address, at.Add(later), diff)
				}
			}
		}
	}
	if got := look("/jobs?at=2026-11-19").body["total"]; fmt.Sprint(got) != "0" {
		t.Errorf("%v jobs had arrived before the first push", got)
	}
	if day := look("/jobs?at=" + d.now.Format("2006-01-02")).body["total"]; fmt.Sprint(day) != "2" {
		t.Errorf("%v jobs had arrived by the end of the day of the last push", day)
	}
	for _, address := range []string{"/jobs?at=tomorrow", "/jobs?at=12.5.3", "/jobs?at=2026-11-20&q=x", "/findings?at=2026-11-20", "/files?at=2026-11-20"} {
		if got := look(address); got.status != http.StatusBadRequest {
			t.Errorf("%s is answered with %d", address, got.status)
		}
	}
}

// forgetAsked takes who is asked out of an answer.
func forgetAsked(x any) {
	switch x := x.(type) {
	case map[string]any:
		delete(x, "asked_of")
		for _, inner := range x {
			forgetAsked(inner)
		}
	case []any:
		for _, inner := range x {
			forgetAsked(inner)
		}
	}
}
