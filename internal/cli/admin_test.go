package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/store"
)

// office is the folder of a hosted reader, and the admin commands on it.
type office struct {
	*testing.T
	dir string
}

func (o office) run(stdin string, args ...string) outcome {
	o.Helper()
	var stdout, stderr bytes.Buffer
	code := Main(context.Background(), cmd.Env{
		Args: append([]string{"admin", "--data", o.dir}, args...), Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr,
		Terminals: func() (bool, bool) { return false, false }, Version: "v1.2.3", OpenData: openAnywhere,
		Now: func() time.Time { return time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC) },
	})
	return outcome{code, stdout.String(), stderr.String()}
}

// object runs a command that prints one JSON object and nothing else.
func (o office) object(stdin string, args ...string) map[string]any {
	o.Helper()
	got := o.run(stdin, append(args, "--json")...)
	var object map[string]any
	if err := json.Unmarshal([]byte(got.stdout), &object); err != nil || got.code != 0 || got.stderr != "" || strings.Count(got.stdout, "\n") != 1 {
		o.Fatalf("admin %q = %d %q %q, want one JSON object", args, got.code, got.stdout, got.stderr)
	}
	return object
}

const phrase = "correct horse battery\n"

func newOffice(t *testing.T) office {
	o := office{t, filepath.Join(t.TempDir(), "data")}
	o.object("", "workspace", "create", "--name", "Acme Finance", "--slug", "acme")
	o.object(phrase, "user", "create", "--email", "ada@example.org", "--name", "Ada", "--password-stdin")
	o.object("", "member", "add", "--workspace", "acme", "--email", "ADA@example.org", "--role", "owner")
	return o
}

