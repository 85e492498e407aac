package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

var ctx = context.Background()

const (
	agentID   = "0d4f2a3c-1111-4222-8333-000000000001"
	workspace = "0d4f2a3c-2222-4222-8333-000000000001"
)

// said is a server that answers by path, and notes what came.
type said struct {
	answers map[string]string // "403 {…}"; others are 200 {}
	calls   []string          // "POST /api/ingest"
	bodies  map[string]string
	headers map[string]http.Header
}

func serve(t *testing.T, answers map[string]string) (*said, string) {
	s := &said{answers: answers, bodies: map[string]string{}, headers: map[string]http.Header{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.calls = append(s.calls, r.Method+" "+r.URL.Path)
		s.bodies[r.URL.Path], s.headers[r.URL.Path] = string(body), r.Header
		answer, ok := s.answers[r.URL.Path]
		if !ok {
			answer = "200 {}"
		}
		status := int(answer[0]-'0')*100 + int(answer[1]-'0')*10 + int(answer[2]-'0')
		w.WriteHeader(status)
		io.WriteString(w, answer[4:])
	}))
	t.Cleanup(server.Close)
	return s, server.URL
}

func aFolder() fstest.MapFS {
	return fstest.MapFS{
		"config.json": {Data: []byte(`{"agentId":"` + agentID + `","workspaceId":"` + workspace + `"}`)},
		"agent.json":  {Data: []byte("\xef\xbb\xbf{\n \"name\": \"N\",\n \"x-own\": [1,\n2]\n}")},
		"runs.jsonl": {Data: []byte(`{"id":"r","ts":"2026-11-20T10:00:00Z","result":"a","attachments":["a.txt","../agent.json"],"session":{"x":1}}` + "\r\n\n" +
			`{"id":"s","ts":"2026-11-20T10:00:00Z"}` + "\n" + `{"id":"r","ts":"2026-11-20T11:00:00Z","result":null,"attachments":["b.txt"],"session":{"y":2}}` + "\n")},
		"asks.jsonl":      {Data: []byte(`{"id":"q","type":"question","title":"T","attachments":["a.txt"]}` + "\n{\"torn")},
		"messages.jsonl":  {Data: []byte(`{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","text":"x"}`)},
		"artifacts/a.txt": {Data: []byte("a")},
	}
}

