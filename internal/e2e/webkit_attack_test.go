package e2e

import (
	"archive/zip"
	"fmt"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/attack/corpus"
	"github.com/figs-web/figs-web/internal/testenv"
)

const (
	attackPort  = 80 // in the vectors' addresses; all requests go to the proxy
	attackEvery = 11 // vectors, of which a short run takes one
	controlHost = "control.test"
)

// sink is a proxy that answers for every host and notes which were asked for.
type sink struct {
	mu    sync.Mutex
	pages map[string][]byte // of the control, by path
	asked map[string]int
}

func (s *sink) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Access-Control-Allow-Origin", "*")
	if r.Host == controlHost && r.Method != http.MethodConnect {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(s.pages[r.URL.Path])
		return
	}
	s.asked[r.Host]++
}

// take returns the hosts that were asked for since the last call.
func (s *sink) take() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.asked
	s.asked = map[string]int{}
	return taken
}

// TestWebKitAttack shows hostile attachments in the inspector from disk in WebKit and clicks in them: nothing may be
// asked for, and no frame may go anywhere. As a control, the same bytes in frames that nothing protects must be heard.
func TestWebKitAttack(t *testing.T) {
	t.Parallel()
	browser := testenv.WebKit(t)
	all, err := corpus.All()
	if err != nil {
		t.Fatal(err)
	}
	trap := &sink{pages: map[string][]byte{}, asked: map[string]int{}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: trap}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })

	name := filepath.Join(t.TempDir(), "attack.zip")
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(out)
	add := func(name string, content []byte) {
		w, err := z.Create(".figs/" + name)
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add("agent.json", []byte(`{"name":"Attacker","department":"Tests","role":"Attacks","mandate":"Attacks.","status":"live"}`))
	add("runs.jsonl", []byte(`{"ts":"2026-10-01T08:00:00Z","id":"a","title":"An attack","state":"in-flight"}`+"\n"))
	var frames strings.Builder
	files := 0
	for i := 0; i < len(all); i += attackEvery {
		v := all[i]
		kind := strings.ToLower(path.Ext(v.File))
		if v.Unsafe || kind != ".html" && kind != ".svg" && kind != ".md" {
			continue
		}
		content, err := v.Fill(attackPort)
		if err != nil {
			t.Fatal(err)
		}
		files++
		add(fmt.Sprintf("artifacts/v%03d%s", v.Number, kind), content)
		if kind == ".html" {
			trap.pages[fmt.Sprintf("/%d", v.Number)] = content
			fmt.Fprintf(&frames, `<iframe src="/%d" sandbox="allow-scripts allow-same-origin allow-forms"></iframe>`, v.Number)
		}
	}
	trap.pages["/"] = []byte("<!doctype html><title>control</title>" + frames.String())
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	out.Close()

	p := newWebKitBehind(t, browser, l.Addr().String())
	p.start(saved(t))
	p.give(name)
	p.await(has("#view", "Attacker"), "the folder")
	p.visit("/1/files", "Files")
	p.await(`document.querySelectorAll("#view .files a.title").length > 0`, "the list of files")
	var pages []string
	p.ask(`[...document.querySelectorAll("#view .files a.title")].map(a => a.hash.slice(1))`, &pages)
	if len(pages) != files {
		t.Fatalf("%d files are listed, want %d", len(pages), files)
	}
	trap.take()
	p.do(`window.loads = new WeakMap; document.addEventListener("load", ({ target }) => target.src && loads.set(target, (loads.get(target) ?? 0) + 1), true)`)
	framed := 0
	for _, page := range pages {
		p.do(fmt.Sprintf(`document.querySelector("#view [data-show]")?.setAttribute("data-was", ""); location.hash = %q`, page)) // the page before stays until the next is there
		p.await(fmt.Sprintf(`location.hash === %q && document.querySelector("#view [data-show]:not([data-was], [aria-busy])") && !document.querySelector("#view").ariaBusy`, "#"+page), page)
		has := false
		p.ask(`Boolean(document.querySelector("#view iframe[data-document]"))`, &has)
		if !has {
			continue
		}
		framed++
		p.await(`loads.has(document.querySelector("#view iframe[data-document]"))`, "the document in the frame")
		p.do(`document.querySelector("#view iframe[data-document]").scrollIntoView({ block: "center", behavior: "instant" })`)
		time.Sleep(200 * time.Millisecond)
		var at [4]float64
		p.ask(`(({ x, y, width, height }) => [x, Math.max(y, 0), width, Math.min(y + height, innerHeight) - Math.max(y, 0)])(document.querySelector("#view iframe[data-document]").getBoundingClientRect())`, &at)
		var moves []map[string]any
		for _, spot := range [][2]float64{{.05, .06}, {.05, .15}, {.1, .3}, {.3, .5}} {
			moves = append(moves, map[string]any{"type": "pointerMove", "duration": 0, "x": int(at[0] + spot[0]*at[2]), "y": int(at[1] + spot[1]*at[3])},
				map[string]any{"type": "pointerDown", "button": 0}, map[string]any{"type": "pointerUp", "button": 0})
		}
		p.call("POST", "/actions", map[string]any{"actions": []any{map[string]any{"type": "pointer", "id": "mouse", "parameters": map[string]string{"pointerType": "mouse"}, "actions": moves}}}, nil)
		var loads int
		var address, title string
		p.ask(`loads.get(document.querySelector("#view iframe[data-document]")) ?? 0`, &loads)
		p.ask(`location.hash`, &address)
		p.ask(`document.title`, &title)
		if asked := trap.take(); loads != 1 || len(asked) > 0 || address != "#"+page {
			t.Errorf("%s: the frame loaded %d documents, requests %v, the page is at %s (%s)", page, loads, asked, address, title)
		}
	}
	p.settled()
	if framed < files/2 {
		t.Errorf("%d of %d files were shown in a frame", framed, files)
	}
	p.do(`setTimeout(() => { location.href = "http://` + controlHost + `/" })`)
	for end := time.Now().Add(patience); ; time.Sleep(200 * time.Millisecond) {
		time.Sleep(2 * time.Second)
		asked := trap.take()
		if len(asked) >= 5 {
			t.Logf("%d of %d files in frames; unprotected, %d hosts were asked for", framed, files, len(asked))
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the control was not heard: %v", asked)
		}
	}
}
