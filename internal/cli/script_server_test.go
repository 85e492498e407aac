package cli

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/demo"
	"github.com/figs-web/figs-web/internal/store"
)

// scriptToken is the token of the person of a script's server.
const scriptToken = "figs_script"

type hostedKey struct{}

type hosted struct {
	dir, listen string
	stop        func()
}

// scriptServer is "server [start [SAMPLE...] | stop]". The first start makes a hosted reader over a
// data folder of the script's own: Ana, her workspace acme, her token, and the samples pushed, by
// default reconciliation. It sets REMOTE to its address, TOKEN, FIGS_WEB_TOKEN, WORKSPACE (the id)
// and AGENT (the id of the last sample's). After a stop, start is the same server at the same place.
func scriptServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("unsupported: ! server")
	}
	h, again := ts.Value(hostedKey{}).(*hosted)
	if !again {
		ts.Fatalf("the script has no place for a server")
	}
	if len(args) > 0 && args[0] == "stop" {
		h.stop()
		return
	}
	if h.dir == "" {
		h.dir, h.listen = filepath.Join(ts.Getenv("WORK"), ".data"), "127.0.0.1:0"
		ts.Check(furnish(ts, h.dir))
		h.start(ts)
		if len(args) > 0 {
			args = args[1:]
		}
		if len(args) == 0 {
			args = []string{"reconciliation"}
		}
		push(ts, args)
		return
	}
	h.start(ts)
}

// start serves, and waits until the address is known.
func (h *hosted) start(ts *testscript.TestScript) {
	ctx, cancel := context.WithCancel(context.Background())
	stdout, stderr, ended := &written{}, &written{}, make(chan int, 1)
	said := make(chan struct{}, 1)
	go func() {
		ended <- Main(ctx, cmd.Env{
			Args: []string{"--agent", "serve", "--data", h.dir, "--addr", h.listen}, Stdout: heard{stdout, func() {
				select {
				case said <- struct{}{}:
				default:
				}
			}}, Stderr: stderr,
			Version: "v1.2.3", Now: time.Now, OpenData: openAnywhere,
		})
	}()
	select {
	case <-said:
	case code := <-ended:
		cancel()
		ts.Fatalf("the server ends with %d: %s", code, stderr)
	}
	first, _, _ := strings.Cut(stdout.String(), "\n")
	_, address, _ := strings.Cut(first, `"address":"`)
	address, _, _ = strings.Cut(address, `"`)
	if _, _, err := net.SplitHostPort(strings.TrimPrefix(address, "http://")); err != nil {
		cancel()
		ts.Fatalf("the server begins with %q: %v", first, err)
	}
	h.listen = strings.TrimPrefix(address, "http://")
	ts.Setenv("REMOTE", address)
	ts.Setenv("TOKEN", scriptToken)
	ts.Setenv("FIGS_WEB_TOKEN", scriptToken)
	stopped := false
	h.stop = func() {
		if cancel(); !stopped {
			stopped = true
			<-ended
		}
	}
	ts.Defer(h.stop)
}

// furnish makes Ana, her workspace and her token.
func furnish(ts *testscript.TestScript, dir string) error {
	data, err := openFolder(context.Background(), dir)
	if err != nil {
		return err
	}
	defer data.Close()
	ctx, now := context.Background(), time.Now().UnixMicro()
	act := store.Act{At: now}
	user := store.User{ID: store.NewID(), Email: "ana@example.org", Name: "Ana", Created: now}
	w := store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme", Created: now}
	ts.Setenv("WORKSPACE", w.ID)
	ts.Check(data.Store.AddUser(ctx, act, user))
	ts.Check(data.Store.AddWorkspace(ctx, act, w, user.ID))
	return data.Store.AddToken(ctx, act, store.Token{ID: store.NewID(), User: user.ID, Name: "script", Hash: store.Hash(scriptToken), Created: now})
}

