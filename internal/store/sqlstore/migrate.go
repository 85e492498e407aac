package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migration is one numbered step. Steps are never changed, taken back or left out.
type migration struct {
	no        int
	name, sql string
	checksum  string // of the step as it is run
}

// steps reads the migrations of a dialect: 0003_search.sqlite.sql is for SQLite only.
func steps(files fs.FS, d dialect) ([]migration, error) {
	names, err := fs.Glob(files, "migrations/*.sql") // sorted
	if err != nil {
		return nil, err
	}
	var all []migration
	for _, file := range names {
		parts := strings.Split(strings.TrimPrefix(file, "migrations/"), ".")
		if len(parts) == 3 && parts[1] != d.name() {
			continue
		}
		number, name, _ := strings.Cut(parts[0], "_")
		no, err := strconv.Atoi(number)
		if err != nil || no != len(all)+1 {
			return nil, fmt.Errorf("%s: want step %d here", file, len(all)+1)
		}
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, err
		}
		m := migration{no: no, name: name, sql: d.words().Replace(string(text))}
		sum := sha256.Sum256([]byte(m.sql))
		m.checksum = hex.EncodeToString(sum[:])
		all = append(all, m)
	}
	return all, nil
}

// migrate brings the database to the newest step. Several programs may do so at once.
func (s *Store) migrate(ctx context.Context) error {
	all, err := steps(migrations, s.dialect)
	if err != nil {
		return err
	}
	return s.run(ctx, all)
}

func (s *Store) run(ctx context.Context, all []migration) error {
	c, err := s.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	unlock, err := s.lockMigrations(ctx, c)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = c.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS migrations (no BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL)`)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		tx, err := c.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		done, err := step(ctx, tx, all)
		if err != nil {
			tx.Rollback()
			return err
		}
		if err := tx.Commit(); err != nil {
			return err
		}
		if done {
			return nil
		}
	}
}

// step runs the next migration that is due; done says that there is none.
func step(ctx context.Context, tx *sql.Tx, all []migration) (done bool, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT no, name, checksum FROM migrations ORDER BY no`)
	applied, err := collect(rows, err, func(r scanner, m *migration) error { return r.Scan(&m.no, &m.name, &m.checksum) })
	if err != nil {
		return false, err
	}
	for i, was := range applied {
		if i >= len(all) {
			return false, &store.Newer{Step: was.no, Name: was.name}
		}
		if was.no != all[i].no || was.checksum != all[i].checksum {
			return false, fmt.Errorf("step %d (%s) of the database is not the one of this program, so it is left alone. Was it made by a build that was never released?", was.no, was.name)
		}
	}
	if len(applied) == len(all) {
		return true, nil
	}
	next := all[len(applied)]
	if _, err := tx.ExecContext(ctx, next.sql); err != nil {
		return false, fmt.Errorf("step %d (%s): %w", next.no, next.name, err)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO migrations (no, name, checksum) VALUES ($1, $2, $3)`, next.no, next.name, next.checksum)
	return false, err
}
