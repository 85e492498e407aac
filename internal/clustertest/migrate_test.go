//go:build unix

package clustertest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestKilledMigrating starts three nodes together over the database of an old release, and kills some of them while
// they bring it to today's step, again and again. What comes out is what one node makes of it in peace.
func TestKilledMigrating(t *testing.T) {
	p := startPostgres(t)
	old := oldDatabase(t, p)
	wantState, wantSchema := migrated(t, p, old, 1, 0)
	for round := range often(3, 40) {
		flags := []string{}
		if round%3 == 2 {
			flags = append(flags, "--database-tables-only")
		}
		state, schema := migrated(t, p, old, 3, 2, flags...)
		if state != wantState {
			t.Errorf("round %d %v: the state is %s, want %s", round, flags, state, wantState)
		}
		if schema != wantSchema {
			t.Errorf("round %d %v: the schema differs:\n%s", round, flags, differing(schema, wantSchema))
		}
	}
}

// differing are the lines that one of two texts has alone.
func differing(got, want string) (text string) {
	for _, of := range []struct{ sign, a, b string }{{"+", got, want}, {"-", want, got}} {
		there := strings.Split(of.b, "\n")
		for line := range strings.SplitSeq(of.a, "\n") {
			if !slices.Contains(there, line) {
				text += of.sign + " " + line + "\n"
			}
		}
	}
	return text
}

// migrated copies the old database and lets nodes migrate the copy, of which some are killed meanwhile.
func migrated(t *testing.T, p *Postgres, old string, nodes, kills int, flags ...string) (state, schema string) {
	t.Helper()
	c, err := NewCluster(p, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, query := range []string{"DROP DATABASE " + c.Database, "CREATE DATABASE " + c.Database + " TEMPLATE " + old + " OWNER reader"} {
		if err := p.Exec("postgres", query); err != nil {
			t.Fatal(err)
		}
	}
	l, err := Listen("")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for range nodes {
		n := c.Node(program(t), l.Addr(), flags...)
		c.Nodes = append(c.Nodes, n)
		defer n.Kill()
		if err := n.Launch(); err != nil {
			t.Fatal(err)
		}
	}
	for range kills {
		stepping(t, c)
		within(30 * time.Millisecond)
		if rand.IntN(3) == 0 {
			c.each(func(n *Node) error { n.Kill(); return nil })
		} else {
			c.Nodes[rand.IntN(nodes)].Kill()
		}
		for _, n := range c.Nodes {
			if !n.Running() {
				if err := n.Launch(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := c.each((*Node).Await); err != nil {
		t.Fatal(err)
	}
	if err := c.each((*Node).Stop); err != nil {
		t.Error(err)
	}
	s, err := c.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if state, err = s.StateHash(ctx); err != nil {
		t.Fatal(err)
	}
	return state, schemaOf(t, p, c.Database)
}

// stepping waits until a node is in the middle of a step, of which each statement takes a moment there.
func stepping(t *testing.T, c *Cluster) {
	t.Helper()
	testenv.Eventually(t, 2*Patience, "a node to be in the middle of a step, or all of them to serve", func() bool {
		n, err := c.Postgres.Number("postgres", "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND wait_event = 'PgSleep'", c.Database)
		if err != nil {
			t.Fatal(err)
		}
		serving := 0
		for _, node := range c.Nodes {
			if node.Address() != "" {
				serving++
			}
		}
		return n > 0 || serving == len(c.Nodes)
	})
}

// schemaOf lists tables, columns and indexes, and the steps that were made, without what nodes on tables alone use as a lock.
func schemaOf(t *testing.T, p *Postgres, database string) string {
	t.Helper()
	text, err := p.Text(database, `SELECT string_agg(line, chr(10) ORDER BY line) FROM (
		SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line FROM information_schema.columns WHERE table_schema = 'public'
		UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
		UNION ALL SELECT format('step %s %s', no, checksum) FROM migrations) AS lines WHERE line NOT LIKE '%migration_lock%'`)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// oldDatabase makes the database of a program that knew six steps, with what people and agents did then. There each
// statement that changes the schema takes a moment, so that programs can be killed in the middle.
func oldDatabase(t *testing.T, p *Postgres) (name string) {
	t.Helper()
	name, err := p.Database()
	if err != nil {
		t.Fatal(err)
	}
	rooms := filepath.Join(testenv.Root(t), "internal", "store", "sqlstore")
	words := strings.NewReplacer("{{text}}", `TEXT COLLATE "C"`, "{{blob}}", "BYTEA", "{{number}}", "BIGINT", "{{clustered}}", "")
	read := func(pattern string) (texts []string, names []string) {
		files, err := filepath.Glob(filepath.Join(rooms, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, ".sqlite.sql") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			base, _, _ := strings.Cut(filepath.Base(file), ".")
			_, base, _ = strings.Cut(base, "_")
			texts, names = append(texts, words.Replace(string(text))), append(names, base)
		}
		return texts, names
	}
	if err := p.Exec(name, `SET ROLE reader; CREATE TABLE migrations (no BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL)`); err != nil {
		t.Fatal(err)
	}
	for no := 1; no <= 6; no++ {
		steps, names := read(fmt.Sprintf("sqldb/migrations/%04d_*.sql", no))
		if len(steps) != 1 {
			t.Fatalf("%d files are step %d", len(steps), no)
		}
		sum := sha256.Sum256([]byte(steps[0]))
		done := fmt.Sprintf("SET ROLE reader; %s;\nINSERT INTO migrations VALUES (%d, '%s', '%s');\n", steps[0], no, names[0], hex.EncodeToString(sum[:]))
		fill, _ := read(fmt.Sprintf("testdata/upgrade/%04d_*.sql", no))
		if err := p.Exec(name, done+strings.Join(fill, ";\n")); err != nil {
			t.Fatalf("step %d: %v", no, err)
		}
	}
	if err := p.Exec(name, `CREATE FUNCTION slowly() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.02); END';
		CREATE EVENT TRIGGER slowly ON ddl_command_end EXECUTE FUNCTION slowly()`); err != nil {
		t.Fatal(err)
	}
	return name
}