// push sends samples as clients do.
func push(ts *testscript.TestScript, samples []string) {
	c := client.New(client.Options{Endpoint: ts.Getenv("REMOTE"), Token: scriptToken, Generation: client.Unfolded})
	for _, name := range samples {
		folder, err := demo.Folder(name, ts.Getenv("WORKSPACE"))
		ts.Check(err)
		result, err := c.Push(context.Background(), folder, ts.Getenv("WORKSPACE"))
		ts.Check(err)
		ts.Setenv("AGENT", result.Answer.AgentID)
	}
}

// withData opens the folder of the script's server beside it.
func withData(ts *testscript.TestScript, do func(ctx context.Context, data *cmd.Data) error) {
	h, _ := ts.Value(hostedKey{}).(*hosted)
	if h == nil || h.dir == "" {
		ts.Fatalf("start the server first")
	}
	data, err := openFolder(context.Background(), h.dir)
	ts.Check(err)
	defer data.Close()
	ts.Check(do(context.Background(), data))
}

// scriptAdmit is "admit SLUG": Ana gets one more workspace.
func scriptAdmit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: admit SLUG")
	}
	withData(ts, func(ctx context.Context, data *cmd.Data) error {
		ana, err := data.Store.UserByEmail(ctx, "ana@example.org")
		ts.Check(err)
		now := time.Now().UnixMicro()
		return data.Store.AddWorkspace(ctx, store.Act{At: now}, store.Workspace{ID: store.NewID(), Slug: args[0], Name: args[0], Created: now}, ana.ID)
	})
}

// scriptDecide is "decide [-pending] ASK approved|changes-requested|rejected|TEXT": Ana decides an
// ask of AGENT, which counts at once, or with -pending can still be taken back for an hour.
func scriptDecide(ts *testscript.TestScript, neg bool, args []string) {
	pending := len(args) > 0 && args[0] == "-pending"
	if pending {
		args = args[1:]
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: decide [-pending] ASK WORD")
	}
	withData(ts, func(ctx context.Context, data *cmd.Data) error {
		ana, err := data.Store.UserByEmail(ctx, "ana@example.org")
		ts.Check(err)
		d, err := decisionOf(ctx, data, ts.Getenv("WORKSPACE"), ts.Getenv("AGENT"), args[0], args[1])
		ts.Check(err)
		now := time.Now()
		if d.Effective = now.UnixMicro(); pending {
			d.Effective = now.Add(time.Hour).UnixMicro()
		}
		_, err = data.Store.Decide(ctx, store.Act{By: ana.ID, At: now.UnixMicro()}, d)
		ts.Check(err)
		_, err = data.Store.Settle(ctx, now.UnixMicro())
		return err
	})
}

// decisionOf is what the form of an ask sends that shows it as it is now.
func decisionOf(ctx context.Context, data *cmd.Data, workspace, agent, ask, word string) (store.DecisionInput, error) {
	r, err := data.Store.Record(ctx, agent, figs.Asks, ask)
	if err != nil {
		return store.DecisionInput{}, err
	}
	fold := figs.Fold([][]byte{r.Fold})
	saying := figs.ReplyInput{ID: store.NewID(), By: "Ana", TS: time.Now().UTC().Format(time.RFC3339)}
	line, wrong := []byte(nil), figs.ReplyOK
	if figs.ReadAsk(fold).Type == "sign-off" {
		saying.Verdict, saying.Text = word, "Because."
		line, wrong = figs.Verdict(fold, saying)
	} else {
		saying.Text = word
		line, wrong = figs.Answer(fold, saying)
	}
	if wrong != figs.ReplyOK {
		return store.DecisionInput{}, fmt.Errorf("that is no reply: %s", wrong.Sentence())
	}
	d := store.DecisionInput{Workspace: workspace, Agent: agent, Ask: ask, Line: line, Key: saying.ID, Saw: store.View{Revision: store.RevisionOf(r)}}
	names := figs.AttachmentNames(fold)
	files, err := data.Store.FilesByName(ctx, agent, names)
	for _, name := range names {
		seen := store.ViewedFile{Name: name}
		if files[name] != nil {
			seen.SHA256 = files[name].SHA256
		}
		d.Saw.Files = append(d.Saw.Files, seen)
	}
	return d, err
}
