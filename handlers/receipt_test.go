package handlers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/store"
)

const receiptOf = "reply-1"

// settledDecision makes a decision on a new ask of the agent, and lets it count.
func settledDecision(t testing.TB, s *sqlStore, workspace, agent string, by store.User, at int64) store.Decision {
	t.Helper()
	made := pendingDecision(t, s, workspace, agent, by, at)
	if _, err := s.Settle(context.Background(), made.Effective); err != nil {
		t.Fatal(err)
	}
	made, err := s.Decision(context.Background(), agent, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// asksOfReceipts are the lines of the ask that is decided, as its agent wrote them.
var asksOfReceipts = []string{
	`{"id":"pay","ts":"2026-11-20T10:00:00Z","type":"sign-off","title":"Pay <them>?","onApprove":["Pay"],"amount":1.50,"attachments":["report.html"]}`,
	`{"id":"pay","ts":"2026-11-20T11:00:00Z","status":"open","title":"Pay <them> all?"}`,
}

func pushAsk(t testing.TB, s *sqlStore, workspace, agent string, at int64, lines ...string) {
	t.Helper()
	var raw [][]byte
	for _, line := range lines {
		raw = append(raw, []byte(line))
	}
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"Closer"},"asks":[%s]}`, workspace, agent, figs.AppendObject(nil, figs.Fold(raw))))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Push(context.Background(), store.Push{Workspace: workspace, Act: store.Act{At: at}, Body: body}); err != nil {
		t.Fatal(err)
	}
}

func pendingDecision(t testing.TB, s *sqlStore, workspace, agent string, by store.User, at int64) store.Decision {
	t.Helper()
	ctx := context.Background()
	for i := range asksOfReceipts {
		pushAsk(t, s, workspace, agent, at-2+int64(i), asksOfReceipts[:i+1]...)
	}
	ask, err := s.Record(ctx, agent, figs.Asks, "pay")
	if err != nil {
		t.Fatal(err)
	}
	line, wrong := figs.Verdict(figs.Fold([][]byte{ask.Fold}), figs.ReplyInput{ID: receiptOf, By: by.Name, TS: "2026-11-20T12:00:00Z", Verdict: "approved", Text: "Go."})
	if wrong != figs.ReplyOK {
		t.Fatal(wrong)
	}
	notes, err := json.Marshal(receipt.Notes{Server: "https://then.example", Workspace: receipt.NamedID{Name: "Then"}, Who: receipt.Decider{Name: by.Name, Email: by.Email},
		Files: []receipt.ShownFile{{Name: "report.html", Opened: []receipt.AttachmentView{{How: "rendered", At: receipt.Time(at)}}, Removed: []receipt.Removal{{What: "scripts", Count: 2}}}}})
	if err != nil {
		t.Fatal(err)
	}
	saw := store.View{Revision: store.RevisionOf(ask), Files: []store.ViewedFile{{Name: "report.html"}}}
	if stored, err := s.FilesByName(ctx, agent, []string{"report.html"}); err == nil && stored["report.html"] != nil {
		saw.Files[0].SHA256 = stored["report.html"].SHA256
	}
	made, err := s.Decide(ctx, store.Act{By: by.ID, At: at}, store.DecisionInput{Workspace: workspace, Agent: agent, Ask: "pay", Line: line, Key: "form-" + by.ID, Saw: saw, Notes: notes})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// receiptRows are the rows of the routes of receipts, for who walks all routes.
func receiptRows(w *town) map[string]hostedRow {
	settledDecision(w.t, w.s, w.acme.ID, acmeAgent, w.people["owner"], hostedNow.UnixMicro())
	at, page := "/w/acme/agents/"+acmeAgent+"/receipts/"+receiptOf, hostedKinds["page"]
	return map[string]hostedRow{
		"GET /.well-known/figs-web-key":                              {"/.well-known/figs-web-key", "", nil, everybody},
		"GET /w/:workspace/decisions":                                {"/w/acme/decisions", "", page, inside},
		"GET /w/:workspace/reports":                                  {"/w/acme/reports", "", page, inside},
		"GET /w/:workspace/reports/:days/:table":                     {"/w/acme/reports/28/decisions", "", page, inside},
		"GET /w/:workspace/agents/:agent/receipts/:key":              {at, "", page, inside},
		"GET /w/:workspace/agents/:agent/receipts/:key/receipt.json": {at + "/receipt.json", "", nil, inside},
	}
}

// bureau is a workspace in which something was decided.
func bureau(t *testing.T, decide func(testing.TB, *sqlStore, string, string, store.User, int64) store.Decision) (*club, *browser, string) {
	c := newClub(t)
	ada := c.person("ada")
	w := c.workspace("acme", ada)
	pushAsk(t, c.store, w.ID, acmeAgent, c.at(), `{"id":"other","type":"question","ts":"2026-11-20T10:00:00Z","title":"?"}`)
	decide(t, c.store, w.ID, acmeAgent, ada, c.at())
	return c, c.as(ada), "/w/acme/agents/" + acmeAgent + "/receipts/" + receiptOf
}

// folderCopy is the agent's folder after its sync, and its attachment.
func folderCopy(t *testing.T, message string) *receipt.Copy {
	f := figs.New(figs.Options{Keep: true})
	f.Feed(figs.ConfigJSON, []byte(`{"agentId":"`+acmeAgent+`"}`))
	f.Feed(figs.Asks, []byte(strings.Join(asksOfReceipts, "\n")+"\n"+`{"id":"pay","status":"resolved"}`))
	f.Feed(figs.Messages, []byte(message))
	f.Finish()
	return receipt.NewCopy(f, func(string) (string, bool) { return "", false })
}

// What a server signs holds against the folder that the agent has, without the server; and its
// bytes are the same whenever it is asked for, whatever people are called by then.
func TestReceipt(t *testing.T) {
	c, b, at := bureau(t, settledDecision)
	file := b.get(at + "/receipt.json")
	if file.StatusCode != http.StatusOK || !strings.HasPrefix(file.Header.Get("Content-Disposition"), "attachment") {
		t.Fatalf("%d %v", file.StatusCode, file.Header)
	}
	r, err := receipt.Read([]byte(file.body))
	if err != nil {
		t.Fatal(err)
	}
	key := c.browser().get("/.well-known/figs-web-key")
	keys, ok := receipt.ParseKeys([]byte(key.body))
	if !ok {
		t.Fatalf("the key is %s", key.body)
	}
	if rep := receipt.Check(r, folderCopy(t, r.Decision.Message), keys); rep.Verdict() != receipt.VerdictSigned || rep.Ask != receipt.MatchSame || rep.Line != 2 || rep.Message != receipt.MatchSame {
		t.Errorf("Check = %+v, %v", rep, rep.Faults())
	}
	sum := sha256.Sum256(r.Ask.Fold)
	if !strings.HasSuffix(r.Ask.Revision, hex.EncodeToString(sum[:])) || r.Server != "https://then.example" || r.Decision.Who.Name != "Ada" {
		t.Errorf("the receipt is %s", file.body)
	}
	audit, err := c.store.Audit(context.Background(), r.Workspace.ID, store.AuditQuery{N: 10})
	c.must(err)
	found := false
	for _, row := range audit {
		found = found || row.Hash == r.Audit.Hash && row.Action == "decision.make"
	}
	if !found {
		t.Errorf("no row of the audit has the hash %s", r.Audit.Hash)
	}

	ada, err := c.store.UserByEmail(context.Background(), "ada@example.org")
	c.must(err)
	c.must(c.store.SetUserName(context.Background(), store.Act{At: c.at()}, ada.ID, "Someone Else"))
	pushAsk(t, c.store, r.Workspace.ID, acmeAgent, c.at(), append(asksOfReceipts, `{"id":"pay","ts":"2026-11-20T13:00:00Z","title":"Pay more?"}`)...)
	c.now = c.now.Add(1 << 40)
	if again := c.as(ada).get(at + "/receipt.json"); !bytes.Equal([]byte(again.body), []byte(file.body)) {
		t.Errorf("the receipt has become\n%swas\n%s", again.body, file.body)
	}
}

func TestReceiptPage(t *testing.T) {
	c, b, at := bureau(t, settledDecision)
	page := b.get(at)
	key := receipt.Key(c.receiptKey(t))
	page.says(t, http.StatusOK).shows(t, "Pay &lt;them&gt; all?", "Go.", key.Fingerprint(), "18:00:10 UTC").has(t, "header h1").part(t, "section.card li p.dots", "receipt-file")
	if !strings.Contains(page.body, at+"/receipt.json") {
		t.Error("no link to the file")
	}
	list := b.get("/w/acme/decisions")
	list.says(t, http.StatusOK).shows(t, "Ada", "Pay &lt;them&gt; all?", "Closer").has(t, "header h1").part(t, "tbody tr", "decisions-row")
	if !strings.Contains(list.body, `href="`+at+`"`) {
		t.Error("the list has no link to the receipt")
	}
	b.get("/w/acme/decisions?after=1.MQ.MQ").says(t, http.StatusOK).part(t, ".list", "decisions-past-end")
}

func (c *club) receiptKey(t *testing.T) string {
	t.Helper()
	seed, _, err := c.store.SigningKey(context.Background(), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return string(receipt.KeyOf(seed))
}

// What does not count has no receipt, and says why.
func TestNoReceipt(t *testing.T) {
	c, b, at := bureau(t, pendingDecision)
	b.get(at).says(t, http.StatusNotFound, "receipt-not-yet")
	b.get(at+"/receipt.json").says(t, http.StatusNotFound, "receipt-not-yet")
	ada, err := c.store.UserByEmail(context.Background(), "ada@example.org")
	c.must(err)
	_, err = c.store.Undo(context.Background(), store.Act{By: ada.ID, At: c.at()}, acmeAgent, receiptOf)
	c.must(err)
	b.get(at).says(t, http.StatusNotFound, "receipt-undone")
	b.get(at+"x").says(t, http.StatusNotFound, "receipt-none")
	b.get("/w/acme/decisions").says(t, http.StatusOK).part(t, ".nothing", "decisions-none")
}

// An ask whose versions are not what they were has no receipt: better none than a wrong one.
func TestReceiptOfDamage(t *testing.T) {
	c, b, at := bureau(t, settledDecision)
	c.h.Store = &damaged{sqlStore: c.store}
	if got := b.get(at + "/receipt.json"); got.StatusCode != http.StatusInternalServerError || strings.Contains(got.body, "Pay") {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
}

// damaged is a store in which a version of every ask is not what it was.
type damaged struct{ *sqlStore }

func (d *damaged) Record(ctx context.Context, agent string, file figs.File, id string) (*store.Record, error) {
	r, err := d.sqlStore.Record(ctx, agent, file, id)
	if err == nil && file == figs.Asks {
		r.Trail[1].Line = []byte(`{"id":"pay","title":"Pay nobody?"}`)
	}
	return r, err
}

// Everybody of the workspace finds the fingerprint to compare others with.
func TestKeyInSettings(t *testing.T) {
	c, b, _ := bureau(t, settledDecision)
	b.get("/w/acme/settings/policy").says(t, http.StatusOK).shows(t, receipt.Key(c.receiptKey(t)).Fingerprint()).has(t, "#key")
}
