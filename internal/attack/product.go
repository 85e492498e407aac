package main

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/attack/corpus"
)

// A product is the server that ships, as figs-web open makes it, over a shelf of vectors. Nothing here writes a header,
// a policy or a frame of its own: pages of many vectors carry the answers of the product's pages, taken apart.
type product struct {
	pages http.Handler
	enter string // the address that opens the door, once
	shelf *shelf

	mu      sync.Mutex
	instead map[int]document // what documents are exchanged for, behind their headers
	framed  map[int]bool     // the vectors that a page gave a frame
	served  map[int]bool     // those whose document a frame was given
	looked  map[int]bool     // those whose document the page's script has measured, in a frame that it may look into
	faults  []error
}

func newProduct(vectors []corpus.Vector) (*product, error) {
	s, err := fillShelf(vectors)
	if err != nil {
		return nil, err
	}
	opened, err := handlers.Open(handlers.Opening{Folder: s, Workspace: workspace, Listen: siteName + ":80", Now: time.Now})
	if err != nil {
		return nil, err
	}
	p := &product{pages: opened.Pages, enter: opened.Address, shelf: s}
	p.begin(nil)
	return p, nil
}

// begin forgets the mode before, and exchanges documents for others from now on if there are any.
func (p *product) begin(instead map[int]document) {
	p.mu.Lock()
	p.instead, p.framed, p.served, p.looked, p.faults = instead, make(map[int]bool), make(map[int]bool), make(map[int]bool), nil
	p.mu.Unlock()
}

// numbers are the vectors that an address of a document names; a comparison's second file is the vector.
func (p *product) numbers(address string) []int {
	_, file, found := strings.Cut(address, "/v/"+workspace+"/")
	if !found {
		return nil
	}
	file, _, _ = strings.Cut(file, "?")
	file = file[strings.LastIndexByte(file, '/')+1:]
	sum, _, _ := strings.Cut(file, ".")
	return p.shelf.holds[sum]
}

// owner is the vector that an address of a document names, the first where several hold the same bytes; else 0.
func (p *product) owner(address string) int {
	if numbers := p.numbers(address); len(numbers) > 0 {
		return numbers[0]
	}
	return 0
}

// A reply is a response that waits to be looked at.
type reply struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func (a *reply) Header() http.Header         { return a.header }
func (a *reply) WriteHeader(status int)      { a.status = status }
func (a *reply) Write(b []byte) (int, error) { return a.body.Write(b) }

// ServeHTTP passes requests to the product, and notes whose documents it gave to a frame.
func (p *product) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/v/") {
		p.pages.ServeHTTP(w, r)
		return
	}
	a := &reply{header: make(http.Header)}
	p.pages.ServeHTTP(a, r)
	body := a.body.Bytes()
	p.mu.Lock()
	for _, number := range p.numbers(r.URL.Path) {
		if a.status == http.StatusForbidden && r.URL.RawQuery != "" && r.URL.RawQuery != "measure" {
			continue // a document led its frame to its own address with something behind it, and was refused
		}
		if a.status != http.StatusOK {
			p.faults = append(p.faults, fmt.Errorf("the product answered %d for %s", a.status, r.URL))
			continue
		}
		if strings.HasSuffix(a.header.Get("Content-Security-Policy"), "sandbox allow-same-origin") {
			p.looked[number] = true
			continue
		}
		p.served[number] = r.Header.Get("Sec-Fetch-Dest") == "iframe"
		if d, found := p.instead[number]; found {
			body = d.bytes
		}
	}
	p.mu.Unlock()
	maps.Copy(w.Header(), a.header)
	w.Header().Del("Content-Length")
	w.WriteHeader(a.status)
	w.Write(body)
}

// A view is one way in which the product's pages show a file.
type view string

const (
	asRendered view = "rendered"
	asSource   view = "source"
	asText     view = "text"
	asChange   view = "compare"
)

