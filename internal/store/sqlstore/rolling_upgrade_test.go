//go:build unix

package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
	"github.com/figs-web/figs-web/internal/testenv"
)

// newer returns steps that a later program could have: two with which this one can work, and one with which it can't.
func newer(t *testing.T, d sqldb.Dialect) []sqldb.Migration {
	t.Helper()
	all, err := sqldb.MigrationSteps(sqldb.Migrations, d)
	if err != nil {
		t.Fatal(err)
	}
	n := len(all)
	return append(all[:n:n],
		sqldb.Migration{No: n + 1, Name: "wider", Needs: n, Checksum: "w", SQL: `ALTER TABLE records ADD COLUMN wider BIGINT NOT NULL DEFAULT 0`},
		// A statement that was prepared for such a column now returns another type.
		sqldb.Migration{No: n + 2, Name: "retyped", Needs: n, Checksum: "r", SQL: `ALTER TABLE agents ALTER COLUMN charter TYPE VARCHAR COLLATE "C"`},
		sqldb.Migration{No: n + 3, Name: "other", Checksum: "o", SQL: `ALTER TABLE records DROP COLUMN wider`},
	)
}

// TestRollingUpgrade tests that while a newer program migrates, older ones continue and can be started, until a step
// forbids it.
func TestRollingUpgrade(t *testing.T) {
	p := storetest.SharedPostgres(t)
	const agents, rounds = 3, 60
	hash, seq := undisturbedState(t, agents, rounds)
	for _, o := range []sqldb.PostgresOptions{{}, {TablesOnly: true}} {
		t.Run(fmt.Sprintf("tables=%v", o.TablesOnly), func(t *testing.T) {
			connection := p.Database(t)
			steps := newer(t, sqldb.PostgreSQL{})
			known := len(steps) - 3
			open := func(n int) (*Store, error) { return openPostgresAt(ctx, connection, o, steps[:n]) }
			older, err := open(known)
			if err != nil {
				t.Fatal(err)
			}
			defer older.Close()
			c := &pushers{workspace: troubledWorkspace, agents: agents}
			gotHash, gotSeq := stateAfter(t, older, c, rounds, func() {
				for n := known + 1; n < len(steps); n++ {
					c.after(t, int64(30*(n-known)))
					for _, knows := range []int{n, known} {
						s, err := open(knows)
						if err != nil {
							t.Errorf("a program that knows %d steps of %d: %v", knows, n, err)
							return
						}
						if needs, err := s.RequiredSchema(ctx); err != nil || needs != known {
							t.Errorf("the database needs step %d, %v, want %d", needs, err, known)
						}
						roster, err := s.Roster(ctx, c.workspace) // of three agents one may not have come yet
						if err != nil || len(roster.Agents) == 0 {
							t.Errorf("a program that knows %d steps of %d reads %+v, %v", knows, n, roster, err)
						} else if _, err := s.Agent(ctx, roster.Agents[0].ID); err != nil {
							t.Error(err)
						}
						s.Close()
					}
				}
			})
			if gotHash != hash || gotSeq != seq {
				t.Errorf("state %s and number %d, want %s and %d", gotHash, gotSeq, hash, seq)
			}
			last, err := open(len(steps))
			if err != nil {
				t.Fatal(err)
			}
			defer last.Close()
			var refused *store.NewerSchemaError
			if _, err := open(known); !errors.As(err, &refused) || refused.Step != len(steps) {
				t.Errorf("a program that the last step shuts out: %v", err)
			}
		})
	}
}

// killedWithin is set in the process that is killed during a step.
const killedWithin = "FIGS_TEST_KILLED_AT"

// TestKilledMigrating tests that a program that is killed during a step leaves whole steps and no lock.
func TestKilledMigrating(t *testing.T) {
	slow := func(steps []sqldb.Migration) []sqldb.Migration {
		steps = slices.Clone(steps[:4])
		steps[2].SQL += "; SELECT pg_sleep(20)"
		return steps
	}
	all, err := sqldb.MigrationSteps(sqldb.Migrations, sqldb.PostgreSQL{})
	if err != nil {
		t.Fatal(err)
	}
	if connection := os.Getenv(killedWithin); connection != "" {
		connection, tables := strings.CutPrefix(connection, "tables ")
		_, err := openPostgresAt(ctx, connection, sqldb.PostgresOptions{TablesOnly: tables}, slow(all))
		t.Fatal("this process should not live so long", err)
	}
	p := storetest.StartPostgres(t)
	for _, prefix := range []string{"", "tables "} {
		connection := p.Database(t)
		child := exec.Command(os.Args[0], "-test.run=^TestKilledMigrating$")
		child.Env = append(os.Environ(), killedWithin+"="+prefix+connection)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		admin, err := openPostgresAt(ctx, p.Database(t), sqldb.PostgresOptions{}, all)
		if err != nil {
			t.Fatal(err)
		}
		testenv.Eventually(t, time.Minute, "the other process to be in the middle of a step", func() bool {
			var asleep int
			if err := admin.Row(ctx, `SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'`).Scan(&asleep); err != nil {
				t.Fatal(err)
			}
			return asleep > 0
		})
		child.Process.Kill()
		child.Wait()
		// While it sleeps, the server only checks for its client now and then.
		if _, err := admin.Write.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'`); err != nil {
			t.Error(err)
		}
		admin.Close()
		raw := inPostgresAt(connection)
		s, err := raw.raw()
		if err != nil {
			t.Fatal(err)
		}
		var taken, tables int
		if err := errors.Join(s.Write.QueryRow(`SELECT count(*) FROM migrations`).Scan(&taken),
			s.Write.QueryRow(`SELECT count(*) FROM information_schema.tables WHERE table_name IN ('users', 'agents', 'search')`).Scan(&tables)); err != nil || taken != 2 || tables != 2 {
			t.Errorf("%d steps were taken, of which %d tables are there (%v), want 2 and 2", taken, tables, err)
		}
		s.Close()
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				s, err := OpenPostgres(ctx, connection, sqldb.PostgresOptions{TablesOnly: prefix != ""})
				if err != nil {
					t.Error(err)
					return
				}
				defer s.Close()
				if _, err := s.ListWorkspaces(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
	}
}

// openPostgresAt opens a store like a program that only knows these steps.
func openPostgresAt(ctx context.Context, url string, o sqldb.PostgresOptions, all []sqldb.Migration) (*Store, error) {
	db, err := sqldb.OpenPostgresWithSteps(ctx, url, o, all)
	if err != nil {
		return nil, err
	}
	return newPostgresStore(ctx, db)
}
