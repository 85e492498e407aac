package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path"
	"regexp"

	"github.com/figs-web/figs-web/internal/bench/table"
)

// referred matches the files that a page loads, and imported those that a script imports, relative to the script.
var (
	referred = regexp.MustCompile(`(?:href|src)="(/static/[^"]+)"`)
	imported = regexp.MustCompile(`(?:from|import)\s*["'](\.\.?/[^"']+)["']`)
)

// weight is what a first visit to the inbox transfers, compressed as the server sends it: the page and every file that
// it or a script of it refers to.
func (h *hosted) weight(ctx context.Context, b *bench) error {
	packed, err := h.load(ctx, h.address+"/w/acme/inbox", "gzip")
	if err != nil {
		return err
	}
	page, err := h.load(ctx, h.address+"/w/acme/inbox", "identity")
	if err != nil {
		return err
	}
	total, files, seen := len(packed), 0, map[string]bool{}
	var follow func(file string) error
	follow = func(file string) error {
		if seen[file] {
			return nil
		}
		seen[file] = true
		packed, err := h.load(ctx, h.address+file, "gzip")
		if err != nil {
			return err
		}
		text, err := h.load(ctx, h.address+file, "identity")
		if err != nil {
			return err
		}
		total, files = total+len(packed), files+1
		for _, m := range imported.FindAllSubmatch(text, -1) {
			if err := follow(path.Join(path.Dir(file), string(m[1]))); err != nil {
				return err
			}
		}
		return nil
	}
	for _, m := range referred.FindAllSubmatch(page, -1) {
		if err := follow(string(m[1])); err != nil {
			return err
		}
	}
	b.table.Add(table.Row{What: "first visit to the inbox, compressed", Figure: float64(total) / 1024, Format: "%.1f KB", Floor: 60, Aim: 35,
		Detail: fmt.Sprintf("a page of 50 rows among 500 agents, and %d files", files)})
	return nil
}

// load returns what an address transfers in that encoding.
func (h *hosted) load(ctx context.Context, address, encoding string) ([]byte, error) {
	r, err := h.request(ctx, address, "")
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept-Encoding", encoding)
	response, err := h.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s = %d", address, response.StatusCode)
	}
	return body, err
}
