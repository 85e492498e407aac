package handlers

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

func TestMeasureChart(t *testing.T) {
	w := newTown(t)
	ctx := context.Background()
	begun := time.Now()
	for i := range 1000 {
		id := fmt.Sprintf("0d4f2a3c-1111-4222-9333-%012d", i)
		dep := fmt.Sprintf(`,"org":{"department":"Department %02d"}`, i%40)
		ask := "[]"
		if i%7 == 0 {
			ask = `[{"id":"send","ts":"2026-11-20T10:00:00Z","type":"question","title":"Send it?","options":["Yes"],"status":"open"}]`
		}
		body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"Agent number %d","role":"Matches statements"%s,"mandate":"Match every statement of every customer against the ledger."},"runs":[{"id":"close","ts":"2026-11-%02dT10:00:00Z","state":"settled","status":"ok","result":"98%% of 2,161 lines matched, the rest listed"},{"id":"b","ts":"2026-10-%02dT10:00:00Z","status":"fail","result":"done"},{"id":"c","ts":"2026-10-%02dT10:00:00Z","result":"done"},{"id":"d","ts":"2026-11-18T10:00:00Z","state":"in-flight","title":"October statements"}],"asks":%s}`, w.acme.ID, id, i, dep, 1+i%20, 1+i%30, 1+(i+7)%30, ask))
		w.ok(err)
		_, err = w.s.Push(ctx, store.Push{Workspace: w.acme.ID, Act: store.Act{At: hostedNow.UnixMicro()}, Body: body})
		w.ok(err)
	}
	t.Log("seeded in", time.Since(begun))
	for _, at := range []string{"", "?as=table", "?as=map", "?q=agent", "?sort=department", "?department=Department+01"} {
		best := time.Hour
		n := 0
		for range 5 {
			begun := time.Now()
			r := w.ask("GET", "/w/acme"+at, "owner", "")
			b, _ := io.ReadAll(r.Body)
			best, n = min(best, time.Since(begun)), len(b)
		}
		t.Log(at, best, n)
	}
}

func TestDumpChart(t *testing.T) {
	w := newTown(t)
	for _, at := range []string{"?as=map", "", "?sort=department"} {
		r := w.ask("GET", "/w/acme"+at, "owner", "")
		b, _ := io.ReadAll(r.Body)
		t.Log(string(b))
	}
}