func TestAdmin(t *testing.T) {
	o := newOffice(t)
	holds := func(object map[string]any, want ...string) {
		t.Helper()
		for i := 0; i < len(want); i += 2 {
			if got := fmt.Sprint(object[want[i]]); got != want[i+1] {
				t.Errorf("%s = %q, want %q in %v", want[i], got, want[i+1], object)
			}
		}
	}
	w := o.object("", "workspace", "create", "--name", "Zürich & Söhne")
	holds(w, "slug", "zuerich-and-soehne", "name", "Zürich & Söhne")
	u := o.object(phrase, "user", "create", "--email", " Bob@Example.org", "--name", " Bob  Stone ", "--password-stdin")
	holds(u, "email", "bob@example.org", "name", "Bob Stone")
	holds(o.object("", "member", "add", "--workspace", fmt.Sprint(w["id"]), "--email", "bob@example.org", "--role", "viewer"), "workspace", "zuerich-and-soehne", "role", "viewer")
	token := o.object("", "token", "create", "--email", "bob@example.org", "--name", "ci")
	reader := o.object("", "token", "create", "--email", "bob@example.org", "--name", "dashboard", "--scope", "read", "--expires", "30")
	if token["scope"] != "push" || token["expires"] != nil || reader["scope"] != "read" || reader["expires"] == nil {
		t.Errorf("made are %v and %v", token, reader)
	}
	holds(token, "name", "ci", "email", "bob@example.org")

	data, err := openFolder(context.Background(), o.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close() // as a server that runs beside
	ctx := context.Background()
	user, err := data.Store.UserByEmail(ctx, "bob@example.org")
	if err != nil || user.ID != u["id"] {
		t.Fatalf("UserByEmail = %+v, %v", user, err)
	}
	if ok, _, err := accounts.VerifyPassword(ctx, user.Password, "correct horse battery"); !ok || err != nil {
		t.Errorf("the password does not fit: %v", err)
	}
	if got, err := data.Store.UseToken(ctx, store.Hash(fmt.Sprint(token["token"])), "", 1); err != nil || got.User != user.ID {
		t.Errorf("the token is not good: %+v, %v", got, err)
	}
	o.object("another long phrase\r\nwhat is typed later\n", "user", "password", "--email", "bob@example.org", "--password-stdin")
	user, _ = data.Store.User(ctx, user.ID)
	if ok, _, _ := accounts.VerifyPassword(ctx, user.Password, "another long phrase"); !ok {
		t.Error("the new password does not fit")
	}
	lists := o.lists()
	for noun, want := range map[string]int{"workspace": 2, "user": 2, "member": 2, "token": 2, "agent": 0} {
		if len(lists[noun]) != want {
			t.Errorf("%s list: %v, want %d", noun, lists[noun], want)
		}
	}
	if strings.Contains(fmt.Sprint(lists), fmt.Sprint(token["token"])) || strings.Contains(fmt.Sprint(lists), "argon2") {
		t.Error("a list holds a secret")
	}
	if got := o.object("", "member", "list", "--workspace", "acme"); len(got["members"].([]any)) != 1 {
		t.Errorf("member list --workspace: %v", got)
	}
	if got := o.object("", "token", "list", "--email", "ada@example.org"); len(got["tokens"].([]any)) != 0 {
		t.Errorf("token list --email: %v", got)
	}
}

// lists asks for each list, as programs and as people do.
func (o office) lists() map[string][]any {
	all := map[string][]any{}
	for _, noun := range []string{"workspace", "user", "member", "token", "agent"} {
		all[noun] = o.object("", noun, "list")[noun+"s"].([]any)
		if got := o.run("", noun, "list"); got.code != 0 || got.stderr != "" || strings.Count(got.stdout, "\n") != max(1, len(all[noun])+min(1, len(all[noun]))) {
			o.Errorf("%s list for people: %+v", noun, got)
		}
	}
	return all
}

func TestAdminAssign(t *testing.T) {
	o := newOffice(t)
	const id = "0d4f2a3c-1111-4222-8333-000000000001"
	data, err := openFolder(context.Background(), o.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	ctx := context.Background()
	w, _ := data.Store.Workspace(ctx, "acme")
	body, err := figs.ReadPush([]byte(`{"workspaceId":"` + w.ID + `","agent":{"id":"` + id + `","name":"Closer"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := data.Store.Push(ctx, store.Push{Workspace: w.ID, Act: store.Act{At: 1}, Body: body}); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--agent", id}, {"--agent=" + id}, {"--agent-id", id}, {"--agent", "--agent", id}} {
		got := o.object("", append([]string{"agent", "assign", "--workspace", "acme", "--manager", "ada@example.org"}, args...)...)
		if got["manager"] != "ada@example.org" || got["builder"] != "" || got["name"] != "Closer" {
			t.Errorf("assign %q = %v", args, got)
		}
	}
	o.object("", "agent", "assign", "--workspace", "acme", "--agent", id, "--builder", "ada@example.org", "--manager", "")
	if a, err := data.Store.Agent(ctx, id); err != nil || a.Manager != "" || a.Builder == "" {
		t.Errorf("Agent = %+v, %v", a, err)
	}
	if got := o.object("", "agent", "list")["agents"].([]any); len(got) != 1 || got[0].(map[string]any)["builder"] != "ada@example.org" {
		t.Errorf("agent list = %v", got)
	}
	o.object(phrase, "user", "create", "--email", "eve@example.org", "--name", "Eve", "--password-stdin")
	o.object(phrase, "user", "create", "--email", "vi@example.org", "--name", "Vi", "--password-stdin")
	o.object("", "member", "add", "--workspace", "acme", "--email", "vi@example.org", "--role", "viewer")
	for name, args := range map[string][]string{
		"a viewer":      {"--agent", id, "--builder", "vi@example.org"},
		"no member":     {"--agent", id, "--manager", "eve@example.org"},
		"unknown email": {"--agent", id, "--manager", "x@example.org"},
		"no such agent": {"--agent", strings.Replace(id, "1111", "2222", 1), "--manager", ""},
		"nothing said":  {"--agent", id},
	} {
		got := o.run("", append([]string{"agent", "assign", "--workspace", "acme"}, args...)...)
		if got.code == 0 {
			t.Errorf("assign %q = %+v, want a refusal", args, got)
		}
		messages.Check(t, "admin agent assign: "+name, got.refusal(o.dir))
	}
}

func TestAdminRefuses(t *testing.T) {
	o := newOffice(t)
	for _, test := range []struct {
		lesson, stdin string
		code          int
		args          []string
	}{
		{"address taken", "", 107, []string{"workspace", "create", "--name", "Other", "--slug", "acme"}},
		{"address reserved", "", 2, []string{"workspace", "create", "--name", "Other", "--slug", "settings"}},
		{"address odd", "", 2, []string{"workspace", "create", "--name", "Other", "--slug", "../x"}},
		{"name empty", "", 2, []string{"workspace", "create", "--name", " "}},
		{"email taken", phrase, 107, []string{"user", "create", "--email", "ADA@example.org", "--name", "Ada", "--password-stdin"}},
		{"no email", phrase, 2, []string{"user", "create", "--email", "ada", "--name", "Ada", "--password-stdin"}},
		{"no password", "", 2, []string{"user", "create", "--email", "eve@example.org", "--name", "Eve"}},
		{"empty password", "\n", 2, []string{"user", "create", "--email", "eve@example.org", "--name", "Eve", "--password-stdin"}},
		{"short password", "short\n", 2, []string{"user", "create", "--email", "eve@example.org", "--name", "Eve", "--password-stdin"}},
		{"email as password", "eve@example.org\n", 2, []string{"user", "create", "--email", "eve@example.org", "--name", "Eve", "--password-stdin"}},
		{"unknown workspace", "", 100, []string{"member", "add", "--workspace", "nope", "--email", "ada@example.org", "--role", "member"}},
		{"unknown user", "", 100, []string{"member", "add", "--workspace", "acme", "--email", "x@example.org", "--role", "member"}},
		{"unknown role", "", 2, []string{"member", "add", "--workspace", "acme", "--email", "ada@example.org", "--role", "root"}},
		{"last owner", "", 101, []string{"member", "add", "--workspace", "acme", "--email", "ada@example.org", "--role", "member"}},
		{"token that may anything", "", 2, []string{"token", "create", "--email", "bob@example.org", "--name", "ci", "--scope", "all"}},
		{"token that has ended", "", 2, []string{"token", "create", "--email", "bob@example.org", "--name", "ci", "--expires", "9999"}},
		{"token of no one", "", 100, []string{"token", "create", "--email", "x@example.org", "--name", "ci"}},
	} {
		t.Run(test.lesson, func(t *testing.T) {
			got := o.run(test.stdin, test.args...)
			if got.code == 0 || !strings.Contains(got.stderr, "\nhint: ") || got.stdout != "" {
				t.Errorf("%+v, want a refusal and a hint", got)
			}
			messages.Check(t, "admin: "+test.lesson, got.refusal(o.dir))
			got = o.run(test.stdin, append(test.args, "--agent")...)
			var object struct{ Code int }
			if err := json.Unmarshal([]byte(got.stderr), &object); err != nil || got.code != test.code || object.Code != test.code {
				t.Errorf("--agent: %+v, want %d", got, test.code)
			}
		})
	}
	got := (office{t, filepath.Join(o.dir, "nowhere")}).run("", "user", "list")
	if got.code != 2 {
		t.Errorf("a folder that is not there: %+v", got)
	}
	messages.Check(t, "admin: folder that is not there", got.refusal(o.dir))
	if got = run(t, "admin", "user", "list"); got.code != 2 {
		t.Errorf("no folder: %+v", got)
	}
	messages.Check(t, "admin: no folder", got.refusal(o.dir))
}
