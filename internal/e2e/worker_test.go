package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/client"
)

const workerID = "5c0e9a52-4f0e-4d0f-9a8e-2f3b1c0d7e11"

// worker is an agent at its work: it writes its own folder, line by line, and where it has a
// client pushes it and syncs replies down.
type worker struct {
	t      testing.TB
	dir    string // the folder .figs
	client *client.Client
	space  string    // id of the workspace
	last   time.Time // of its newest line: lines of one agent never tie here
}

// newWorker begins a folder in which a statement is to be sent, and its job.
func newWorker(t testing.TB) *worker {
	t.Helper()
	w := &worker{t: t, dir: filepath.Join(t.TempDir(), "statements", ".figs"), last: time.Now().Add(-time.Hour)}
	w.must(os.MkdirAll(filepath.Join(w.dir, "artifacts"), 0o755))
	w.write("agent.json", `{"name":"Statements","department":"Finance Ops","role":"Sends statements","mandate":"Sends every customer the statement of the month.","status":"live"}`)
	w.write("config.json", fmt.Sprintf(`{"agentId":%q}`, workerID))
	w.line("runs.jsonl", `{"id":"send-2026-10","title":"Statements of October","state":"in-flight","trigger":"month end","note":"Reading the ledger"}`)
	return w
}

// pushes lets the agent push to a server.
func (w *worker) pushes(s *hostedServer) {
	w.client, w.space = client.New(client.Options{Endpoint: s.address, Token: s.token}), s.workspace
}

func (w *worker) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *worker) write(name, text string) {
	w.t.Helper()
	w.must(os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o644))
}

// line appends a line to a ledger as clients do, with a time of its own.
func (w *worker) line(ledger, text string) {
	w.t.Helper()
	w.last = w.last.Add(time.Second)
	if now := time.Now(); w.last.Before(now) && ledger != "runs.jsonl" {
		w.last = now
	}
	f, err := os.OpenFile(filepath.Join(w.dir, ledger), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	w.must(err)
	stamped := strings.Replace(text, "{", fmt.Sprintf(`{"ts":%q,`, w.last.UTC().Format("2006-01-02T15:04:05Z")), 1)
	_, err = f.WriteString(stamped + "\n")
	w.must(err)
	w.must(f.Close())
}

func (w *worker) attach(name, content string) {
	w.t.Helper()
	w.write(filepath.Join("artifacts", name), content)
}

// raise puts the statement to a human, or puts it again.
func (w *worker) raise(files, steps []string) {
	w.t.Helper()
	attachments, _ := json.Marshal(files)
	motion, _ := json.Marshal(steps)
	w.line("asks.jsonl", fmt.Sprintf(`{"id":"statement","type":"sign-off","status":"open","title":"Send the October statement to Acme","found":"31 keys need the customer to respond.","need":"Approve sending the statement as attached.","run":"send-2026-10","attachments":%s,"onApprove":%s}`, attachments, motion))
}

// push publishes the folder.
func (w *worker) push() {
	w.t.Helper()
	r, err := w.client.Push(context.Background(), os.DirFS(w.dir), w.space)
	w.must(err)
	if len(r.Failed) > 0 || len(r.Missing) > 0 {
		w.t.Fatalf("the push left out %v, and lacks %v", r.Failed, r.Missing)
	}
}

// sync brings replies down into the folder, and returns how many were new.
func (w *worker) sync() int {
	w.t.Helper()
	ledger, err := os.ReadFile(filepath.Join(w.dir, "messages.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	grown, added, err := w.client.Sync(context.Background(), workerID, ledger)
	w.must(err)
	w.write("messages.jsonl", string(grown))
	return added
}

// replies are the events that the agent finds in its folder.
func (w *worker) replies() (all []map[string]any) {
	w.t.Helper()
	ledger, err := os.ReadFile(filepath.Join(w.dir, "messages.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	for line := range bytes.SplitSeq(ledger, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var event map[string]any
		if err := json.Unmarshal(line, &event); err != nil {
			w.t.Fatalf("messages.jsonl holds %q: %v", line, err)
		}
		all = append(all, event)
	}
	return all
}

// newest is the reply that came last; it must be of that verdict.
func (w *worker) newest(verdict string) map[string]any {
	w.t.Helper()
	all := w.replies()
	if len(all) == 0 || all[len(all)-1]["verdict"] != verdict {
		w.t.Fatalf("the agent's folder holds %v, want %q as the last", all, verdict)
	}
	return all[len(all)-1]
}

// close acts on a reply, as a client does: it cites it.
func (w *worker) close(reply map[string]any) {
	w.t.Helper()
	w.line("runs.jsonl", `{"id":"send-2026-10","title":"Statements of October","state":"settled","status":"ok","result":"Sent to Acme; 31 keys marked as disputed."}`)
	w.line("asks.jsonl", fmt.Sprintf(`{"id":"statement","status":"resolved","resolution":{"via":"figs","answer":%q,"by":%q,"ts":%q,"note":"Sent as approved.","run":"send-2026-10"}}`,
		reply["id"], reply["by"], w.last.Add(time.Second).UTC().Format("2006-01-02T15:04:05Z")))
}

// The two versions of what is to be approved.
const (
	firstStatement  = `<!doctype html><title>x</title><h1>Acme Corp, October 2026</h1><p>2,192 keys read, 2,161 matched.</p><script>document.title="sent"</script><table><tr><th>Class<th>Amount<tr><td>Needs review<td>$50,442.63</table>`
	secondStatement = `<!doctype html><title>x</title><h1>Acme Corp, October 2026, with delivery numbers</h1><p>2,192 keys read, 2,161 matched.</p><table><tr><th>Class<th>Delivery<th>Amount<tr><td>Needs review<td>D-7<td>$50,442.63</table>`
	brief           = "# Brief\n\nThe statement goes to ap@acme.example.\n\nIt names 31 keys.\n"
)

var (
	firstSteps  = []string{"Email the statement to ap@acme.example (cannot be undone)", "Mark the 31 keys as disputed"}
	secondSteps = []string{"Email the statement to ap@acme.example (cannot be undone)", "Mark the 31 keys as disputed", "Open a ticket for every key"}
)

// begin raises the statement for the first time.
func (w *worker) begin() {
	w.t.Helper()
	w.attach("statement.html", firstStatement)
	w.attach("brief.md", brief)
	w.raise([]string{"statement.html", "brief.md"}, firstSteps)
}

// again raises it with what was asked for.
func (w *worker) again() {
	w.t.Helper()
	w.attach("statement-v2.html", secondStatement)
	w.raise([]string{"statement-v2.html", "brief.md"}, secondSteps)
}
