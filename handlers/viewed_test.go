package handlers

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/components/pagetest"
)

// What was sent to a page does not count as viewed; what was read there to its end does, for that person alone.
// A report that is forged, replayed, stale or too early is refused and changes nothing.
func TestViewed(t *testing.T) {
	c := newCouncil(t)
	bo, ada := c.as(c.bo), c.as(c.ada)
	viewed := func(n string) {
		t.Helper()
		if got := bo.get(askPages + "send").viewed(t); got != n {
			t.Errorf("%q are viewed, want %s", got, n)
		}
	}
	refused := func(got answer, status int, name string) {
		t.Helper()
		got.says(t, status, name)
		viewed("0")
	}
	refused(c.view(bo, "report.html"), 409, "viewed-too-early") // it was never sent
	c.send(ada, "report.html")
	c.wait(time.Minute)
	refused(c.view(bo, "report.html"), 409, "viewed-too-early") // to somebody else
	c.send(bo, "report.html")
	refused(c.view(bo, "report.html"), 409, "viewed-too-early") // just now
	viewed("0")
	c.wait(time.Second)
	form := []string{"revision", bo.get(askPages + "send").form().Get("revision"), "file", c.hash["report.html"] + " report.html"}
	bo.headers = map[string]string{"Sec-Fetch-Site": "cross-site"}
	refused(bo.post(askPages+"send/viewed", form...), 403, "post-without-proof")
	bo.headers = nil
	viewed("0")
	for _, other := range [][]string{
		{"revision", form[1], "file", c.hash["rows.csv"] + " report.html"}, {"revision", form[1], "file", c.hash["report.html"] + " rows.csv"}, {"revision", form[1]},
		{"revision", "1.1.0.x", "file", form[3]}, {"revision", form[1], "file", form[3], "file", form[3]}, append(form[:4:4], "part", "part-100"), append(form[:4:4], "part", "part-0"), append(form[:4:4], "part", "part-062"), append(form[:4:4], "part", "62"),
	} {
		refused(bo.post(askPages+"send/viewed", other...), 409, "viewed-out-of-date")
	}
	refused(c.view(bo, "rows.csv"), 409, "viewed-too-early") // it is never shown
	if got := c.view(bo, "report.html", "part", "part-62"); got.StatusCode != 204 {
		t.Errorf("a part: %d", got.StatusCode)
	}
	viewed("0")
	if got := bo.post(askPages+"send/viewed", form...); got.StatusCode != 204 || got.body != "" {
		t.Errorf("read to its end: %d %s", got.StatusCode, got.words())
	}
	viewed("1")
	if got := bo.post(askPages+"send/viewed", form...); got.StatusCode != 204 { // a second tab
		t.Errorf("once more: %d", got.StatusCode)
	}
	viewed("1")
	if n := ada.get(askPages + "send").viewed(t); n != "0" {
		t.Errorf("what Bo viewed counts for Ada: %s", n)
	}
	c.push(`"asks":[{"id":"send","ts":"2026-11-20T18:30:00Z","need":"Look again.","status":"open"}]`)
	bo.post(askPages+"send/viewed", form...).says(t, 409, "viewed-out-of-date")
	c.as(c.cy).post(askPages+"send/viewed", form...).says(t, 403)
}

// viewed is how many attachments of its ask a page says that its person has viewed.
func (a answer) viewed(t *testing.T) string {
	t.Helper()
	var n string
	for _, counted := range pagetest.All(pagetest.Parse(t, a.body), "#decide [data-viewed]") {
		n = pagetest.Text(counted)
	}
	return n
}

// A page that shows one file alone counts, where somebody opened it for an ask by a link of ours.
func TestOpenedAlone(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	const alone = "/w/acme/agents/" + ofCouncil + "/files/report.html"
	ways := func() (ways []string) {
		t.Helper()
		list, err := c.store.AttachmentViews(context.Background(), c.acme.ID, c.bo.ID, []string{c.hash["report.html"]})
		c.must(err)
		for _, o := range list {
			ways = append(ways, o.How)
		}
		return ways
	}
	bo.get(alone).says(t, 200)
	for _, headers := range []map[string]string{{"Sec-Fetch-Site": "cross-site"}, {"Sec-Purpose": "prefetch"}} {
		bo.headers = headers
		bo.get(alone+"?for=send").says(t, 200)
	}
	bo.headers = nil
	bo.get("/w/acme/agents/"+ofCouncil+"/files/rows.csv?for=send").says(t, 200)
	bo.get(alone+"?for=send&view=lens").says(t, 200)
	if got := ways(); len(got) != 0 {
		t.Errorf("noted %q", got)
	}
	if page := bo.get(askPages + "send"); !strings.Contains(page.body, alone+"?for=send") {
		t.Errorf("the page does not lead there: %s", page.body)
	}
	bo.get(alone+"?for=send").says(t, 200, "viewed-alone").has(t, "a[href="+askPages+"send]")
	if got := ways(); len(got) != 1 || got[0] != "alone" {
		t.Errorf("noted %q", got)
	}
	if n := bo.get(askPages + "send").viewed(t); n != "1" {
		t.Errorf("%s of 2 are viewed", n)
	}
}
