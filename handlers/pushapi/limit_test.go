package pushapi

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
)

func zipped(s string) *bytes.Buffer {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return &b
}

func TestLimits(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.MaxIngest = 1 << 20 })
	body := w.body(push{runs: []string{aRun}})
	w.is(w.send("POST", "/api/ingest", "bo", zipped(body), "Content-Encoding", "gzip"), 200, "")
	w.is(w.post("/api/ingest", "bo", body, "Content-Encoding", "identity"), 200, "")
	long := w.body(push{charter: `,"x":"` + strings.Repeat("x", 1<<20) + `"`})
	w.is(w.post("/api/ingest", "bo", long), 413, "push_too_large", "1 MiB", "--max-ingest", "Retrying will not help")
	w.is(w.send("POST", "/api/ingest", "bo", io.MultiReader(strings.NewReader(long))), 413, "push_too_large")
	w.is(w.send("POST", "/api/validate", "bo", strings.NewReader(long)), 413, "push_too_large")
	bomb := zipped(strings.Repeat("\x00", 200<<20))
	w.is(w.send("POST", "/api/ingest", "bo", bomb, "Content-Encoding", "gzip"), 413, "push_too_large")
	w.is(w.send("POST", "/api/artifacts/upload", "bo", zipped(`{"content":"`+strings.Repeat("A", 40<<20)+`"}`), "Content-Encoding", "gzip"), 413, "file_too_large")
	w.is(w.post("/api/ingest", "bo", body, "Content-Encoding", "gzip"), 400, "body_unreadable")
	cut := zipped(body).Bytes()
	w.is(w.send("POST", "/api/ingest", "bo", bytes.NewReader(cut[:len(cut)-9]), "Content-Encoding", "gzip"), 400, "body_cut")
	cut[len(cut)-6] ^= 1
	w.is(w.send("POST", "/api/ingest", "bo", bytes.NewReader(cut), "Content-Encoding", "gzip"), 400, "body_unreadable")
	w.is(w.post("/api/ingest", "bo", body, "Content-Encoding", "br"), 415, "encoding_unknown")
}

// A body that stays out of memory is the same body.
func TestLargeBodies(t *testing.T) {
	w := newWorld(t)
	w.wire.memory = newBudget(1 << 20)
	p := push{}
	for i := range 30 {
		p.runs = append(p.runs, fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T10:00:00Z","x":"%s"}`, i, strings.Repeat("é", 200_000)))
	}
	w.is(w.ingest("bo", p), 200, "")
	if a := w.ingest("bo", p); a.json["unchanged"] != true {
		t.Errorf("again: %.300s", a.text)
	}
	r, err := w.s.Record(ctx, anAgent, figs.Runs, "r29")
	w.ok(err)
	if string(r.Fold) != p.runs[29] {
		t.Error("another record came out")
	}
	if left := w.wire.memory.left.Load(); left != 1<<20 {
		t.Errorf("%d bytes were not given back", 1<<20-left)
	}
}

// raw sends bytes as they are and reads the answer.
func (w *world) raw(send func(net.Conn)) *http.Response {
	w.Helper()
	conn, err := net.Dial("tcp", w.server.Listener.Addr().String())
	w.ok(err)
	w.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	send(conn)
	r, err := http.ReadResponse(newBuffered(conn), nil)
	w.ok(err)
	return r
}

func head(length int) string {
	return fmt.Sprintf("POST /api/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer bo\r\nContent-Length: %d\r\n\r\n", length)
}

func TestBodyThatLiesAboutItsLength(t *testing.T) {
	w := newWorld(t)
	body := w.body(push{runs: []string{aRun}})
	r := w.raw(func(c net.Conn) {
		io.WriteString(c, head(len(body)+100)+body)
		c.(*net.TCPConn).CloseWrite()
	})
	if text, _ := io.ReadAll(r.Body); r.StatusCode != 400 || !strings.Contains(string(text), "body_cut") {
		t.Errorf("too short: %d %s", r.StatusCode, text)
	}
	r = w.raw(func(c net.Conn) { io.WriteString(c, head(len(body)-100)+body) })
	if text, _ := io.ReadAll(io.LimitReader(r.Body, 500)); r.StatusCode != 400 || !strings.Contains(string(text), "push_unreadable") {
		t.Errorf("too long: %d %s", r.StatusCode, text)
	}
	if _, err := w.s.Agent(ctx, anAgent); err == nil {
		t.Error("something was stored")
	}
}

func TestSlowBodies(t *testing.T) {
	w := newWorld(t)
	w.maySpew = true
	w.wire.patience = patience{first: 300 * time.Millisecond, rate: 1 << 20, answer: time.Minute, drain: time.Second}
	w.server = httptest.NewUnstartedServer(w.server.Config.Handler)
	w.server.Config.WriteTimeout = 100 * time.Millisecond // which is for requests that only ask
	w.server.Start()
	t.Cleanup(w.server.Close)
	body := w.body(push{runs: []string{aRun}})
	begun := time.Now()
	r := w.raw(func(c net.Conn) {
		io.WriteString(c, head(len(body)))
		go func() {
			for i := range body {
				if _, err := io.WriteString(c, body[i:i+1]); err != nil {
					return
				}
				time.Sleep(50 * time.Millisecond) // as slow as this is what the test is about
			}
		}()
	})
	if text, _ := io.ReadAll(r.Body); r.StatusCode != 503 || !strings.Contains(string(text), "body_slow") || time.Since(begun) > 10*time.Second {
		t.Errorf("after %v: %d %s", time.Since(begun), r.StatusCode, text)
	}
	// Who is slow and comes on is let in.
	w.wire.patience.first = 5 * time.Second
	r = w.raw(func(c net.Conn) {
		io.WriteString(c, head(len(body)))
		for i := range 5 {
			io.WriteString(c, body[i*len(body)/5:(i+1)*len(body)/5])
			time.Sleep(20 * time.Millisecond) // slow, but fast enough
		}
	})
	if text, _ := io.ReadAll(r.Body); r.StatusCode != 200 {
		t.Errorf("%d %s", r.StatusCode, text)
	}
}

// Who still sends when the answer is clear reads the answer, not a broken connection.
func TestRefusedBeforeItCame(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.MaxIngest = 16 << 20 })
	for name, c := range map[string]struct{ token, length, status int }{"unknown token": {0, 12 << 20, 401}, "too large": {1, 20 << 20, 413}} {
		r := w.raw(func(conn net.Conn) {
			_, err := io.WriteString(conn, strings.Replace(head(c.length), "Bearer bo", "Bearer "+[]string{"nobody", "bo"}[c.token], 1)+strings.Repeat(" ", c.length))
			w.ok(err)
		})
		if r.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", name, r.StatusCode, c.status)
		}
	}
}
