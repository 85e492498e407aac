package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
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
	needs     int    // the oldest step that a program must know to work on a database with this one; 0: this one
}

// needsSince is the step that notes in the database what each step needs.
const needsSince = 11

// A step of which programs that do not know it may go on says so by a line of its own.
var needsLine = regexp.MustCompile(`(?m)^-- needs ([0-9]+)$`)

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
		if needs := needsLine.FindStringSubmatch(m.sql); needs != nil {
			if m.needs, err = strconv.Atoi(needs[1]); err != nil || m.needs < needsSince || m.needs > no {
				return nil, fmt.Errorf("%s: it can need steps %d to %d", file, needsSince, no)
			}
		}
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
	for done := false; !done; {
		err := s.again(ctx, func() (err error) {
			done, err = s.stepOnce(ctx, all)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// stepOnce runs the next migration that is due, if any, in one transaction. Who is killed in between leaves whole steps, and no lock:
// that is the transaction's too.
func (s *Store) stepOnce(ctx context.Context, all []migration) (done bool, err error) {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback() // after Commit it does nothing
	if err := s.lockMigrations(ctx, s.write, tx); err != nil {
		return false, err
	}
	if _, err = tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS migrations (no BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL)`); err != nil {
		return false, err
	}
	if done, err = step(ctx, tx, all); err != nil {
		return false, err
	}
	return done, tx.Commit()
}

// step runs the next migration that is due; done says that there is none.
func step(ctx context.Context, tx *sql.Tx, all []migration) (done bool, err error) {
	applied, err := appliedSteps(ctx, tx)
	if err != nil {
		return false, err
	}
	for i, was := range applied {
		switch {
		case i >= len(all) && (was.needs == 0 || was.needs > len(all)):
			return false, &store.Newer{Step: was.no, Name: was.name}
		case i >= len(all): // a newer program was here, and this one may go on beside it
		case was.no != all[i].no || was.checksum != all[i].checksum:
			return false, fmt.Errorf("step %d (%s) of the database is not the one of this program, so it is left alone. Was it made by a build that was never released?", was.no, was.name)
		}
	}
	if len(applied) >= len(all) {
		return true, nil
	}
	next := all[len(applied)]
	if _, err := tx.ExecContext(ctx, next.sql); err != nil {
		return false, fmt.Errorf("step %d (%s): %w", next.no, next.name, err)
	}
	columns, values, args := `no, name, checksum`, `$1, $2, $3`, []any{next.no, next.name, next.checksum}
	if next.no >= needsSince {
		columns, values, args = columns+`, needs`, values+`, $4`, append(args, next.needs)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO migrations (`+columns+`) VALUES (`+values+`)`, args...)
	return false, err
}

// appliedSteps are those that the database has.
func appliedSteps(ctx context.Context, tx *sql.Tx) ([]migration, error) {
	var noted bool
	if err := tx.QueryRowContext(ctx, `SELECT count(*) > 0 FROM migrations WHERE no >= $1`, needsSince).Scan(&noted); err != nil {
		return nil, err
	}
	needs := "0"
	if noted {
		needs = "needs"
	}
	rows, err := tx.QueryContext(ctx, `SELECT no, name, checksum, `+needs+` FROM migrations ORDER BY no`)
	return collect(rows, err, func(r scanner, m *migration) error { return r.Scan(&m.no, &m.name, &m.checksum, &m.needs) })
}

// Needs implements store.Keeper.
func (s *Store) Needs(ctx context.Context) (step int, err error) {
	return step, s.row(ctx, `SELECT coalesce(max(CASE needs WHEN 0 THEN no ELSE needs END), 0) FROM migrations`).Scan(&step)
}
