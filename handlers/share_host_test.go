package handlers

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/sandbox/report"
)

// hostedCopy is the page of a copy of the ask that settledDecision makes, and what its form sends.
func hostedCopy(w *town, who string) (page string, form url.Values) {
	w.t.Helper()
	page = textOf(w.t.(*testing.T), w.ask("GET", "/w/acme/agents/"+acmeAgent+"/share/pay", who, ""))
	form = url.Values{"as": {"zip"}}
	for _, m := range regexp.MustCompile(`name="(seen|receipt)" value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		form.Set(m[1], m[2])
	}
	return page, form
}

func zipFiles(t *testing.T, b string) map[string]string {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatalf("%v: %.300s", err, b)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(content)
	}
	return files
}

// TestShareHosted makes a copy of one ask: with its receipt where the person says so, without what else the agent has, for
// those alone who may export, and never by another list than the one that was looked at.
func TestShareHosted(t *testing.T) {
	w := newTown(t)
	settledDecision(t, w.s, w.acme.ID, acmeAgent, w.people["owner"], hostedNow.UnixMicro())
	at := "/w/acme/agents/" + acmeAgent + "/share/pay"
	page, form := hostedCopy(w, "owner")
	for _, want := range []string{`class="small share-shows"`, `method="post"`, `name="receipt" value="1.`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, `href="/w/acme/agents/`+acmeAgent+`/share"`) || strings.Contains(page, `value="1" checked`) {
		t.Error("the page offers what it does not do, or ticks what shows an address")
	}
	if link := `/share/pay"`; !strings.Contains(textOf(t, w.ask("GET", "/w/acme/agents/"+acmeAgent+"/asks/pay", "owner", "")), link) ||
		strings.Contains(textOf(t, w.ask("GET", "/w/acme/agents/"+acmeAgent+"/asks/pay", "viewer", "")), link) {
		t.Error("the ask's page leads there for those who may not, or not for those who may")
	}
	for _, who := range []string{"viewer", "member"} {
		for _, method := range []string{"GET", "POST"} {
			if answer := w.ask(method, at, who, form.Encode()); answer.StatusCode != 403 {
				t.Errorf("%s %s as a %s = %d", method, at, who, answer.StatusCode)
			}
		}
	}
	for _, absent := range []string{"nothing", "~"} {
		if answer := w.ask("GET", "/w/acme/agents/"+acmeAgent+"/share/"+absent, "owner", ""); answer.StatusCode != 404 {
			t.Errorf("a copy of no ask = %d", answer.StatusCode)
		}
	}

	answer := w.ask("POST", at, "owner", form.Encode())
	files := zipFiles(t, textOf(t, answer))
	if got := answer.Header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") {
		t.Errorf("it is sent as %q", got)
	}
	r, err := receipt.Read([]byte(files["receipt.json"]))
	if err != nil || r.Ask.ID != "pay" {
		t.Fatalf("the receipt in the copy: %v in %v", err, files)
	}
	if strings.Contains(files[".figs/asks.jsonl"], `"id":"send"`) || files[".figs/asks.jsonl"] == "" || !strings.Contains(files["REDACTED.txt"], "Email address, 1") {
		t.Errorf("the copy holds another ask, or does not say what it shows: %v", files)
	}
	rows, err := w.s.Audit(context.Background(), w.acme.ID, store.AuditQuery{N: 1})
	w.ok(err)
	if rows[0].Action != "agent.export" || rows[0].By != w.people["owner"].ID {
		t.Errorf("the audit ends with %+v", rows[0])
	}
	form.Del("receipt")
	files = zipFiles(t, textOf(t, w.ask("POST", at, "owner", form.Encode())))
	if _, there := files["receipt.json"]; there {
		t.Error("a receipt goes along whose tick is taken away")
	}

	pushAsk(t, w.s, w.acme.ID, acmeAgent, hostedNow.UnixMicro()+99, asksOfReceipts[0], asksOfReceipts[1], `{"id":"pay","found":"told to ada.new@example.com"}`)
	answer = w.ask("POST", at, "owner", form.Encode())
	if to := answer.Header.Get("Location"); answer.StatusCode != 303 || !strings.Contains(to, "seen=another") {
		t.Fatalf("a copy by an old list = %d to %q", answer.StatusCode, to)
	} else {
		w.get(to, "owner").says(t, 200, "share-changed")
	}
}

// TestLensKept looks once at what has not changed, anew at what has, keeps no error, and knows no agent of elsewhere.
func TestLensKept(t *testing.T) {
	w := newTown(t)
	ctx, looked := context.Background(), 0
	counting := countingStore{w.s, &looked}
	l := hosted.HiddenTextReader{Store: counting, Workspace: w.acme.ID, Kept: hosted.NewHiddenTextCache()}
	texts := func() string {
		t.Helper()
		readings, err := l.Records(ctx, acmeAgent)
		w.ok(err)
		var b bytes.Buffer
		for _, r := range readings {
			for _, x := range r.Passages {
				b.WriteString(string(x.Way) + " " + x.Plain + "\n")
			}
		}
		readings[0] = report.Reading{} // what is kept is nobody else's to change
		return b.String()
	}
	if first, second := texts(), texts(); first != second || looked != 1 {
		t.Errorf("looked %d times, found %q and %q", looked, first, second)
	}
	pushAsk(t, w.s, w.acme.ID, acmeAgent, hostedNow.UnixMicro()+5, "{\"id\":\"hid\",\"type\":\"question\",\"ts\":\"2026-11-20T10:00:00Z\",\"title\":\"x\U000E0061\U000E0070\U000E0070\"}")
	if got := texts(); !strings.Contains(got, "app") || looked != 2 {
		t.Errorf("after a push it looked %d times and found %q", looked, got)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	fresh := hosted.HiddenTextReader{Store: counting, Workspace: w.acme.ID, Kept: hosted.NewHiddenTextCache()}
	if _, err := fresh.Records(over, acmeAgent); err == nil {
		t.Error("a visit that is over found something")
	}
	if _, err := fresh.Records(ctx, acmeAgent); err != nil {
		t.Errorf("after an error: %v", err)
	}
	if _, err := (hosted.HiddenTextReader{Store: counting, Workspace: "another", Kept: l.Kept}).Records(ctx, acmeAgent); err == nil {
		t.Error("an agent of another workspace is looked through")
	}
}

// countingStore counts how often an agent is read whole.
type countingStore struct {
	*sqlStore
	n *int
}

func (s countingStore) Export(ctx context.Context, workspace, agent string, to store.ExportWriter) error {
	*s.n++
	return s.sqlStore.Export(ctx, workspace, agent, to)
}
