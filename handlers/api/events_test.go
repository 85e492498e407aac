package api_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// TestEvents follows the feed from page to page: every line and reply is there once.
func TestEvents(t *testing.T) {
	d := newDesk(t)
	const feed = "/api/v1/workspaces/acme/events"
	sentences := func(query string) (all []string, cursor string, more bool) {
		t.Helper()
		page := d.get(feed + query)
		for _, item := range page["items"].([]any) {
			e := item.(map[string]any)
			all = append(all, e["cursor"].(string)+" "+e["agent"].(string)+" "+e["sentence"].(string))
		}
		return all, page["cursor"].(string), page["more"].(bool)
	}
	all, end, more := sentences("?after=0&n=200")
	for more {
		var next []string
		next, end, more = sentences("?n=200&after=" + end)
		all = append(all, next...)
	}
	// As many as trails have lines, and as there are replies.
	want := 0
	for _, agent := range d.get("/api/v1/workspaces/acme/agents")["items"].([]any) {
		key := agent.(map[string]any)["key"].(string)
		for _, list := range []string{"jobs", "asks"} {
			for _, item := range d.get("/api/v1/workspaces/acme/agents/" + key + "/" + list)["items"].([]any) {
				record := d.get("/api/v1/workspaces/acme/agents/" + key + "/" + list + "/" + url.PathEscape(item.(map[string]any)["key"].(string)))
				want += len(record["trail"].([]any))
			}
		}
		want += len(d.get("/api/v1/workspaces/acme/agents/" + key + "/messages")["items"].([]any))
	}
	if len(all) != want || want < 20 {
		t.Errorf("%d events, want one of each of %d lines", len(all), want)
	}
	var paged []string
	for cursor, more := "0", true; more; {
		var some []string
		some, cursor, more = sentences("?n=3&after=" + cursor)
		paged = append(paged, some...)
	}
	if strings.Join(paged, "\n") != strings.Join(all, "\n") {
		t.Errorf("by threes:\n%s\nwant\n%s", strings.Join(paged, "\n"), strings.Join(all, "\n"))
	}
	if last, _, _ := sentences("?n=2"); len(last) != 2 || last[1] != all[len(all)-1] {
		t.Errorf("the last two are %v", last)
	}
	of, _, _ := sentences("?agent=" + d.odd)
	if len(of) == 0 || strings.Contains(strings.Join(of, "\n"), d.recon) {
		t.Errorf("of one agent: %v", of)
	}
	if r := d.ask("GET", feed+"?agent="+d.foreign, "ana"); r.StatusCode != 404 {
		t.Errorf("of another workspace's agent: %d, want 404", r.StatusCode)
	}
	d.push(d.acme, d.odd, `,"manager":"<b>"`, []string{`{"id":"later","ts":"2026-11-20T18:00:00Z","state":"in-flight","result":"Begun"}`}, nil, nil)
	if got, next, more := sentences("?after=" + end); len(got) != 1 || !strings.HasSuffix(got[0], "Job started · later · Begun") || more || next == end {
		t.Errorf("after the next push: %v", got)
	}
	for i := range 3 { // more records than a response is made of
		var runs []string
		for k := range 500 {
			runs = append(runs, fmt.Sprintf(`{"id":"many-%d-%d","ts":"2026-11-20T18:01:00Z"}`, i, k))
		}
		d.push(d.acme, d.odd, "", runs, nil, nil)
	}
	if page := d.get(feed + "?n=200&after=" + end); page["skipped"] != true || page["more"] != true {
		t.Errorf("a jump says skipped %v and more %v, want both", page["skipped"], page["more"])
	}
}
