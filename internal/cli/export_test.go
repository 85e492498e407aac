package cli

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/demo"
	"github.com/figs-web/figs-web/internal/project"
	"github.com/figs-web/figs-web/internal/store"
)

const roundsAgent = "0d4f2a3c-3333-4222-8333-000000000001"

// exported is a reader with a workspace, and a client of it.
type exported struct {
	*testing.T
	dir       string
	workspace store.Workspace
	client    *client.Client
}

func exporting(t *testing.T) *exported {
	t.Helper()
	x := &exported{T: t, dir: filepath.Join(t.TempDir(), "data")}
	data := x.open()
	ctx, now := context.Background(), time.Now().UnixMicro()
	user := store.User{ID: store.NewID(), Email: "ana@example.org", Name: "Ana", Created: now}
	x.workspace = store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme \u202e& Co", Created: now}
	act := store.Act{At: now}
	x.ok(data.Store.AddUser(ctx, act, user))
	x.ok(data.Store.AddWorkspace(ctx, act, x.workspace, user.ID))
	x.ok(data.Store.AddToken(ctx, act, store.Token{ID: store.NewID(), User: user.ID, Name: "t", Hash: store.Hash("figs_t"), Created: now}))
	x.ok(data.Close())
	// Unfolded, so that the trail is the ledger; rounds fold, as older clients do.
	x.client = client.New(client.Options{Endpoint: hostOn(t, x.dir).address, Token: "figs_t", Generation: client.Unfolded})
	return x
}

func (x *exported) ok(err error) {
	x.Helper()
	if err != nil {
		x.Fatal(err)
	}
}

func (x *exported) open() *cmd.Data {
	x.Helper()
	x.ok(os.MkdirAll(x.dir, 0o700))
	data, err := openFolder(context.Background(), x.dir)
	x.ok(err)
	return data
}