// page is the path of the product's page with a vector.
func (v view) page(number string) string {
	path := "/w/" + workspace + "/agents/" + url.PathEscape(number) + "/files"
	switch v {
	case asRendered:
		return path + "/2"
	case asChange:
		return path + "?show=2&with=1&n=200&view=compare"
	}
	return path + "/2?view=" + string(v)
}

// frame is the pattern of the view's own frame on such a page. A comparison also frames both files.
func (v view) frame() *regexp.Regexp {
	query := `(\?view=` + string(v) + `)`
	if v == asChange {
		query = `/[0-9a-z.]+`
	}
	return regexp.MustCompile(`<iframe [^>]*src="/v/` + workspace + `/[0-9a-z.]+` + query + `"[^>]*></iframe>`)
}

// sheet is the style sheet of a page.
var sheet = regexp.MustCompile(`<link rel="stylesheet"[^>]*>`)

// gridSheet lays the frames of many pages out on one, beside the product's own style.
const (
	gridPath  = "/static/attack/grid.css"
	gridSheet = `body { margin: 8px; display: grid; grid-template-columns: repeat(6, 294px); grid-auto-rows: 194px; gap: 4px; justify-content: start }
iframe { box-sizing: border-box; width: 294px; height: 194px; border: 2px inset }
`
)

// grid shows the frames of many of the product's pages on one, as those pages hold them and with the headers of the first.
func (p *product) grid(w http.ResponseWriter, r *http.Request) {
	v, numbers := view(r.PathValue("view")), strings.Split(r.PathValue("numbers"), "-")
	answers := make([]*reply, len(numbers))
	var askers sync.WaitGroup
	for i, number := range numbers {
		askers.Go(func() { answers[i] = p.ask(r, v.page(number)) })
	}
	askers.Wait()
	maps.Copy(w.Header(), answers[0].header)
	w.Header().Del("Content-Length")
	fmt.Fprintf(w, "<!DOCTYPE html><html lang=en class=is-hosted><meta charset=utf-8><title>hosted</title>%s<link rel=stylesheet href=%s>\n",
		sheet.Find(answers[0].body.Bytes()), gridPath)
	for i, number := range numbers {
		w.Write(p.take(number, answers[i], v.frame()))
	}
}

// take returns the frame of a page. A page without one keeps its place empty.
func (p *product) take(number string, a *reply, frame *regexp.Regexp) []byte {
	found := frame.Find(a.body.Bytes())
	p.mu.Lock()
	defer p.mu.Unlock()
	if a.status != http.StatusOK {
		p.faults = append(p.faults, fmt.Errorf("the product answered %d for the page of vector %s", a.status, number))
	}
	if found == nil {
		return []byte("<i></i>\n")
	}
	if h := p.shelf.files[number]; h != nil {
		p.framed[h.vector.Number] = true
	}
	return append(found, '\n')
}

// ask asks the product for one of its pages as the browser that asks us would.
func (p *product) ask(r *http.Request, page string) *reply {
	a := &reply{header: make(http.Header)}
	address, err := url.Parse(page)
	if err != nil {
		a.status = http.StatusBadRequest
		return a
	}
	own := r.Clone(r.Context())
	own.URL, own.RequestURI = address, page
	p.pages.ServeHTTP(a, own)
	return a
}

// unmeasured says so when the pages of a mode measured less than half of what they showed: then the frames for that were
// not tried.
func (p *product) unmeasured(shown int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if 2*len(p.looked) >= shown {
		return nil
	}
	return fmt.Errorf("the pages measured %d of %d documents", len(p.looked), shown)
}

// missed says what is not as it must be after a mode: a document that no frame got, or an answer that was none. A vector
// whose pages frame nothing in a comparison has nothing to attack with there.
func (p *product) missed(v view, vectors []corpus.Vector) (shown int, faults []error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	faults = p.faults
	for _, vector := range vectors {
		switch {
		case p.served[vector.Number]:
			shown++
		case v != asChange || p.framed[vector.Number]:
			faults = append(faults, fmt.Errorf("%s/%s: the product's page did not show it in a frame", vector.Family, vector.Name))
		}
	}
	return shown, faults
}
