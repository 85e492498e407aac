//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/demo"
	"github.com/figs-web/figs-web/internal/testenv"
)

// browser keeps cookies as browsers do on this machine, where they take HTTP for as good as TLS.
type browser struct {
	t       *testing.T
	address string
	cookies map[string]string
	secrets *[]string // every cookie that was ever set
}

func (b *browser) ask(method, path string, form url.Values) (status int, page string) {
	b.t.Helper()
	r := b.open(method, path, form)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

func (b *browser) open(method, path string, form url.Values) *http.Response {
	b.t.Helper()
	r, err := http.NewRequest(method, b.address+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, c := range answer.Cookies() {
		b.cookies[c.Name] = c.Value
		if len(c.Value) > 8 {
			*b.secrets = append(*b.secrets, c.Value)
		}
	}
	return answer
}

// want asks and holds the answer to a status.
func (b *browser) want(status int, method, path string, form url.Values) string {
	b.t.Helper()
	got, page := b.ask(method, path, form)
	if got != status {
		b.t.Errorf("%s %s = %d, want %d\n%.2000s", method, path, got, status, page)
	}
	return page
}

// TestNothingSecretIsLogged goes through everything that a person and a client do with secrets,
// also where they do not belong, and looks for each of them in all that the server wrote.
func TestNothingSecretIsLogged(t *testing.T) {
	p := serveFolder(t, filepath.Join(t.TempDir(), "data"))
	link, err := url.Parse(p.after[len(p.after)-2])
	if err != nil || link.Query().Get("key") == "" {
		t.Fatalf("the server begins with %q, want a link that sets it up", p.after)
	}
	key := link.Query().Get("key")
	const password, wrong = "four words make one", "correct horse battery"
	secrets := []string{key, password, url.QueryEscape(password), wrong, url.QueryEscape(wrong)}
	b := &browser{t: t, address: p.address, cookies: map[string]string{}, secrets: &secrets}

	b.want(200, "GET", link.RequestURI(), nil)
	b.want(303, "POST", "/setup", url.Values{"key": {key}, "name": {"Ana"}, "email": {"ana@example.org"}, "password": {password}, "workspace": {"Acme"}, "slug": {"acme"}})
	b.ask("GET", link.RequestURI(), nil) // used up
	b.want(303, "POST", "/sign-out", url.Values{})
	b.ask("POST", "/sign-in", url.Values{"email": {"ana@example.org"}, "password": {wrong}})
	b.want(303, "POST", "/sign-in", url.Values{"email": {"ana@example.org"}, "password": {password}})
	token := b.logIn(p)
	b.useToken(token)
	b.misplace(append(secrets, token))
	stream := b.open("GET", "/w/acme/events", nil)
	defer stream.Body.Close()

	said := p.end(t)
	if !strings.HasSuffix(said, "Stopped.\n") {
		t.Errorf("it ends with %q", said)
	}
	for _, secret := range secrets {
		for name, text := range map[string]string{"the log": p.log.String(), "what was printed": said} {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s holds %q: …%s", name, secret, text[max(0, at-200):at+len(secret)])
			}
		}
	}
	if len(secrets) < 10 {
		t.Errorf("only %d secrets were used", len(secrets))
	}
	tells(t, p.log.String())
}

// logIn lets a client in by a code, and makes one more token by hand.
func (b *browser) logIn(p *process) string {
	b.t.Helper()
	c := client.New(client.Options{Endpoint: p.address})
	var device client.Device
	token, err := c.Login(context.Background(), func(d client.Device) {
		device = d
		b.want(200, "GET", "/device?code="+d.UserCode, nil)
		if status, page := b.ask("POST", "/device", url.Values{"code": {d.UserCode}, "decision": {"approve"}}); status >= 400 {
			b.t.Errorf("approving = %d %s", status, page)
		}
	})
	if err != nil {
		b.t.Fatal(err)
	}
	*b.secrets = append(*b.secrets, device.DeviceCode, device.UserCode, token)
	page := b.want(200, "POST", "/settings/tokens", url.Values{"token": {"ci"}, "scope": {"push"}, "lasts": {"90"}})
	fresh := regexp.MustCompile(`figs_[a-z0-9]{20,}`).FindString(page)
	if fresh == "" {
		b.t.Fatal("no fresh token on the page")
	}
	*b.secrets = append(*b.secrets, fresh)
	return token
}

// useToken pushes and reads as an agent's client does, and fills another workspace with the demo.
func (b *browser) useToken(token string) {
	b.t.Helper()
	c := client.New(client.Options{Endpoint: b.address, Token: token})
	w, err := c.Link(context.Background(), "acme")
	if err != nil {
		b.t.Fatal(err)
	}
	folder, err := demo.Folder("payables", w.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := c.Push(context.Background(), folder, w.ID); err != nil {
		b.t.Fatal(err)
	}
	for _, secret := range *b.secrets { // in the place of names that the log tells
		body, err := json.Marshal(map[string]any{"workspaceId": w.ID, "agent": map[string]string{"id": secret, "name": secret}})
		if err != nil {
			b.t.Fatal(err)
		}
		if _, err := c.Ingest(context.Background(), body); err == nil {
			b.t.Errorf("an agent of the id %q is let in", secret)
		}
		if _, err := c.Upload(context.Background(), w.ID, secret, "notes.txt", []byte("x")); err == nil {
			b.t.Errorf("a file of the agent %q is let in", secret)
		}
	}
	b.want(200, "GET", "/w/acme", nil)
	b.want(409, "POST", "/w/acme/demo", url.Values{})
}

// misplace puts secrets where they do not belong.
func (b *browser) misplace(secrets []string) {
	b.t.Helper()
	for _, secret := range secrets {
		escaped := url.PathEscape(secret)
		for _, path := range []string{"/" + escaped, "/setup/" + escaped, "/w/" + escaped, "/w/acme/" + escaped, "/w/acme/agents/" + escaped, "/api/" + escaped, "/rules/" + escaped, "/?key=" + url.QueryEscape(secret), "/static/" + escaped + "/x"} {
			b.ask("GET", path, nil)
		}
		r, _ := http.NewRequest("POST", b.address+"/api/ingest", strings.NewReader(fmt.Sprintf(`{"workspaceId":%q`, secret)))
		r.Header.Set("Authorization", "Bearer "+secret)
		r.Header.Set("User-Agent", "x")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			b.t.Fatal(err)
		}
		answer.Body.Close()
		r, _ = http.NewRequest("POST", b.address+"/api/device/poll", strings.NewReader(fmt.Sprintf(`{"device_code":%q}`, secret)))
		if answer, err = http.DefaultClient.Do(r); err != nil {
			b.t.Fatal(err)
		}
		answer.Body.Close()
	}
}

// tells holds the log to what an operator wants of it.
func tells(t *testing.T, log string) {
	t.Helper()
	found := map[string]bool{}
	for line := range strings.Lines(log) {
		var e struct{ Msg, Method, Route, User, Workspace, Agent, Error string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("the log has the line %q", line)
		}
		switch {
		case e.Error != "":
			t.Errorf("the server failed: %s", line)
		case e.Route == "/w/:workspace" && e.User != "" && e.Workspace != "":
			found["page"] = true
		case e.Route == "/api/ingest" && e.User != "" && e.Workspace != "" && e.Agent != "":
			found["push"] = true
		case e.Route == "/w/:workspace/events":
			found["stream"] = true
		case e.Msg == "stopped":
			found["stopped"] = true
		}
	}
	for _, what := range []string{"page", "push", "stream", "stopped"} {
		if !found[what] {
			t.Errorf("the log does not tell who did what with a %s", what)
		}
	}
}

// A stream of events does not hold up the end, and a request under way is answered first.
func TestTermDrains(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	workspace := furnish(t, dir)
	p := serveFolder(t, dir)
	body, write := io.Pipe()
	answered := beginPush(t, p, body)
	text := fmt.Sprintf(`{"workspaceId":%q,"agent":{"id":%q,"name":"N"},"runs":[{"id":"r","ts":"2026-11-20T10:00:00Z"}]}`, workspace.ID, crashAgents[0])
	io.WriteString(write, text[:40])
	p.cmd.Process.Signal(syscall.SIGTERM)
	takesNoMore(t, p)
	io.WriteString(write, text[40:])
	write.Close()
	if got := <-answered; !strings.HasPrefix(got, "200 ") {
		t.Errorf("the push under way is answered %s", got)
	}
	<-p.rest
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
}

// A second signal ends it at once, whatever is under way.
func TestSecondSignal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	furnish(t, dir)
	p := serveFolder(t, dir)
	body, write := io.Pipe()
	defer write.Close()
	beginPush(t, p, body)
	io.WriteString(write, "{")
	begun := time.Now()
	p.cmd.Process.Signal(os.Interrupt)
	takesNoMore(t, p)
	ended := make(chan error, 1)
	go func() {
		<-p.rest
		ended <- p.cmd.Wait()
	}()
	for { // The program may still be taking note of the first one, so it is repeated, as an impatient person does.
		p.cmd.Process.Signal(os.Interrupt)
		select {
		case err := <-ended:
			if err == nil || time.Since(begun) > 3*time.Second {
				t.Errorf("after %v it ends with %v, want the signal", time.Since(begun), err)
			}
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// beginPush sends the head of a push and waits until the server reads its body.
func beginPush(t *testing.T, p *process, body io.Reader) (answered <-chan string) {
	t.Helper()
	reads, answers := make(chan struct{}), make(chan string, 1)
	ctx := httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{Got100Continue: func() { close(reads) }})
	r, _ := http.NewRequestWithContext(ctx, "POST", p.address+"/api/ingest", body)
	r.Header.Set("Authorization", "Bearer "+testToken)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Expect", "100-continue") // the server says so when it begins to read
	go func() {
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			answers <- err.Error()
			return
		}
		defer answer.Body.Close()
		b, _ := io.ReadAll(answer.Body)
		answers <- fmt.Sprint(answer.StatusCode, " ", string(b))
	}()
	select {
	case <-reads:
	case got := <-answers:
		t.Fatalf("the push is answered before it is sent: %s", got)
	}
	return answers
}

// takesNoMore waits until a server that was told to stop takes no new requests.
func takesNoMore(t *testing.T, p *process) {
	t.Helper()
	testenv.Eventually(t, 10*time.Second, "the server to take no new requests", func() bool {
		r, err := http.Get(p.address + "/healthz")
		if err == nil {
			r.Body.Close()
		}
		return err != nil
	})
}