func TestPushSends(t *testing.T) {
	s, address := serve(t, map[string]string{"/api/artifacts/upload": `200 {"ok":true,"unchanged":true}`})
	r, err := New(Options{Endpoint: address + "/", Token: "secret"}).Push(ctx, aFolder(), "")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"workspaceId":"` + workspace + `","agent":{"name":"N","x-own":[1,2],"id":"` + agentID + `"},` +
		`"runs":[{"id":"r","ts":"2026-11-20T11:00:00Z","result":null,"attachments":["b.txt"],"session":{"y":2}},{"id":"s","ts":"2026-11-20T10:00:00Z"}],` +
		`"asks":[{"id":"q","type":"question","title":"T","attachments":["a.txt"]}],` +
		`"messages":[{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","text":"x"}]}`
	if got := s.bodies["/api/ingest"]; got != want {
		t.Errorf("sent\n%s, want\n%s", got, want)
	}
	h := s.headers["/api/ingest"]
	if h.Get("Authorization") != "Bearer secret" || h.Get("X-Figs-Token") != "secret" || h.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", h)
	}
	// Of all lines, folded or not, and wherever a name leads.
	if !slices.Equal(r.Unchanged, []string{"a.txt", "../agent.json"}) || !slices.Equal(r.Missing, []string{"b.txt"}) || len(r.Uploaded) > 0 {
		t.Errorf("files %+v", r)
	}
	if want := []string{"GET /api/version", "POST /api/ingest", "POST /api/artifacts/upload", "POST /api/artifacts/upload"}; !slices.Equal(s.calls, want) {
		t.Errorf("calls %v", s.calls)
	}
	if _, err := New(Options{Endpoint: address, Token: "secret", Generation: Newer, Rename: true}).Push(ctx, aFolder(), "other"); err != nil {
		t.Fatal(err)
	}
	if got := s.bodies["/api/ingest"]; !strings.Contains(got, `"workspaceId":"other"`) || !strings.Contains(got, `"runEvents":[{"id":"r","ts":"2026-11-20T10:00:00Z"`) || !strings.HasSuffix(got, `"confirmRename":true}`) {
		t.Errorf("a newer client sent %s", got)
	}
}

func TestExits(t *testing.T) {
	unlinked := aFolder()
	unlinked["config.json"] = &fstest.MapFile{Data: []byte(`{"agentId":"` + agentID + `"}`)}
	broken := aFolder()
	broken["runs.jsonl"] = &fstest.MapFile{Data: []byte("{\"id\n" + `{"id":"s","ts":"2026-11-20T10:00:00Z"}` + "\n")}
	placeholder := aFolder()
	placeholder["agent.json"] = &fstest.MapFile{Data: []byte(`{"name":"N","role":"<what you are>"}`)}
	good := aFolder()
	for name, c := range map[string]struct {
		folder  fstest.MapFS
		token   string
		answers map[string]string
		exit    int
		says    string
	}{
		"all well":              {good, "t", nil, 0, ""},
		"not linked":            {unlinked, "t", nil, Mend, "not linked"},
		"not logged in":         {good, "", nil, Mend, "not logged in"},
		"nothing there":         {fstest.MapFS{}, "t", nil, Mend, ""},
		"a placeholder":         {placeholder, "t", nil, Mend, "local validation"},
		"too old":               {good, "t", map[string]string{"/api/version": `200 {"cli":{"min":"1.3.0"}}`}, Mend, "below the minimum"},
		"an odd version":        {good, "t", map[string]string{"/api/version": `200 {"cli":{"min":"soon"}}`}, 0, ""},
		"no version":            {good, "t", map[string]string{"/api/version": `500 oops`}, 0, ""},
		"refused":               {good, "t", map[string]string{"/api/ingest": `409 {"error":"Link again.","code":"agent_moved"}`}, Mend, "Link again."},
		"refused without words": {good, "t", map[string]string{"/api/ingest": `400 <html>`}, Mend, "<html>"},
		"broken there":          {good, "t", map[string]string{"/api/ingest": `500 {"error":"Later."}`}, Retry, "Later."},
		"an upload refused":     {good, "t", map[string]string{"/api/artifacts/upload": `413 {"error":"Too large."}`}, Retry, "Too large."},
	} {
		t.Run(name, func(t *testing.T) {
			_, address := serve(t, c.answers)
			_, err := New(Options{Endpoint: address, Token: c.token}).Push(ctx, c.folder, "")
			if ExitOf(err) != c.exit || c.says != "" && !strings.Contains(err.Error(), c.says) {
				t.Errorf("exit %d, %v, want %d, %q", ExitOf(err), err, c.exit, c.says)
			}
		})
	}
	if _, err := New(Options{Endpoint: "http://127.0.0.1:1", Token: "t"}).Push(ctx, good, ""); ExitOf(err) != Retry {
		t.Errorf("nobody there: %d %v", ExitOf(err), err)
	}
}

func TestValidateNeedsBoth(t *testing.T) {
	for answer, exit := range map[string]int{`200 {"ok":true,"issues":[]}`: 0, `200 {"ok":true}`: Retry, `200 {"issues":[]}`: Retry, `200 {}`: Retry, `403 {"error":"No."}`: Mend} {
		_, address := serve(t, map[string]string{"/api/validate": answer})
		if _, _, err := New(Options{Endpoint: address, Token: "t"}).Validate(ctx, aFolder(), ""); ExitOf(err) != exit {
			t.Errorf("%s: %d %v, want %d", answer, ExitOf(err), err, exit)
		}
	}
}

func TestSync(t *testing.T) {
	const old, young = `{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","text":"x"}`, `{"id":"n","x-own":{"kept":1},"kind":"verdict","ask":"q","by":"Ana","ts":"2026-11-20T12:00:00Z","verdict":"changes-requested","source":"app"}`
	for name, c := range map[string]struct {
		events, grown string
		blocks        bool
	}{
		"a new one":                  {old + "," + young, old + "\n" + young + "\n", false},
		"one twice, one without id":  {young + "," + young + `,{"kind":"answer"}`, old + "\n" + young + "\n", false},
		"a source that they refuse":  {strings.Replace(young, `"app"`, `"mail"`, 1), "", true},
		"a verdict with underscores": {strings.Replace(young, "changes-requested", "changes_requested", 1), "", true},
		"an answer without words":    {`{"id":"n","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T12:00:00Z","source":"app"}`, "", true},
	} {
		_, address := serve(t, map[string]string{"/api/messages": `200 {"messages":[` + c.events + `],"truncated":false}`})
		grown, added, err := New(Options{Endpoint: address, Token: "t"}).Sync(ctx, agentID, []byte(old+"\n"))
		if (err != nil) != c.blocks || !c.blocks && (string(grown) != c.grown || added != 1) {
			t.Errorf("%s: %d added, %v: %s", name, added, err, grown)
		}
	}
}

func TestTimeouts(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(server.Close)
	c := New(Options{Endpoint: server.URL, Token: "t"})
	_, _, err := c.call(ctx, "GET", "/", nil, 20*time.Millisecond)
	if ExitOf(err) != Retry {
		t.Errorf("%v, want to try again", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := c.Login(cancelled, func(Device) {}); err == nil {
		t.Error("a login went on without its caller")
	}
	if ExitOf(nil) != 0 || ExitOf(errors.New("x")) != Mend {
		t.Error("exit codes")
	}
}

func TestOlder(t *testing.T) {
	for pair, want := range map[string]bool{"1.2.0 1.3.0": true, "1.10.0 1.9.9": false, "1.2.0 1.2.0": false, "1.2.0 1.2": false, "1.2.0 2": true, "1.2.0 soon": false, "1.2.0 ": false, "1.2.0-beta 1.2.1": true} {
		a, b, _ := strings.Cut(pair, " ")
		if got := older(a, b); got != want {
			t.Errorf("older(%q, %q) = %v, want %v", a, b, got, want)
		}
	}
}
