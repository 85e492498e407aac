package pushapi

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
)

// manyRecords is an ingest of n records of about 400 bytes, as clients fold them; one of them
// says its version.
func (w *world) manyRecords(n, version int) []byte {
	b := fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"Reconciliation"},"runs":[`, w.acme.ID, anAgent)
	for i := range n / 2 {
		b = fmt.Appendf(b, `{"id":"acme-2026-%05d","ts":"2026-11-20T10:%02d:%02dZ","unit":"acme","period":"2026-10","title":"Statement %d of October","result":"98.6%% matched, %d flagged: prefixed invoice numbers have no bridge rule, and the delivery numbers of two statements are missing","status":"warn","state":"settled","attachments":["acme-%d.html","acme-%d.csv"],"session":{"runtime":"claude-code","model":"m-4","sessionId":"s-%d","tokens":{"input":81234,"output":4200}}},`,
			i, i/60%60, i%60, i, 0, i, i, i)
	}
	b = append(b[:len(b)-1], `],"asks":[`...)
	for i := range n / 2 {
		said := 0
		if i == n/4 {
			said = version
		}
		b = fmt.Appendf(b, `{"id":"ask-%05d","type":"sign-off","title":"Send statement %d to Acme","ts":"2026-11-20T11:%02d:%02dZ","run":"acme-2026-%05d","found":"The statement is complete but for two delivery numbers","need":"Your approval, version %d","onApprove":["send the statement","file it"],"details":[{"l":"Amount","v":"12,400.00"},{"l":"Due","v":"2026-11-30"}],"attachments":["acme-%d.html"]},`,
			i, i, i/60%60, i%60, i, said, i)
	}
	return append(b[:len(b)-1], `]}`...)
}

func median(n int, f func() time.Duration) time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = f()
	}
	slices.Sort(all)
	return all[n/2]
}

func timed(b *testing.B, address string, body []byte) time.Duration {
	r, err := http.NewRequest("POST", address, bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer bo")
	begun := time.Now()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	text, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	if answer.StatusCode != 200 {
		b.Fatalf("%d %s", answer.StatusCode, text)
	}
	return time.Since(begun)
}

// BenchmarkIngest gives pushes of 10,000 records as ratios to reading and hashing the same body
// over HTTP (once is enough: -benchtime 1x).
func BenchmarkIngest(b *testing.B) {
	for range b.N {
		w := newWorld(b)
		bare := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			h := sha256.New()
			var all bytes.Buffer
			all.Grow(int(r.ContentLength) + 512)
			io.Copy(io.MultiWriter(h, &all), r.Body)
			h.Sum(nil)
		}))
		defer bare.Close()
		address := w.server.URL + "/api/ingest"
		first := w.manyRecords(10_000, 0)
		base := median(31, func() time.Duration { return timed(b, bare.URL, first) })
		opened := timed(b, address, first)
		unchanged := median(31, func() time.Duration { return timed(b, address, first) })
		version := 0
		changed := median(45, func() time.Duration {
			version++
			w.later(time.Second)
			return timed(b, address, w.manyRecords(10_000, version))
		})
		b.ReportMetric(float64(len(first))/1e6, "MB")
		b.ReportMetric(float64(base.Microseconds())/1e3, "ms-read")
		b.ReportMetric(float64(opened.Milliseconds()), "ms-first")
		b.ReportMetric(float64(unchanged)/float64(base), "×unchanged")
		b.ReportMetric(float64(changed)/float64(base), "×one-changed")
	}
}

// BenchmarkSync gives a reply sync with nothing new as a ratio of requests per second to an Echo
// handler that does nothing.
func BenchmarkSync(b *testing.B) {
	w := newWorld(b)
	w.is(w.ingest("bo", push{asks: []string{aQuestion}, messages: []string{anAnswer}}), 200, "")
	tag := w.send("GET", "/api/messages?agent="+anAgent, "bo", nil).Header.Get("ETag")
	e := echo.New()
	e.GET("/api/messages", func(c echo.Context) error { return c.NoContent(http.StatusNotModified) })
	bare := httptest.NewServer(e)
	defer bare.Close()
	const n = 500
	batch := func(address string) func() time.Duration {
		return func() time.Duration {
			begun := time.Now()
			for range n {
				r, _ := http.NewRequest("GET", address+"/api/messages?agent="+anAgent, nil)
				r.Header.Set("Authorization", "Bearer bo")
				r.Header.Set("If-None-Match", tag)
				a, err := http.DefaultClient.Do(r)
				if err != nil || a.StatusCode != http.StatusNotModified {
					b.Fatal(a, err)
				}
				a.Body.Close()
			}
			return time.Since(begun) / n
		}
	}
	for range b.N {
		var ours, theirs []time.Duration
		for range 15 { // in turns, since other work on the machine comes and goes
			ours, theirs = append(ours, batch(w.server.URL)()), append(theirs, batch(bare.URL)())
		}
		b.ReportMetric(float64(slices.Min(theirs))/float64(slices.Min(ours)), "×no-op")
		b.ReportMetric(float64(slices.Min(ours).Microseconds()), "µs")
	}
}
