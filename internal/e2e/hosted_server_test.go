package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/testenv"
)

const (
	ownerEmail    = "ruth@example.org"
	ownerPassword = "a long walk by the river"
	workspaceSlug = "acme"
)

// hostedServer is a hosted reader of its own, as one or several processes serve it.
type hostedServer struct {
	t         testing.TB
	program   string
	on        ground
	address   string   // "http://127.0.0.1:4000"
	workspace string   // id of the one workspace
	token     string   // of the owner
	flags     []string // more of serve's
}

// ground is what a reader stands on: a folder and one process (folder), or a database, a bucket and several (cluster).
type ground interface {
	where() []string                                                        // the flags of every command that say what it is about
	serve(program, addr string, flags []string) (address string, err error) // port 0 is any
	stop() error                                                            // ends what serves, which must be clean
	open() (store.Store, error)                                             // as one more program
	log() string
}

// built is the program, once for all tests.
var built struct {
	once sync.Once
	dir  string
	err  error
}

// program builds the program.
func program(t testing.TB) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "figs-e2e-"); built.err != nil {
			return
		}
		build := exec.Command("go", "build", "-ldflags=-s -w", "-o", filepath.Join(built.dir, "figs-web"), "./cmd/figs-web")
		build.Dir = testenv.Root(t)
		if out, err := build.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return filepath.Join(built.dir, "figs-web")
}

// newHosted makes a workspace with an owner at the terminal, and serves it
// until the test ends, which must be quick and clean. flags are more of serve's.
func newHosted(t testing.TB, flags ...string) *hostedServer {
	t.Helper()
	testenv.Chromium(t)
	testenv.Wasm(t)
	s := &hostedServer{t: t, program: program(t), on: newGround(t), flags: flags}
	s.workspace = s.admin("", "workspace", "create", "--name", "Acme Finance", "--slug", workspaceSlug)["id"]
	s.admin(ownerPassword, "user", "create", "--email", ownerEmail, "--name", "Ruth Okafor", "--password-stdin")
	s.admin("", "member", "add", "--workspace", workspaceSlug, "--email", ownerEmail, "--role", "owner")
	s.token = s.admin("", "token", "create", "--email", ownerEmail, "--name", "laptop")["token"]
	s.serve("127.0.0.1:0")
	t.Cleanup(s.stop)
	return s
}

// admin runs a command of the operator and returns what it prints.
func (s *hostedServer) admin(stdin string, args ...string) map[string]string {
	s.t.Helper()
	run := exec.Command(s.program, append(append(append([]string{"admin"}, args...), s.on.where()...), "--json")...)
	var log bytes.Buffer
	run.Stdin, run.Stderr = strings.NewReader(stdin), &log
	out, err := run.Output()
	if err != nil {
		s.t.Fatalf("admin %s: %v\n%s%s", strings.Join(args, " "), err, out, &log)
	}
	printed := map[string]any{}
	if err := json.Unmarshal(out, &printed); err != nil {
		s.t.Fatalf("admin %s prints %q: %v", strings.Join(args, " "), out, err)
	}
	words := map[string]string{}
	for name, value := range printed {
		if text, ok := value.(string); ok {
			words[name] = text
		}
	}
	return words
}

// admit makes an account with the password of the owner and lets it into the workspace.
func (s *hostedServer) admit(email, name, role string) {
	s.t.Helper()
	s.admin(ownerPassword, "user", "create", "--email", email, "--name", name, "--password-stdin")
	s.admin("", "member", "add", "--workspace", workspaceSlug, "--email", email, "--role", role)
}

func (s *hostedServer) serve(addr string) {
	s.t.Helper()
	var err error
	if s.address, err = s.on.serve(s.program, addr, s.flags); err != nil {
		s.t.Fatal(err)
	}
}

// stop ends the server as an operator would. Open streams of events must not hold it.
func (s *hostedServer) stop() {
	begun := time.Now()
	if err := s.on.stop(); err != nil {
		s.t.Errorf("the server ends after %s with %v:\n%s", time.Since(begun), err, s.on.log())
	}
	if s.t.Failed() {
		s.t.Logf("the server's log ends:\n%s", tail(s.on.log(), 3000))
	}
}

// restart ends the server, does something meanwhile, and starts it at the same address.
func (s *hostedServer) restart(meanwhile func()) {
	s.t.Helper()
	s.stop()
	meanwhile()
	s.serve(strings.TrimPrefix(s.address, "http://"))
}

func tail(text string, most int) string {
	return text[max(0, len(text)-most):]
}

func (s *hostedServer) url(path string) string { return s.address + path }

// at is the address of a page of the workspace.
func (s *hostedServer) at(page string) string { return s.url("/w/" + workspaceSlug + page) }

// post sends what a client sends, and gives back what the server answers.
func (s *hostedServer) post(path string, body any) map[string]any {
	s.t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := http.NewRequest("POST", s.url(path), bytes.NewReader(sent))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		s.t.Fatalf("POST %s = %d %s %v", path, answer.StatusCode, got, err)
	}
	said := map[string]any{}
	if err := json.Unmarshal(got, &said); err != nil {
		s.t.Fatalf("POST %s = %q: %v", path, got, err)
	}
	return said
}

// pushed is a folder as it is sent: raw lines, none of them folded.
type pushed struct {
	WorkspaceID string            `json:"workspaceId"`
	Agent       map[string]any    `json:"agent"`
	Runs        []json.RawMessage `json:"runs"`
	Asks        []json.RawMessage `json:"asks"`
	Messages    []json.RawMessage `json:"messages"`
}

func (p *pushed) id() string { return p.Agent["id"].(string) }

// folder reads one of the samples.
func (s *hostedServer) folder(name string) (*pushed, string) {
	s.t.Helper()
	dir := filepath.Join(sample(s.t, name), ".figs")
	p := &pushed{WorkspaceID: s.workspace}
	s.readJSON(filepath.Join(dir, "agent.json"), &p.Agent)
	var config struct{ AgentID string }
	s.readJSON(filepath.Join(dir, "config.json"), &config)
	p.Agent["id"] = config.AgentID
	for file, lines := range map[string]*[]json.RawMessage{"runs.jsonl": &p.Runs, "asks.jsonl": &p.Asks, "messages.jsonl": &p.Messages} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			s.t.Fatal(err)
		}
		*lines = []json.RawMessage{}
		for line := range bytes.Lines(text) {
			if json.Valid(line) {
				*lines = append(*lines, json.RawMessage(bytes.TrimSpace(line)))
			}
		}
	}
	return p, dir
}

func (s *hostedServer) readJSON(name string, into any) {
	s.t.Helper()
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		s.t.Fatalf("%s: %v", name, err)
	}
}

// push sends a sample with its files and returns what was sent, to be changed and sent again.
func (s *hostedServer) push(name string) *pushed {
	s.t.Helper()
	p, dir := s.folder(name)
	s.post("/api/ingest", p)
	files, _ := filepath.Glob(filepath.Join(dir, "artifacts", "*"))
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			s.t.Fatal(err)
		}
		s.post("/api/artifacts/upload", map[string]string{"workspaceId": s.workspace, "agentId": p.id(), "name": filepath.Base(file), "content": base64.StdEncoding.EncodeToString(content)})
	}
	return p
}
