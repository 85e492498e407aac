package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"unicode"

	"github.com/figs-web/figs-web/internal/hiding"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
	"github.com/figs-web/figs-web/static"
)

//go:embed frame.js
var frameScript []byte

const framePage = `<!doctype html><meta charset="utf-8"><title>frame</title><style>body{margin:0;background:#fff}body>iframe:first-of-type{display:block;width:360px;height:640px;border:0;background:#fff}</style>
<iframe sandbox="allow-same-origin" referrerpolicy="no-referrer"></iframe><script src="/frame.js"></script>
`

// documentPolicy is that of the viewer, except that the page around the frame may read the frame.
const documentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; sandbox allow-same-origin"

// A job is a pair of documents to compare at one width, or a document to measure.
type job struct {
	Name  string `json:"name"`
	Width int    `json:"width"`
	A     string `json:"a,omitempty"` // paths
	B     string `json:"b,omitempty"`

	Measure string `json:"measure,omitempty"` // the path of a document to measure instead
}

// serve offers the documents as the viewer renders them, and the page with the frame.
func serve(documents []hiding.Document, jobs []job) *httptest.Server {
	named := map[string]hiding.Document{}
	for _, d := range documents {
		named[d.Name] = d
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /jobs", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"jobs": jobs})
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, framePage)
	})
	mux.HandleFunc("GET /frame.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Write(frameScript)
	})
	mux.HandleFunc("GET /empty", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", documentPolicy)
		fmt.Fprint(w, "<!doctype html><title>empty</title>")
	})
	mux.Handle("GET /js/", http.FileServerFS(static.Files))
	mux.HandleFunc("GET /document/{name}/{text}", func(w http.ResponseWriter, r *http.Request) {
		d, ok := named[r.PathValue("name")]
		content, found := variant(d, r.PathValue("text"))
		if !ok || !found {
			http.NotFound(w, r)
			return
		}
		made := sandbox.Render(d.File(), content, report.Rendered, report.Hosted())
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", documentPolicy)
		w.Header().Set("Cache-Control", "no-store")
		w.Write(made.Document)
	})
	return httptest.NewServer(mux)
}

// variant is a document with its secret, with other letters in its place, or with one of its texts crossed out.
func variant(d hiding.Document, text string) ([]byte, bool) {
	switch text {
	case "secret":
		return d.With(hiding.Secret), true
	case "other":
		return d.With(hiding.Other()), true
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= len(d.Texts) {
		return nil, false
	}
	before := string(d.With(""))
	after := strings.Replace(before, d.Texts[n], crossedOut(d.Texts[n]), 1)
	return []byte(after), after != before
}

// crossedOut exchanges every letter and digit.
func crossedOut(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 'm':
			return 'i'
		case unicode.IsLetter(r):
			return 'm'
		case r == '7':
			return '1'
		case unicode.IsDigit(r):
			return '7'
		}
		return r
	}, text)
}

// secretJobs compares each document with its secret and with other letters.
func secretJobs(documents []hiding.Document) []job {
	var jobs []job
	for _, d := range documents {
		for _, width := range hiding.Widths {
			jobs = append(jobs, job{Name: d.Name, Width: width, A: "/document/" + d.Name + "/secret", B: "/document/" + d.Name + "/other"})
		}
	}
	return jobs
}

// textJobs compares each document with itself, one of its texts crossed out.
func textJobs(documents []hiding.Document) []job {
	var jobs []job
	for _, d := range documents {
		for i := range d.Texts {
			for _, width := range hiding.Widths {
				jobs = append(jobs, job{Name: fmt.Sprintf("%s/%d", d.Name, i), Width: width, A: "/document/" + d.Name + "/secret", B: fmt.Sprintf("/document/%s/%d", d.Name, i)})
			}
		}
	}
	return jobs
}
