//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/figs-web/figs-web/internal/load/seed"
)

// What static/js/hosted/live.js waits between two fetches: for rows that the page shows, for the page, and for what is around
// them; and after how long it fetches the page all the same.
const (
	rowsApart, pageApart, aroundApart = 600 * time.Millisecond, 3 * time.Second, 5 * time.Second
	pageAges                          = time.Minute
	mostRows                          = 100
)

// openPage is a page that is open in a browser: it listens, and fetches what has changed as live.js does.
type openPage struct {
	node, path string
	person     int
	client     *http.Client

	mu                  sync.Mutex
	events              int
	all                 bool            // anything may have changed
	changed             map[string]bool // rows of agents that have changed
	shown               map[string]bool // rows of agents on the page
	fetches, parts      int
	bytes               int64
	lastFetch, lastPage time.Time
}

func newOpenPage(node, path string, person int) *openPage {
	return &openPage{node: node, path: "/w/" + seed.Slug + path, person: person, client: &http.Client{Transport: &http.Transport{}}, changed: map[string]bool{}}
}

// live keeps the page open until over ends.
func (p *openPage) live(over context.Context) error {
	defer p.client.CloseIdleConnections()
	if err := p.fetch(over, ""); err != nil {
		return err
	}
	var listening sync.WaitGroup
	defer listening.Wait()
	failed := make(chan error, 1)
	listening.Go(func() { failed <- p.listen(over) })
	for {
		select {
		case <-over.Done():
			return nil
		case err := <-failed:
			return err
		case <-time.After(100 * time.Millisecond):
		}
		if rows, ok := p.due(); ok {
			if err := p.fetch(over, rows); err != nil {
				return err
			}
		}
	}
}

// due reports whether it is time to fetch something, and which rows; "" for the page.
func (p *openPage) due() (rows string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.all && len(p.changed) == 0 {
		return "", false
	}
	if len(p.changed) > mostRows {
		p.all = true
	}
	apart, list := aroundApart, []string{}
	for row := range p.changed {
		list = append(list, row)
		if p.shown[row] {
			apart = rowsApart
		}
	}
	if p.all {
		apart = pageApart
	}
	if time.Since(p.lastFetch) < apart {
		return "", false
	}
	if !p.all && time.Since(p.lastPage) < pageAges {
		slices.Sort(list)
		rows = strings.Join(list, " ")
	}
	p.all = false
	clear(p.changed)
	return rows, true
}

var liveRows = regexp.MustCompile(`data-live="(a:[^"/]+)`)

// fetch asks for the page, or for some of its rows.
func (p *openPage) fetch(over context.Context, rows string) error {
	p.mu.Lock()
	p.lastFetch = time.Now()
	p.mu.Unlock()
	r, err := http.NewRequestWithContext(over, http.MethodGet, p.node+p.path, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Cookie", cookieOf(r.URL.Host, p.person))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if rows != "" {
		r.Header.Set("Figs-Rows", rows)
	}
	answer, err := p.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("an open page at %s has status %d", p.path, answer.StatusCode)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fetches++
	p.bytes += int64(len(text))
	if rows != "" {
		p.parts++
		return err
	}
	p.lastPage, p.shown = p.lastFetch, map[string]bool{}
	for _, row := range liveRows.FindAllSubmatch(text, -1) {
		p.shown[string(row[1])] = true
	}
	return err
}

// listen notes what the page's event stream says.
func (p *openPage) listen(over context.Context) error {
	r, err := http.NewRequestWithContext(over, http.MethodGet, p.node+"/w/"+seed.Slug+"/events", nil)
	if err != nil {
		return err
	}
	r.Header.Set("Cookie", cookieOf(r.URL.Host, p.person))
	answer, err := p.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("a stream has status %d", answer.StatusCode)
	}
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data:")
		if !ok {
			continue
		}
		fields := strings.Fields(data)
		p.mu.Lock()
		p.events++
		if len(fields) < 2 {
			p.all = true
		} else {
			for _, row := range fields[1:] {
				p.changed[row] = true
			}
		}
		p.mu.Unlock()
	}
	return errors.New("the server closed a stream")
}
