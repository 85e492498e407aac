package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/internal/bench/table"
)

// The workspace of the inbox part: so many agents, so many asks at first, so many of them open.
const inboxAgents, inboxAsks, inboxOpen = 500, 10_000, 300

// measureInbox gives the inbox's first page as a ratio to an Echo handler that writes the same bytes, its growth with the
// closed asks, and a reply sync with nothing new.
func measureInbox(ctx context.Context, b *bench) error {
	h, err := b.host(ctx, "inbox")
	if err != nil {
		return err
	}
	defer h.close()
	if err := h.fillInbox(ctx); err != nil {
		return err
	}
	address := h.address + "/w/acme/inbox?everybody=1"
	small, err := h.latency(ctx, address)
	if err != nil {
		return err
	}
	if err := h.multiply(ctx, 1, 9); err != nil {
		return err
	}
	if err := h.weight(ctx, b); err != nil {
		return err
	}
	if err := h.rates(ctx, b, address); err != nil {
		return err
	}
	if err := h.sync(ctx, b); err != nil {
		return err
	}
	if err := h.multiply(ctx, 10, 90); err != nil {
		return err
	}
	large, err := h.latency(ctx, address)
	if err != nil {
		return err
	}
	b.table.Add(table.Row{What: "inbox, from 10,000 to 1,000,000 asks", Figure: large / small, Format: "%.2f×", Floor: 1.5, Aim: 1.1,
		Detail: sprint("%.2f ms to %.2f ms a page", small, large)})
	return nil
}

// rates compares requests per second.
func (h *hosted) rates(ctx context.Context, b *bench, address string) error {
	page, err := h.page(ctx, address)
	if err != nil {
		return err
	}
	if n := strings.Count(string(page), "data-live="); n < 50 {
		return fmt.Errorf("the inbox shows %d rows, want 50", n)
	}
	h.peers.GET("/page", func(c echo.Context) error { return c.HTMLBlob(http.StatusOK, page) })
	ours, theirs, err := h.alternate(ctx, address, h.peer+"/page", http.StatusOK, "")
	if err != nil {
		return err
	}
	b.table.Add(table.Row{What: "inbox of 100,000 asks, first page", Figure: ours / theirs, Format: "%.2f", Floor: 0.14, Aim: 0.3, More: true,
		Detail: sprint("%.0f requests a second, an Echo handler that writes the same %d bytes %.0f", ours, len(page), theirs)})
	return nil
}

// sync compares a reply sync with nothing new to an Echo handler that does nothing.
func (h *hosted) sync(ctx context.Context, b *bench) error {
	address := h.address + "/api/messages?agent=" + inboxAgent(7)
	r, err := h.request(ctx, address, "")
	if err != nil {
		return err
	}
	response, err := h.client.Do(r)
	if err != nil {
		return err
	}
	response.Body.Close()
	tag := response.Header.Get("ETag")
	if tag == "" {
		return fmt.Errorf("the reply sync has no ETag: status %d", response.StatusCode)
	}
	h.peers.GET("/nothing", func(c echo.Context) error { return c.NoContent(http.StatusNotModified) })
	ours, theirs, err := h.alternate(ctx, address, h.peer+"/nothing", http.StatusNotModified, tag)
	if err != nil {
		return err
	}
	b.table.Add(table.Row{What: "reply sync, nothing new", Figure: ours / theirs, Format: "%.2f", Floor: 0.5, Aim: 0.8, More: true,
		Detail: sprint("%.0f requests a second, an Echo handler that answers 304 at once %.0f", ours, theirs)})
	return nil
}

func (h *hosted) request(ctx context.Context, address, tag string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Cookie", h.cookie)
	r.Header.Set("Authorization", "Bearer "+h.token)
	if tag != "" {
		r.Header.Set("If-None-Match", tag)
	}
	return r, nil
}

func (h *hosted) page(ctx context.Context, address string) ([]byte, error) {
	r, err := h.request(ctx, address, "")
	if err != nil {
		return nil, err
	}
	return h.ask(r, http.StatusOK)
}

