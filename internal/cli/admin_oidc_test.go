package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/oidc/oidctest"
	"github.com/figs-web/figs-web/internal/store"
)

// tested is what admin oidc test prints for programs.
type tested struct {
	RedirectURL string `json:"redirect_url"`
	Status      string
	Steps       []struct {
		Step     string
		Findings []struct{ Status, Code, Found, Change string }
	}
	Person struct {
		Account string
		Roles   []struct{ Workspace, Role, Before, Group string }
	}
}

// bad are the codes of the findings that aren't ok.
func (x tested) bad() (codes []string) {
	for _, s := range x.Steps {
		for _, f := range s.Findings {
			if f.Status != "ok" && f.Code != "issuer_http" {
				codes = append(codes, f.Code)
			}
		}
	}
	return codes
}

func TestAdminOIDCTest(t *testing.T) {
	now := time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)
	at, err := oidctest.New("figs", "our-hidden-word")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(at.Close)
	at.Now = func() time.Time { return now }
	at.Back = "https://figs.example.com/sign-in/oidc/callback"
	o := newOffice(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	secret, wrong := write("secret", "our-hidden-word\n"), write("wrong", "another-hidden-word\n")
	file := write("figs-web.conf", "public-url = https://figs.example.com\noidc-issuer = "+at.URL+"\noidc-client-id = figs\noidc-role = staff=acme:member\noidc-role = heads=acme:admin\noidc-role = staff=nowhere:viewer\n")
	run := func(environment map[string]string, stdin string, args ...string) outcome {
		t.Helper()
		var stdout, stderr bytes.Buffer
		code := Main(context.Background(), cmd.Env{
			Args: append([]string{"admin", "oidc", "test"}, args...), Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr,
			Terminals: func() (bool, bool) { return false, false }, Version: "v1.2.3", OpenData: openAnywhere,
			Now: func() time.Time { return now }, Getenv: func(name string) string { return environment[name] },
		})
		got := outcome{code, stdout.String(), stderr.String()}
		for _, word := range []string{"our-hidden-word", "another-hidden-word", "eyJ", "figs-web-test-", "secret-looking"} {
			if strings.Contains(got.stdout+got.stderr, word) {
				t.Errorf("%q prints %q: %s%s", args, word, got.stdout, got.stderr)
			}
		}
		return got
	}
	set := map[string]string{"FIGS_WEB_OIDC_CLIENT_SECRET_FILE": secret}
	with := func(code int, claims string, args ...string) (x tested) {
		t.Helper()
		got := run(set, claims, append([]string{"--config", file, "--json"}, args...)...)
		if err := json.Unmarshal([]byte(got.stdout), &x); err != nil || got.code != code || got.stderr != "" {
			t.Fatalf("%q = %d %q %q %v, want %d", args, got.code, got.stdout, got.stderr, err, code)
		}
		return x
	}
	has := func(x tested, codes ...string) {
		t.Helper()
		if got := x.bad(); !slices.Equal(got, codes) {
			t.Errorf("findings %q, want %q", got, codes)
		}
	}

	x := with(0, "")
	if has(x); x.RedirectURL != at.Back || x.Status != "warning" { // a warning about http
		t.Errorf("%+v", x)
	}
	has(with(0, "", "--data", o.dir), "no_workspace")
	said := run(set, "", "--config", file)
	said.says(t, 0, "admin oidc test: all well", at.URL, "ISSUER", strings.TrimPrefix(at.URL, "http://"), "HOST")
	if !strings.Contains(said.stdout, "\n0 failed, 1 warning, 0 unknown\n") {
		t.Error(said.stdout)
	}

	const bo = `{"sub": "7", "email": "bo@example.org", "email_verified": true, "name": "Bo", "groups": ["staff", "heads"]}`
	x = with(0, bo, "--claims", "-", "--oidc-provision", "--data", o.dir)
	if has(x, "no_workspace"); x.Person.Account != "created" || len(x.Person.Roles) != 1 || x.Person.Roles[0].Role != "admin" || x.Person.Roles[0].Group != "heads" {
		t.Errorf("%+v", x.Person)
	}
	has(with(0, bo, "--claims", "-"), "account_stranger", "no_data")
	ada := strings.NewReplacer("bo@", "ada@", `, "heads"`, "").Replace(bo)
	x = with(0, ada, "--claims", "-", "--data", o.dir)
	if has(x, "account_taken", "no_workspace"); x.Person.Account != "taken" {
		t.Errorf("%+v", x.Person)
	}
	x = with(0, ada, "--claims", "-", "--data", o.dir, "--oidc-link-domains", "example.org")
	if has(x, "last_owner", "no_workspace"); x.Person.Account != "adopted" || x.Person.Roles[0].Role != "owner" {
		t.Errorf("%+v", x.Person)
	}
	o.object(phrase, "user", "create", "--email", "eve@example.org", "--name", "Eve", "--password-stdin")
	o.object("", "member", "add", "--workspace", "acme", "--email", "eve@example.org", "--role", "owner")
	x = with(0, strings.Replace(ada, `"staff"`, `"others"`, 1), "--claims", "-", "--data", o.dir, "--oidc-link-domains", "example.org")
	if has(x, "role_lost", "no_workspace"); x.Person.Roles[0] != (struct{ Workspace, Role, Before, Group string }{"acme", "", "owner", ""}) {
		t.Errorf("%+v", x.Person)
	}
	// What it says is what a sign-in does: the identity that one would store is found.
	data, err := openAnywhere(context.Background(), cmd.Where{Dir: o.dir})
	if err != nil {
		t.Fatal(err)
	}
	user, err := data.Store.UserByEmail(context.Background(), "ada@example.org")
	if err == nil {
		err = data.Store.AddIdentity(context.Background(), store.Act{At: 1}, store.Identity{Issuer: at.URL, Subject: "7", Person: user.ID, Created: 1, Used: 1})
	}
	if data.Close(); err != nil {
		t.Fatal(err)
	}
	token := at.Sign(map[string]any{"iss": at.URL, "aud": "figs", "sub": "7", "exp": now.Add(time.Hour).Unix(), "groups": []string{"heads"}})
	x = with(0, "", "--claims", write("token", token), "--data", o.dir)
	if has(x, "no_email", "no_workspace"); x.Person.Account != "linked" || x.Person.Roles[0].Role != "admin" || x.Person.Roles[0].Before != "owner" {
		t.Errorf("%+v", x.Person)
	}
	run(set, "", "--config", file, "--claims", write("claims.json", bo), "--data", o.dir).says(t, 0, "admin oidc test: claims", at.URL, "ISSUER", strings.TrimPrefix(at.URL, "http://"), "HOST")

	names := []string{at.URL, "ISSUER", strings.TrimPrefix(at.URL, "http://"), "HOST", dir, "DIR"}
	run(nil, "", "--config", file).says(t, 1, "admin oidc test: no secret", names...)
	run(map[string]string{"FIGS_WEB_OIDC_CLIENT_SECRET_FILE": wrong}, "", "--config", file).says(t, 1, "admin oidc test: wrong secret", names...)
	run(map[string]string{"FIGS_WEB_OIDC_CLIENT_SECRET_FILE": secret + "x"}, "", "--config", file).says(t, 2, "admin oidc test: lost secret", names...)
	run(set, "", "--config", file, "--claims", secret).says(t, 2, "admin oidc test: no claims", names...)
	run(set, "", "--config", file, "--claims", secret+"x").says(t, 2, "admin oidc test: lost claims", names...)
	run(set, "", "--config", file, "--oidc-role", "staff").says(t, 2, "admin oidc test: a wrong role", names...)
	run(nil, "").says(t, 2, "admin oidc test: no provider", names...)
	if got := run(nil, "", "--oidc-issuer", at.URL, "--oidc-client-id", "figs", "--oidc-client-secret", "our-hidden-word"); got.code != 1 || !strings.Contains(got.stdout, "http://localhost:8080/sign-in/oidc/callback") || !strings.Contains(got.stdout, "refuses the client id or the redirect URL") {
		t.Errorf("%d %s", got.code, got.stdout)
	}
	at.Set(func(p *oidctest.Provider) { p.Down = true })
	run(set, "", "--config", file).says(t, 1, "admin oidc test: down", names...)
	if got := run(set, "", "--agent", "--config", file); got.code != 104 || !strings.Contains(got.stderr, "NETWORK_ERROR") {
		t.Errorf("with --agent: %d %s", got.code, got.stderr)
	}
}
