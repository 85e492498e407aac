package e2e

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/figs-web/figs-web/internal/attack/corpus"
)

const (
	attackPort  = 80 // in the vectors' addresses; all requests go to the proxy
	attackEvery = 11 // vectors, of which a short run takes one
	controlHost = "control.test"
	leastHosts  = 5 // that the control asks for
)

// sink is a proxy that answers for every host and notes which were asked for.
type sink struct {
	mu    sync.Mutex
	pages map[string][]byte // of the control, by path
	asked map[string]int
	early map[string]int // what was asked for before the control
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Access-Control-Allow-Origin", "*")
	if r.Host == controlHost && r.Method != http.MethodConnect {
		if r.URL.Path == "/" && s.early == nil {
			s.early, s.asked = s.asked, map[string]int{}
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(s.pages[r.URL.Path])
		return
	}
	if host, _, _ := strings.Cut(r.Host, ":"); strings.HasSuffix(host, ".attack.test") { // browsers ask for things of their own
		s.asked[host]++
	}
}

// control returns how many hosts have been asked for, and whether the control has begun.
func (s *sink) control() (hosts int, begun bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked), s.early != nil
}

// take returns the hosts that were asked for since the last call.
func (s *sink) take() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.asked
	s.asked = map[string]int{}
	return taken
}

// assault is a folder of hostile attachments, beside one honest file, and a proxy that hears what they ask for.
type assault struct {
	trap  *sink
	proxy string // address
	dir   string // the folder around .figs
	zip   string // of the same
	files int    // hostile ones
}

// jumpPage has a link to a place in itself, where a click on an attack would go.
const jumpPage = `<!doctype html><style>a{display:block;height:400px;background:#dfd} #far{height:600px;background:#c00}</style><a href="#far">To the end</a>%s<p id=far>The end</p>`

// newAssault takes every eleventh vector from one on.
func newAssault(t *testing.T, from int) *assault {
	t.Helper()
	all, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a := &assault{trap: &sink{pages: map[string][]byte{}, asked: map[string]int{}}, proxy: l.Addr().String(), dir: t.TempDir()}
	server := &http.Server{Handler: a.trap}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })

	add := func(name string, content []byte) {
		name = filepath.Join(a.dir, ".figs", name)
		err := os.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			err = os.WriteFile(name, content, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add("agent.json", []byte(`{"name":"Attacker","department":"Tests","role":"Attacks","mandate":"Attacks.","status":"live"}`))
	add("runs.jsonl", []byte(`{"ts":"2026-10-01T08:00:00Z","id":"a","title":"An attack","state":"in-flight"}`+"\n"))
	add("artifacts/contents.html", []byte(fmt.Sprintf(jumpPage, strings.Repeat("<p>One line of many.</p>", 100))))
	var frames strings.Builder
	for i := from; i < len(all); i += attackEvery {
		v := all[i]
		kind := strings.ToLower(path.Ext(v.File))
		if v.Unsafe || kind != ".html" && kind != ".svg" && kind != ".md" {
			continue
		}
		content, err := v.Fill(attackPort)
		if err != nil {
			t.Fatal(err)
		}
		a.files++
		add(fmt.Sprintf("artifacts/v%03d%s", v.Number, kind), content)
		if kind == ".html" {
			a.trap.pages[fmt.Sprintf("/%d", v.Number)] = content
			fmt.Fprintf(&frames, `<iframe src="/%d" sandbox="allow-scripts allow-same-origin allow-forms"></iframe>`, v.Number)
		}
	}
	a.trap.pages["/"] = []byte("<!doctype html><title>control</title>" + frames.String())
	a.zip = zipped(t, a.dir, "")
	return a
}
