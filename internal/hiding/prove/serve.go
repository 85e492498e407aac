package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"

	"github.com/figs-web/figs-web/internal/hiding"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
	"github.com/figs-web/figs-web/static"
)

// widths are those of a phone, of the frame beside a sign-off, and of a desk.
var widths = []int{360, 552, 1280}

// The policies of the server's pages, documents and hidden frames.
const (
	pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types figs"
	documentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox"
)

// serve offers the documents as the product makes them, and a page that measures them as its pages do.
func serve(list []hiding.Document) *httptest.Server {
	documents, names := map[string]*hiding.Document{}, []string{}
	for i := range list {
		documents[list[i].Name] = &list[i]
		names = append(names, list[i].Name)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /names", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"documents": names, "widths": widths})
	})
	send := func(w http.ResponseWriter, contentType, policy string, body []byte) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Cache-Control", "no-store")
		w.Write(body)
	}
	mux.HandleFunc("GET /document/{name}", func(w http.ResponseWriter, r *http.Request) {
		d, text, policy := documents[r.PathValue("name")], hiding.Secret, documentPolicy
		if r.URL.Query().Get("text") == "other" {
			text = hiding.Other
		}
		if r.URL.Query().Has("measure") {
			policy += " allow-same-origin"
		}
		if d == nil {
			http.NotFound(w, r)
			return
		}
		send(w, "text/html; charset=utf-8", policy, rendered(d, text).Document)
	})
	mux.HandleFunc("GET /twin", func(w http.ResponseWriter, _ *http.Request) {
		send(w, "text/html; charset=utf-8", documentPolicy+" allow-same-origin", []byte("<!doctype html><title>twin</title>"))
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		send(w, "text/html; charset=utf-8", pagePolicy, []byte(`<!doctype html><title>measure</title><link rel="stylesheet" href="/page.css"><script type="module" src="/js/page.js"></script><body><iframe id="shown" sandbox=""></iframe>`))
	})
	mux.HandleFunc("GET /page.css", func(w http.ResponseWriter, _ *http.Request) {
		send(w, "text/css", pagePolicy, []byte(`html,body{margin:0;height:100%}#shown{display:block;border:0;width:100%;height:100%}.measuring{position:fixed;left:-30000px;top:0;border:0}`))
	})
	mux.HandleFunc("GET /js/page.js", func(w http.ResponseWriter, _ *http.Request) {
		send(w, "text/javascript", pagePolicy, []byte(`import { measure } from './measure.js';
const frame = document.getElementById('shown');
window.shown = address => new Promise(resolve => { frame.onload = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))); frame.src = address; });
window.measured = (name, width) => measure((frame, twin) => { frame.src = twin ? '/twin' : '/document/' + name + '?measure'; }, width, 900, new AbortController().signal);`))
	})
	scripts, err := fs.Sub(static.Files, "js")
	if err != nil {
		panic(err)
	}
	mux.Handle("GET /js/", http.StripPrefix("/js/", http.FileServerFS(scripts)))
	return httptest.NewServer(mux)
}

// rendered is what the sandbox makes of a document.
func rendered(d *hiding.Document, secret string) *report.Result {
	return sandbox.Render(fmt.Sprintf("%s.%s", d.Name, d.Ext), d.With(secret), report.Rendered, report.Hosted())
}
