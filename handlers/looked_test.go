package handlers

import (
	"context"
	"testing"
)

// What was sent to a person in a frame, and what they downloaded whole, is noted, and nothing else is. Being sent
// does not count as viewed.
func TestLooked(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	report, rows := c.hash["report.html"], c.hash["rows.csv"]
	opened := func() (ways []string) {
		t.Helper()
		list, err := c.store.AttachmentViews(context.Background(), c.acme.ID, c.bo.ID, []string{report, rows})
		c.must(err)
		for _, o := range list {
			ways = append(ways, o.Ext+" "+o.How)
		}
		return ways
	}
	for _, address := range []string{"/v/acme/" + report + ".txt", "/v/acme/" + rows + ".csv", "/v/acme/" + report + ".html/" + report + ".html", "/a/acme/" + report + "/other.html", askPages + "send"} {
		bo.get(address)
	}
	bo.send("HEAD", "/a/acme/"+rows+"/rows.csv", "")
	bo.headers = map[string]string{"Sec-Purpose": "prefetch"}
	bo.get("/v/acme/" + report + ".html")
	for _, headers := range []map[string]string{{"Sec-Purpose": "prefetch;prerender"}, {"Purpose": "prefetch"}, {"X-Moz": "prefetch"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": "document"}} {
		bo.headers = headers
		bo.get("/a/acme/"+rows+"/rows.csv").says(t, 200)
	}
	bo.headers = map[string]string{"Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none"}
	bo.get("/v/acme/" + report + ".html")
	bo.headers = nil
	c.as(c.ada).get("/v/acme/" + report + ".html")
	if got := opened(); len(got) != 0 {
		t.Errorf("noted %q", got)
	}
	for _, view := range []string{"source", "text", "rendered", "source"} {
		bo.get("/v/acme/"+report+".html?view="+view).says(t, 200)
		c.now = c.now.Add(1)
	}
	bo.get("/a/acme/"+rows+"/rows.csv").says(t, 200)
	if got := opened(); len(got) != 4 {
		t.Errorf("noted %q", got)
	}
	if n := bo.get(askPages + "send").viewed(t); n != "1" {
		t.Errorf("%s attachments are viewed, want 1", n)
	}
}
