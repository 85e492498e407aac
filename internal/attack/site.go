package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/figs-web/figs-web/internal/attack/corpus"
	"github.com/figs-web/figs-web/sandbox"
)

// siteName is our own server's name: a secure context, as the product has. emptyPage is where a tab waits; apartPage is the
// same for tabs of the product, whose pages keep out of the company of others: a change of company is a change of process,
// which must not happen under a vector.
const (
	siteName   = "viewer.localhost"
	emptyPage  = "http://" + siteName + "/empty"
	apartPage  = emptyPage + "?apart"
	framedPage = "about:srcdoc" // what a frame without a server holds
)

// filePolicy is the policy of the page without a server, as the design of the viewer has it.
const filePolicy = "default-src 'none'; script-src %s 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; " +
	"img-src data: blob:; frame-src 'none'; connect-src 'none'; base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types figs"

// document is what a browser is given for one vector.
type document struct {
	kind  string // content type
	bytes []byte
}

// A site serves the documents of the mode that is running, each by itself, in frames with nothing that protects, or framed
// as offline. Everything else is the product.
type site struct {
	listener  net.Listener
	product   *product
	mu        sync.Mutex
	documents map[int]document
}

func serve(vectors []corpus.Vector) (*site, error) {
	p, err := newProduct(vectors)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &site{listener: l, product: p}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /raw/{number}/{name}", s.raw)
	mux.HandleFunc("GET /empty", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "" {
			w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		fmt.Fprint(w, "<!doctype html><title>empty</title>")
	})
	mux.HandleFunc("GET /bare/{numbers}", s.bare)
	mux.HandleFunc("GET /hosted/{view}/{numbers}", p.grid)
	mux.HandleFunc("GET "+gridPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		fmt.Fprint(w, gridSheet)
	})
	mux.Handle("/", p)
	mux.HandleFunc("GET /offline/{numbers}", s.offline)
	go http.Serve(l, mux)
	return s, nil
}

func (s *site) set(documents map[int]document) {
	s.mu.Lock()
	s.documents = documents
	s.mu.Unlock()
}

func (s *site) get(number string) (document, bool) {
	n, err := strconv.Atoi(number)
	s.mu.Lock()
	defer s.mu.Unlock()
	d, found := s.documents[n]
	return d, found && err == nil
}

// raw serves a document with no word about what it may do.
func (s *site) raw(w http.ResponseWriter, r *http.Request) {
	d, found := s.get(r.PathValue("number"))
	if !found {
		http.NotFound(w, r)
		return
	}
	w.Header()["Content-Type"] = []string{d.kind}
	w.Write(d.bytes)
}

// frame is one cell of a page of vectors; its name is the vector's number.
const (
	frame     = `<iframe name="%s" sandbox="" referrerpolicy="no-referrer" allow="" width="290" height="190"%s></iframe>` + "\n"
	bareFrame = `<iframe name="%s" sandbox="%s" width="290" height="190" src="/raw/%[1]s/x"></iframe>` + "\n"
	// bareRights is everything but the right to take the page with all the other frames elsewhere.
	bareRights = "allow-scripts allow-same-origin allow-popups allow-forms allow-modals allow-downloads"
)

// bare frames documents with nothing that protects, to hear many at a time.
func (s *site) bare(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html><meta charset=utf-8><title>bare</title>\n")
	for number := range strings.SplitSeq(r.PathValue("numbers"), "-") {
		fmt.Fprintf(w, bareFrame, html.EscapeString(number), bareRights)
	}
}

// opener is the one script of the offline page: it puts each document into a frame, as the inspector does.
const opener = `const policy = trustedTypes.createPolicy("figs", {createHTML: html => html});
for (const [name, text] of JSON.parse(document.getElementById("documents").textContent)) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  document.querySelector('iframe[name="' + name + '"]').srcdoc = policy.createHTML(new TextDecoder().decode(bytes));
}`

func (s *site) offline(w http.ResponseWriter, r *http.Request) {
	var frames strings.Builder
	var texts [][2]string
	for number := range strings.SplitSeq(r.PathValue("numbers"), "-") {
		if d, found := s.get(number); found {
			fmt.Fprintf(&frames, frame, number, "")
			texts = append(texts, [2]string{number, base64.StdEncoding.EncodeToString(sandbox.Srcdoc(d.bytes))})
		}
	}
	data, err := json.Marshal(texts)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	sum := sha256.Sum256([]byte(opener))
	policy := fmt.Sprintf(filePolicy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html><meta charset=utf-8><meta http-equiv=Content-Security-Policy content=\"%s\"><title>offline</title>\n"+
		"%s<script type=application/json id=documents>%s</script><script>%s</script>\n", policy, frames.String(), data, opener)
}
