package handlers

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"testing"
	"testing/fstest"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/store"
)

// A reply goes the whole way: decided on a page, counted, picked up by a sync, brought back by a push,
// cited by the close. Both generations of clients take it, and keep what rides in it.
func TestDelivery(t *testing.T) {
	for _, g := range []client.Generation{client.G12, client.Newer} {
		c := newCouncil(t)
		ctx := context.Background()
		server := httptest.NewServer(c.routes)
		t.Cleanup(server.Close)
		c.must(c.store.AddToken(ctx, store.Act{At: c.at()}, store.Token{ID: store.NewID(), User: c.ada.ID, Name: "t", Hash: store.Hash("secret"), Created: c.at()}))
		agent := client.New(client.Options{Endpoint: server.URL, Token: "secret", Generation: g})
		folder := fstest.MapFS{
			"config.json":        {Data: fmt.Appendf(nil, `{"agentId":%q,"workspaceId":%q}`, ofCouncil, c.acme.ID)},
			"agent.json":         {Data: []byte(`{"name":"Closer"}`)},
			"asks.jsonl":         {Data: []byte(`{"id":"pay","type":"sign-off","title":"Pay?","ts":"2026-11-20T17:00:00Z","attachments":["bill.txt"],"onApprove":["Pay"],"status":"open"}` + "\n")},
			"artifacts/bill.txt": {Data: []byte("12.50 EUR")},
		}
		push := func() {
			t.Helper()
			c.wait(time.Minute)
			_, err := agent.Push(ctx, folder, "")
			c.must(err)
		}
		push()
		f, err := c.store.File(ctx, ofCouncil, "bill.txt")
		c.must(err)
		bo := c.as(c.bo)
		bo.get("/v/acme/"+f.SHA256+".txt").says(t, 200).shows(t, "12.50")
		c.wait(time.Second)
		revision := bo.get(askPages + "pay").form().Get("revision")
		if got := bo.post(askPages+"pay/viewed", "revision", revision, "file", f.SHA256+" bill.txt"); got.StatusCode != 204 {
			t.Fatalf("the bill does not count as viewed: %d", got.StatusCode)
		}
		c.decide(bo, "pay", "verdict", "approved", "text", "Fine.").leads(t, askPages+"pay")
		id := c.pending("pay").ID
		is := func(want string) {
			t.Helper()
			d, err := c.store.Delivery(ctx, ofCouncil, id)
			c.must(err)
			if got := fmt.Sprintf("%v %v %v %v %s", d.Recorded > 0, d.PickedUp > 0, d.Confirmed > 0, d.Closed > 0, d.Run); got != want {
				t.Errorf("delivery is %s, want %s", got, want)
			}
		}
		if _, added, err := agent.Sync(ctx, ofCouncil, nil); err != nil || added != 0 {
			t.Errorf("what does not count was handed out: %d, %v", added, err)
		}
		is("true false false false ")
		c.wait(10 * time.Second)
		tagged, err := agent.Messages(ctx, ofCouncil, "")
		c.must(err)
		is("true true false false ")
		handed, err := c.store.Delivery(ctx, ofCouncil, id)
		c.must(err)
		c.wait(time.Hour)
		if again, err := agent.Messages(ctx, ofCouncil, tagged.Tag); err != nil || !again.NotModified {
			t.Errorf("again: %+v, %v", again, err)
		}
		ledger, added, err := agent.Sync(ctx, ofCouncil, nil)
		c.must(err)
		event := figs.Fold([][]byte{bytes.TrimSpace(ledger)})
		if added != 1 || event.Get("id").Text() != id || event.Get("verdict").Text() != "approved" || !bytes.Contains(event.Get("reviewed").Raw, []byte(f.SHA256)) {
			t.Fatalf("synced %d: %s", added, ledger)
		}
		if d, err := c.store.Delivery(ctx, ofCouncil, id); err != nil || d.PickedUp != handed.PickedUp {
			t.Errorf("it was handed out at %d, and then at %d", handed.PickedUp, d.PickedUp)
		}
		folder["messages.jsonl"] = &fstest.MapFile{Data: ledger}
		push()
		is("true true true false ")
		folder["runs.jsonl"] = &fstest.MapFile{Data: []byte(`{"id":"paying","eventId":"e1","ts":"2026-11-20T20:00:00Z","title":"Pay","state":"settled","status":"ok","result":"paid"}` + "\n")}
		folder["asks.jsonl"].Data = fmt.Appendf(folder["asks.jsonl"].Data, `{"id":"pay","status":"resolved","resolution":{"answer":%q,"run":"paying","via":"app","by":"Bo","ts":"2026-11-20T20:00:00Z"}}`+"\n", id)
		push()
		is("true true true true paying")
		bo.get(askPages+"pay").says(t, 200).shows(t, "Fine.").has(t, "ol.thread .is-ok", "ol.thread .chip.is-verified")
	}
}
