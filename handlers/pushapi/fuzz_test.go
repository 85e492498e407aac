package pushapi

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzIngest pushes anything: the answer is never the server's fault, and the same push again
// changes nothing.
func FuzzIngest(f *testing.F) {
	w := newWorld(f)
	w.maySpew = true // said below, by the test that fails
	for _, p := range []push{
		{}, {runs: []string{aRun}, asks: []string{anAsk, aQuestion}, messages: []string{anAnswer}},
		{runs: []string{aRun, strings.Replace(aRun, `"warn"`, `"ok"`, 1)}, events: []string{strings.Replace(aRun, `"id"`, `"eventId":"e","id"`, 1)}},
		{asks: []string{strings.Replace(aQuestion, `"options"`, `"status":"resolved","resolution":"done","options"`, 1)}},
		{name: "Copy", charter: `,"units":[{"id":"u","name":"U"}]`, more: `,"confirmRename":true`},
		{runs: []string{`{"id":"\ud800","ts":1,"attachments":["../x"]}`}},
	} {
		f.Add([]byte(w.body(p)))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		hash := func() string {
			text, err := w.s.StateHash(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		for i := range 2 {
			before := hash()
			r := httptest.NewRequest("POST", "/api/ingest", strings.NewReader(string(body)))
			r.Header.Set("Authorization", "Bearer bo")
			answer := httptest.NewRecorder()
			w.server.Config.Handler.ServeHTTP(answer, r)
			if answer.Code >= 500 {
				t.Fatalf("%d: %s", answer.Code, answer.Body)
			}
			if changed := hash() != before; changed && (i > 0 || answer.Code != 200) {
				t.Fatalf("push %d changed something, answered %d: %s", i+1, answer.Code, answer.Body)
			}
		}
	})
}
