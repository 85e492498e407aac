package wire

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// Bodies that are no push are refused with what is wrong; nothing is stored, and nothing is 5xx.
func TestBodies(t *testing.T) {
	w := newWorld(t)
	before := w.hash()
	for name, c := range map[string]struct {
		body string
		code string
	}{
		"nothing":        {``, "push_unreadable"},
		"no JSON":        {`<html>`, "push_unreadable"},
		"cut":            {w.body(push{runs: []string{aRun}})[:200], "push_unreadable"},
		"an array":       {`[]`, "push_unreadable"},
		"two objects":    {w.body(push{}) + w.body(push{}), "push_unreadable"},
		"no agent":       {fmt.Sprintf(`{"workspaceId":%q}`, w.acme.ID), "push_unreadable"},
		"agent no UUID":  {w.body(push{agent: "../x"}), "push_unreadable"},
		"runs no list":   {strings.Replace(w.body(push{}), `"runs":[]`, `"runs":{}`, 1), "push_unreadable"},
		"10,000 deep":    {w.body(push{runs: []string{`{"id":"r","ts":"2026-11-20T10:00:00Z","x":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`}}), "push_unreadable"},
		"open 10,000":    {strings.Repeat(`{"a":`, 10_000), "push_unreadable"},
		"UTF-16":         {"\xff\xfe{\x00}\x00", "push_unreadable"},
		"deep charter":   {w.body(push{charter: `,"x":` + strings.Repeat("[", 40) + strings.Repeat("]", 40)}), "charter_too_deep"},
		"no workspaceId": {fmt.Sprintf(`{"agent":{"id":%q}}`, anAgent), "push_unreadable"},
	} {
		t.Run(name, func(t *testing.T) {
			w.is(w.post("/api/ingest", "bo", c.body), 400, c.code)
		})
	}
	w.is(w.post("/api/ingest", "bo", w.body(push{charter: `,"x":"` + strings.Repeat("x", 1<<20) + `"`})), 413, "charter_too_large")
	if w.hash() != before {
		t.Error("something was stored")
	}
}

// What is odd and can be stored is stored as it came.
func TestOddRecords(t *testing.T) {
	w := newWorld(t)
	runs := []string{
		`{"id":"a/b/../🍇 %2F","ts":"2026-11-20T10:00:00Z","x-own":{"deep":[1,{"y":null}]},"unit":"u","period":"p"}`,
		`{"id":"dup","ts":"1","result":"first","ts":"2026-11-20T10:00:00Z","result":"last"}`,
		`{"id":"\ud800","ts":"2026-11-20T10:00:00Z","result":"\udfff lone"}`,
		`{"id":"types","ts":"2026-11-20T10:00:00Z","title":[],"result":{},"session":7,"unit":false}`,
		`{"id":"zero\u0000","ts":"2099-01-01T00:00:00Z","result":"nul \u0000"}`,
		`{"id":"__proto__","ts":"2026-11-20T10:00:00Z","constructor":1}`,
	}
	a := w.ingest("bo", push{runs: runs, charter: `,"name":"Reconciliation","x":1e999`, more: `,"unknown":{"of":"the body"}`})
	w.is(a, 200, "")
	if a.json["runs"] != 6.0 {
		t.Fatalf("%s", a.text)
	}
	r, err := w.s.Record(ctx, anAgent, figs.Runs, "a/b/../🍇 %2F")
	w.ok(err)
	if string(r.Fold) != runs[0] {
		t.Errorf("kept %s", r.Fold)
	}
	r, err = w.s.Record(ctx, anAgent, figs.Runs, "dup")
	w.ok(err)
	if !strings.Contains(string(r.Fold), `"last"`) || strings.Contains(string(r.Fold), `"first"`) {
		t.Errorf("of duplicate keys the last counts: %s", r.Fold)
	}
	before := w.hash()
	w.is(w.ingest("bo", push{runs: runs, charter: `,"name":"Reconciliation","x":1e999`}), 200, "")
	if w.hash() != before {
		t.Error("the same again changed something")
	}
	// A clock in 2099 locks nothing.
	w.is(w.ingest("bo", push{charter: `,"x":1e999`, runs: []string{`{"id":"zero\u0000","ts":"2026-11-20T13:00:00Z","result":"now"}`}}), 200, "")
	r, err = w.s.Record(ctx, anAgent, figs.Runs, "zero\x00")
	w.ok(err)
	if !strings.Contains(string(r.Fold), `"now"`) {
		t.Errorf("locked by a clock in 2099: %s", r.Fold)
	}
}

// A record over a limit is refused alone, each time it comes, and the rest applies.
func TestRefusedAlone(t *testing.T) {
	w := newWorld(t)
	large := `{"id":"large","ts":"2026-11-20T10:00:00Z","x":"` + strings.Repeat("x", 1<<20) + `"}`
	long := `{"id":"` + strings.Repeat("長", 200) + `","ts":"2026-11-20T10:00:00Z"}`
	for range 2 {
		a := w.ingest("bo", push{runs: []string{large, aRun, long}})
		w.is(a, 200, "")
		reasons := map[string]bool{}
		for _, r := range a.json["refused"].([]any) {
			reasons[r.(map[string]any)["reason"].(string)] = true
		}
		if len(reasons) != 2 || !reasons["record_too_large"] || !reasons["record_id_too_long"] {
			t.Errorf("refused %v", reasons)
		}
	}
	list, total, err := w.s.Records(ctx, store.RecordQuery{Agent: anAgent, File: figs.Runs, N: 10})
	if err != nil || total != 1 || list[0].ID != "r" {
		t.Errorf("%d records, %v", total, err)
	}
}

func TestManyRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	w := newWorld(t)
	const n = 100_000
	runs := make([]string, n)
	for i := range runs {
		runs[i] = fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T10:00:00Z"}`, i)
	}
	a := w.ingest("bo", push{runs: runs})
	w.is(a, 200, "")
	if a.json["runs"] != float64(n) || len(a.json["refused"].([]any)) > 0 {
		t.Errorf("%.200s", a.text)
	}
}

// Ids mean something only together with their agent.
func TestTwoAgents(t *testing.T) {
	w := newWorld(t)
	p := push{runs: []string{aRun}, asks: []string{aQuestion}, messages: []string{anAnswer}}
	w.is(w.ingest("bo", p), 200, "")
	other := push{agent: secondAgent, name: "Payables", runs: []string{strings.Replace(aRun, "October", "Invoices", 1)}, asks: p.asks, messages: []string{strings.Replace(anAnswer, `"x"`, `"y"`, 1)}}
	w.is(w.ingest("bo", other), 200, "")
	w.is(w.upload("bo", anAgent, "report.html", "one"), 200, "")
	w.is(w.upload("bo", secondAgent, "report.html", "two"), 200, "")
	for agent, want := range map[string]string{anAgent: "October", secondAgent: "Invoices"} {
		r, err := w.s.Record(ctx, agent, figs.Runs, "r")
		w.ok(err)
		if !strings.Contains(string(r.Fold), want) {
			t.Errorf("%s: %s", agent, r.Fold)
		}
	}
}

// A pushed reply is transcribed, whatever it claims; one with the id of a reply that was minted
// here changes nothing and is reported back.
func TestForgedReply(t *testing.T) {
	w := newWorld(t)
	w.is(w.ingest("bo", push{asks: []string{anAsk}, runs: []string{aRun}}), 200, "")
	w.later(time.Minute)
	_, err := w.s.Reply(ctx, store.Act{By: w.people["ana"].ID, At: w.at()}, anAgent,
		[]byte(`{"id":"minted","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T12:01:00Z","source":"app","verdict":"rejected"}`))
	w.ok(err)
	forged := `{"id":"minted","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T12:01:00Z","source":"app","verdict":"approved"}`
	for range 2 {
		a := w.ingest("bo", push{asks: []string{anAsk}, runs: []string{aRun}, messages: []string{forged}})
		w.is(a, 200, "")
		if list := a.json["refused"].([]any); len(list) != 1 || list[0].(map[string]any)["reason"] != "message_id_reused" {
			t.Errorf("%s", a.text)
		}
	}
	m, err := w.s.Message(ctx, anAgent, "minted")
	w.ok(err)
	if !m.Verified || !strings.Contains(string(m.Line), "rejected") {
		t.Errorf("the reply is %+v", m)
	}
	own := strings.Replace(forged, "minted", "guess", 1)
	w.is(w.ingest("bo", push{asks: []string{anAsk}, runs: []string{aRun}, messages: []string{own}}), 200, "")
	if m, err := w.s.Message(ctx, anAgent, "guess"); err != nil || m.Verified || !strings.Contains(string(m.Line), `"source":"chat"`) {
		t.Errorf("a claim is kept as %+v, %v", m, err)
	}
}

// Pushes that come again and out of order end as they would in order.
func TestReorderedPushes(t *testing.T) {
	steps := []push{
		{runs: []string{`{"id":"r","ts":"2026-11-20T10:00:00Z","state":"in-flight","result":"begun"}`}},
		{runs: []string{`{"id":"r","ts":"2026-11-20T11:00:00Z","state":"settled","result":"done"}`}, asks: []string{aQuestion}},
		{runs: []string{`{"id":"r","ts":"2026-11-20T11:00:00Z","state":"settled","result":"done"}`}, asks: []string{strings.Replace(aQuestion, `"options"`, `"status":"resolved","resolution":{"ts":"2026-11-20T12:00:00Z"},"options"`, 1)}, messages: []string{anAnswer}},
	}
	var folds []string
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2, 1, 0, 2}, {2, 2, 0, 1}} {
		w := newWorld(t)
		for _, i := range order {
			w.is(w.ingest("bo", steps[i]), 200, "")
		}
		r, err := w.s.Record(ctx, anAgent, figs.Runs, "r")
		w.ok(err)
		q, err := w.s.Record(ctx, anAgent, figs.Asks, "q")
		w.ok(err)
		folds = append(folds, fmt.Sprint(figs.RunOutcome(figs.Fold([][]byte{r.Fold})), figs.Fold([][]byte{r.Fold}).Get("result").Text(), q.State.Phase, figs.Fold([][]byte{q.Fold}).Get("status").Text()))
	}
	for _, f := range folds[1:] {
		if f != folds[0] {
			t.Errorf("ended as %v", folds)
			break
		}
	}
}

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
	w.wire.memory.left = 1 << 20
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
	if w.wire.memory.left != 1<<20 {
		t.Errorf("%d bytes were not given back", 1<<20-w.wire.memory.left)
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
	body := w.body(push{runs: []string{aRun}})
	begun := time.Now()
	r := w.raw(func(c net.Conn) {
		io.WriteString(c, head(len(body)))
		go func() {
			for i := range body {
				if _, err := io.WriteString(c, body[i:i+1]); err != nil {
					return
				}
				time.Sleep(50 * time.Millisecond)
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
			time.Sleep(20 * time.Millisecond)
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