// latency is the median of a page's time in milliseconds, one request at a time.
func (h *hosted) latency(ctx context.Context, address string) (float64, error) {
	var all []float64
	for range 60 {
		begun := time.Now()
		if _, err := h.page(ctx, address); err != nil {
			return 0, err
		}
		all = append(all, time.Since(begun).Seconds()*1000)
	}
	return median(all[10:]), nil
}

// alternate measures requests per second of two addresses in turns, and returns the medians.
func (h *hosted) alternate(ctx context.Context, ours, theirs string, want int, tag string) (a, z float64, err error) {
	var as, zs []float64
	for range 5 {
		for _, m := range []struct {
			to      *[]float64
			address string
		}{{&as, ours}, {&zs, theirs}} {
			rate, err := h.rate(ctx, m.address, want, tag)
			if err != nil {
				return 0, 0, err
			}
			*m.to = append(*m.to, rate)
		}
	}
	return median(as), median(zs), nil
}

// rate asks an address over and over from four clients for a second.
func (h *hosted) rate(ctx context.Context, address string, want int, tag string) (float64, error) {
	var done atomic.Int64
	var failed error
	var once sync.Once
	var clients sync.WaitGroup
	begun := time.Now()
	for range 4 {
		clients.Go(func() {
			for time.Since(begun) < time.Second {
				r, err := h.request(ctx, address, tag)
				if err == nil {
					_, err = h.ask(r, want)
				}
				if err != nil {
					once.Do(func() { failed = err })
					return
				}
				done.Add(1)
			}
		})
	}
	clients.Wait()
	return float64(done.Load()) / time.Since(begun).Seconds(), failed
}

func inboxAgent(i int) string { return fmt.Sprintf("0d4f2a3c-2222-4222-8333-%012d", i) }

// fillInbox pushes the agents with their asks through the real ingest.
func (h *hosted) fillInbox(ctx context.Context) error {
	for i := range inboxAgents {
		var asks []string
		for k := range inboxAsks / inboxAgents {
			n := i*(inboxAsks/inboxAgents) + k
			end := `"status":"resolved","resolution":{"note":"Sent","ts":"2026-10-02T08:00:00Z"}`
			if n%(inboxAsks/inboxOpen) == 0 && n/(inboxAsks/inboxOpen) < inboxOpen {
				end = `"status":"open"`
			}
			asks = append(asks, fmt.Sprintf(`{"id":"ask-%d","ts":%q,"type":"sign-off","title":"Send the statement of customer %d","found":"The statement is complete but for two delivery numbers","need":"A go before the end of the month","onApprove":["Send the statement","File the copy"],"attachments":["statement.html"],%s}`,
				k, time.Date(2026, 10, 1, 8, 0, n, 0, time.UTC).Format(time.RFC3339), n, end))
		}
		body := fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"Agent %d","role":"Clerk","department":"Department %d"},"asks":[%s]}`,
			h.workspace.ID, inboxAgent(i), i, i%12, strings.Join(asks, ","))
		if _, err := h.push(ctx, h.address+"/api/ingest", body); err != nil {
			return err
		}
	}
	return nil
}

// multiply copies every closed ask of the first push, as if there had been more: copies number from until below to.
func (h *hosted) multiply(ctx context.Context, from, to int) error {
	db, err := h.open()
	if err != nil {
		return err
	}
	defer db.Close()
	_, columns, err := readRows(ctx, db, "SELECT * FROM records LIMIT 0")
	if err != nil {
		return err
	}
	chosen := slices.Clone(columns)
	for i, c := range chosen {
		switch c {
		case "no", "place":
			chosen[i] = c + " + ?1 * 10000000"
		case "id":
			chosen[i] = "id || '-' || ?1"
		}
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for i := from; i < from+to; i++ {
		if _, err := tx.ExecContext(ctx, "INSERT INTO records ("+strings.Join(columns, ", ")+") SELECT "+strings.Join(chosen, ", ")+
			" FROM records WHERE lane = 2 AND no < 10000000", i); err != nil {
			return err
		}
	}
	return tx.Commit()
}