// rounds pushes an agent whose asks go through several rounds, folded as clients 1.2 do, with
// replies that are given in the reader.
func (x *exported) rounds() {
	x.Helper()
	ctx := context.Background()
	ingest := func(asks string) {
		x.Helper()
		_, err := x.client.Ingest(ctx, fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"CON: the Closer/…","mandate":"Close"},"asks":[%s]}`, x.workspace.ID, roundsAgent, asks))
		x.ok(err)
	}
	data := x.open()
	defer data.Close()
	reply := func(id, ask, said string, at time.Duration) {
		x.Helper()
		when := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC).Add(at)
		_, err := data.Store.Reply(ctx, store.Act{At: when.UnixMicro()}, roundsAgent, fmt.Appendf(nil, `{"id":%q,"ask":%q,"by":"Ana","ts":%q,"source":"app",%s}`, id, ask, when.Format(time.RFC3339), said))
		x.ok(err)
	}
	signOff := `{"id":%q,"type":"sign-off","title":"Send it","ts":%q,"onApprove":["send"],"need":"a look","found":%q}`
	ingest(fmt.Sprintf(signOff+","+signOff, "a", "2026-11-20T10:00:00Z", "one", "b", "2026-11-20T10:00:00Z", "one"))
	reply("m1", "a", `"kind":"verdict","verdict":"changes-requested","text":"No"`, time.Minute)
	reply("m2", "b", `"kind":"verdict","verdict":"approved"`, time.Minute)
	ingest(fmt.Sprintf(signOff, "a", "2026-11-20T10:05:00Z", "two")) // round 2: the reader keeps what changed alone
	reply("m3", "a", `"kind":"verdict","verdict":"approved"`, 10*time.Minute)
	ingest(fmt.Sprintf(signOff, "a", "2026-11-20T10:15:00Z", "three")) // round 3, of which nobody has decided
	ingest(`{"id":"b","type":"sign-off","title":"Send it","ts":"2026-11-20T10:00:00Z","onApprove":["send"],"need":"a look","found":"one","status":"resolved","resolution":{"via":"figs","answer":"m2","ts":"2026-11-20T10:20:00Z"}}`)
	ingest("{\"id\":\"c\",\n \"type\":\"question\",\r\n \"title\":\"On several lines\", \"ts\":\"2026-11-20T10:00:00Z\"}")
}

// agents are the folders of an export, by the id of their agent.
func (x *exported) export() (fs.FS, map[string]string) {
	x.Helper()
	to := filepath.Join(x.TempDir(), "out")
	if got := run(x.T, "export", "--data", x.dir, "--workspace", "acme", to); got.code != 0 {
		x.Fatalf("export = %d %s", got.code, got.stderr)
	}
	fsys := os.DirFS(to)
	found, _ := folder.Find(fsys)
	dirs := map[string]string{}
	for _, f := range found {
		read, _, err := folder.Read(context.Background(), fsys, f.Dir, figs.Options{}, nil)
		x.ok(err)
		config, ok := figs.ReadConfig(read.Small(figs.ParseFile("config.json")))
		if !ok {
			x.Fatalf("%s has no config.json", f.Dir)
		}
		dirs[config.AgentID] = f.Dir
	}
	return fsys, dirs
}

// What comes out is what the reader shows: without an error, in the same states, and pushed to
// another reader it is the same agent, but for who vouches for its replies.
func TestExport(t *testing.T) {
	x, ctx := exporting(t), context.Background()
	for _, name := range []string{"reconciliation", "payables", "onboarding"} {
		sample, err := demo.Folder(name, x.workspace.ID)
		x.ok(err)
		_, err = x.client.Push(ctx, sample, x.workspace.ID)
		x.ok(err)
	}
	x.rounds()
	fsys, dirs := x.export()
	if len(dirs) != 4 {
		t.Fatalf("%d agents came out, want 4: %v", len(dirs), dirs)
	}
	if dir := dirs[roundsAgent]; dir != "con-the-closer-0d4f2a3c/.figs" {
		t.Errorf("its folder is %q", dir)
	}
	data := x.open()
	defer data.Close()
	second := exporting(t)
	for id, dir := range dirs {
		x.compare(data, fsys, dir, id)
		sub, err := fs.Sub(fsys, dir)
		x.ok(err)
		_, err = second.client.Push(ctx, sub, second.workspace.ID)
		x.ok(err)
		if got := run(t, "doctor", filepath.Dir(dir), "--now", "2026-11-21T00:00:00Z"); got.code > 2 {
			t.Errorf("doctor %s = %d", dir, got.code)
		}
	}
	if _, err := project.ReadFS(ctx, fsys, "export", "2026-11-21T00:00:00Z", nil); err != nil {
		t.Error(err)
	}
	other := second.open()
	defer other.Close()
	for id := range dirs {
		sameAgent(t, data.Store, other.Store, id)
	}
	readme, err := fs.ReadFile(fsys, "README.txt")
	if err != nil || !strings.HasPrefix(string(readme), "Agents of Acme \uFFFD& Co, exported by figs-web on ") {
		t.Errorf("README.txt begins %.80q, %v", readme, err)
	}
}

// compare holds a folder against what the reader shows of the agent.
func (x *exported) compare(data *cmd.Data, fsys fs.FS, dir, id string) {
	x.Helper()
	ctx := context.Background()
	f, report, err := folder.Read(ctx, fsys, dir, figs.Options{Now: "2026-11-21T00:00:00Z"}, nil)
	x.ok(err)
	for _, finding := range report.Findings {
		if finding.Severity == figs.Error {
			x.Errorf("%s: %s line %d: %s", dir, finding.File, finding.Line, finding.Message)
		}
	}
	a, err := data.Store.Agent(ctx, id)
	x.ok(err)
	if got, want := f.Records(figs.Asks), a.Counts.Asks; got != want {
		x.Errorf("%s has %d asks, want %d", dir, got, want)
	}
	if got, want := f.Records(figs.Runs), a.Counts.Jobs; got != want {
		x.Errorf("%s has %d jobs, want %d", dir, got, want)
	}
	for i := range f.Records(figs.Asks) {
		ask := f.ID(figs.Asks, i)
		was, err := data.Store.Record(ctx, id, figs.Asks, ask)
		x.ok(err)
		if is := f.State(i); is.Phase != was.State.Phase || is.Round != was.State.Round {
			x.Errorf("%s %s: phase %v in round %d, the reader shows %v in round %d", dir, ask, is.Phase, is.Round, was.State.Phase, was.State.Round)
		}
		if got, want := len(f.Trail(figs.Asks, i)), was.Versions; got != want {
			x.Errorf("%s %s: %d lines, want %d", dir, ask, got, want)
		}
	}
}

// sameAgent holds what the state hash is over of two stores against each other. By design a reply
// that one reader vouches for is only reported in the other (§6), and its source says so.
func sameAgent(t *testing.T, one, two store.Store, id string) {
	t.Helper()
	ctx := context.Background()
	lines := func(s store.Store) (lines []string) {
		a, err := s.Agent(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(figs.AppendCanonicalObject(nil, figs.Fold([][]byte{a.Charter}))))
		for _, file := range []figs.File{figs.Runs, figs.Asks} {
			page, err := s.Records(ctx, store.RecordQuery{Agent: id, File: file, Slice: store.Slice{N: 200}})
			if err != nil {
				t.Fatal(err)
			}
			folds := map[string]string{}
			for _, r := range page.Items {
				folds[r.ID] = string(figs.AppendCanonicalObject(nil, figs.Fold([][]byte{r.Fold})))
			}
			lines = append(lines, fmt.Sprint(folds)) // sorted by key
		}
		messages, err := s.Messages(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			lines = append(lines, string(figs.AppendCanonicalObject(nil, figs.Fold([][]byte{figs.AppendTranscribed(nil, figs.Fold([][]byte{m.Line}))}))))
		}
		files, err := s.Attachments(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]string{}
		for _, f := range files {
			names[f.Name] = f.SHA256
		}
		return append(lines, fmt.Sprint(names))
	}
	before, after := lines(one), lines(two)
	for i := range max(len(before), len(after)) {
		if i >= len(before) || i >= len(after) || before[i] != after[i] {
			t.Errorf("agent %s differs in line %d:\n%.600s\n%.600s", id, i, strings.Join(before[min(i, len(before)):], "\n"), strings.Join(after[min(i, len(after)):], "\n"))
			return
		}
	}
}
