//go:build unix

package sqlstore

import (
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	durable "github.com/figs-web/figs-web/internal/load/postgres"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// smallPush returns a push of n new records of an agent; every other one is an ask.
func smallPush(workspace string, agent, round, n int) []byte {
	b := fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":"0d4f2a3c-1111-4222-8333-%012d","name":"Agent %d"},"runs":[`, workspace, agent, agent)
	for i := 0; i < n; i += 2 {
		b = fmt.Appendf(b, `{"id":"run-%d-%d","ts":"2026-11-20T10:00:00Z","unit":"acme","title":"Statement of October","result":"98.6%% matched","status":"warn","state":"settled","attachments":["acme.html"]},`, round, i)
	}
	b = append(b[:len(b)-1], `],"asks":[`...)
	for i := 1; i < n; i += 2 {
		b = fmt.Appendf(b, `{"id":"ask-%d-%d","type":"sign-off","title":"Send the statement","ts":"2026-11-20T11:00:00Z","run":"run-%d-0","need":"Your approval","onApprove":["send"]},`, round, i, round)
	}
	if n > 1 {
		b = b[:len(b)-1]
	}
	return append(b, `]}`...)
}

// BenchmarkSmallPushes measures pushes per second of agents that push new records, one after the other and concurrently, on
// SQLite and on a PostgreSQL that syncs to disk.
func BenchmarkSmallPushes(b *testing.B) {
	server, err := durable.Start(ctx)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { server.Stop() })
	for _, of := range []struct {
		name string
		open func(b *testing.B) *Store
	}{
		{"sqlite", func(b *testing.B) *Store { return openSQLite(b) }},
		{"postgres", func(b *testing.B) *Store { return openServer(b, server, sqldb.PostgresOptions{}) }},
		{"tables", func(b *testing.B) *Store { return openServer(b, server, sqldb.PostgresOptions{TablesOnly: true}) }},
	} {
		for _, records := range []int{1, 10} {
			for _, agents := range []int{1, 8} {
				for _, workspaces := range []int{1, 4} {
					if agents == 1 && workspaces > 1 {
						continue
					}
					b.Run(fmt.Sprintf("%s/records=%d/agents=%d/workspaces=%d", of.name, records, agents, workspaces), func(b *testing.B) {
						s := of.open(b)
						var all []string
						for range workspaces {
							all = append(all, workspaceOf(b, s))
						}
						pushes(b, s, all, agents, 1, records)
						b.ResetTimer()
						n := pushes(b, s, all, agents, b.N, records)
						b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "pushes/s")
					})
				}
			}
		}
	}
}

func openServer(b *testing.B, server *durable.Server, o sqldb.PostgresOptions) *Store {
	b.Helper()
	url, err := server.Database(ctx)
	if err != nil {
		b.Fatal(err)
	}
	s, err := OpenPostgres(ctx, url, o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

// pushes lets agents push about that many times in all.
func pushes(b *testing.B, s *Store, workspaces []string, agents, times, records int) (done int64) {
	var left, n atomic.Int64
	left.Store(int64(max(times, agents)))
	var wait sync.WaitGroup
	for agent := range agents {
		wait.Go(func() {
			for round := int(time.Now().UnixNano()); left.Add(-1) >= 0; round++ {
				w := workspaces[agent%len(workspaces)]
				body := smallPush(w, agent+len(workspaces)*1000, round, records)
				read, err := figs.ReadPush(body)
				if err == nil {
					_, err = s.Push(ctx, store.Push{Workspace: w, Act: store.Act{At: noonOfTests}, Digest: store.Hash(string(body)), Body: read})
				}
				if err != nil {
					b.Error(err)
					return
				}
				n.Add(1)
			}
		})
	}
	wait.Wait()
	return n.Load()
}

const largePushAgent = "0d4f2a3c-1111-4222-8333-000000000001"

// largePushBody returns the first push of an agent with about that many bytes: four jobs per sign-off, most of which are
// answered.
func largePushBody(workspace string, size int) []byte {
	var runs, asks, messages []byte
	for i := 0; len(runs)+len(asks)+len(messages) < size; i++ {
		if k := i / 5; i%5 < 4 {
			runs = fmt.Appendf(runs, `,{"id":"close-%06d","ts":"2026-%02d-%02dT10:%02d:00Z","title":"Monthly close of customer %d","unit":"customer-%d","period":"2026-10","state":"settled","status":"ok","result":"All %d invoices matched; the two without a delivery number wait for the carrier","session":{"runtime":"claude-code","model":"m","sessionId":"s-%d","tokens":{"input":%d,"output":900}}}`,
				i, 1+i%10, 1+i%28, i%60, i, i%40, 200+i%90, i, 40_000+i)
		} else {
			asks = fmt.Appendf(asks, `,{"id":"send-%06d","ts":"2026-11-01T10:00:00Z","type":"sign-off","title":"Send the statement of customer %d","run":"close-%06d","found":"The statement is complete but for two delivery numbers","need":"A go before the end of the month","onApprove":["Send the statement","File the copy"]}`, k, k, i-4)
			if k%10 > 0 {
				messages = fmt.Appendf(messages, `,{"id":"m-%06d","kind":"verdict","ask":"send-%06d","by":"Ana","ts":"2026-11-02T07:00:00Z","verdict":"approved","source":"chat","text":"Fine, send it to customer %d"}`, k, k, k)
			}
		}
	}
	return fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"Agent"},"runs":[%s],"asks":[%s],"messages":[%s]}`,
		workspace, largePushAgent, runs[1:], asks[1:], messages[1:])
}

// BenchmarkLargePush stores the first push of a large agent in SQLite.
func BenchmarkLargePush(b *testing.B) {
	const size = 32 << 20
	b.SetBytes(size)
	var cpu float64
	for b.Loop() {
		b.StopTimer()
		s := openSQLite(b)
		workspace := workspaceOf(b, s)
		read, err := figs.ReadPush(largePushBody(workspace, size))
		if err != nil {
			b.Fatal(err)
		}
		before := processor(b)
		b.StartTimer()
		if _, err := s.Push(ctx, store.Push{Workspace: workspace, Act: store.Act{At: noonOfTests}, Digest: "large", Body: read}); err != nil {
			b.Fatal(err)
		}
		cpu += processor(b) - before
	}
	b.ReportMetric(cpu/float64(b.N), "cpu-s/op")
}

// processor returns the processor time that the test has used, in seconds.
func processor(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
