package sqldb

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
var Migrations embed.FS

// Migration is a numbered step of the schema. Released steps are never changed or removed.
type Migration struct {
	No        int
	Name, SQL string
	Checksum  string // of SQL
	Needs     int    // oldest step that a program must know to work with a database that has this one; 0 for this one
}

// needsSince is the first step that stores Needs in the database.
const needsSince = 11

// needsLine is a line in a step that says that older programs can continue to work.
var needsLine = regexp.MustCompile(`(?m)^-- needs ([0-9]+)$`)

// MigrationSteps reads the migrations for a dialect: 0003_search.sqlite.sql is only for SQLite.
func MigrationSteps(files fs.FS, d Dialect) ([]Migration, error) {
	names, err := fs.Glob(files, "migrations/*.sql") // sorted
	if err != nil {
		return nil, err
	}
	var all []Migration
	for _, file := range names {
		parts := strings.Split(strings.TrimPrefix(file, "migrations/"), ".")
		if len(parts) == 3 && parts[1] != d.Name() {
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
		m := Migration{No: no, Name: name, SQL: d.Placeholders().Replace(string(text))}
		sum := sha256.Sum256([]byte(m.SQL))
		m.Checksum = hex.EncodeToString(sum[:])
		if needs := needsLine.FindStringSubmatch(m.SQL); needs != nil {
			if m.Needs, err = strconv.Atoi(needs[1]); err != nil || m.Needs < needsSince || m.Needs > no {
				return nil, fmt.Errorf("%s: it can need steps %d to %d", file, needsSince, no)
			}
		}
		all = append(all, m)
	}
	return all, nil
}

// Migrate migrates the database to the newest step. Several programs can call it at once.
func (db *DB) Migrate(ctx context.Context) error {
	all, err := MigrationSteps(Migrations, db.Dialect)
	if err != nil {
		return err
	}
	return db.ApplySteps(ctx, all)
}

func (db *DB) ApplySteps(ctx context.Context, all []Migration) error {
	for done := false; !done; {
		err := db.Retry(ctx, func() (err error) {
			done, err = db.applyNext(ctx, all)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// applyNext runs the next step, if any, in one transaction. If the program is killed, whole steps remain and no lock,
// because the lock belongs to the transaction.
func (db *DB) applyNext(ctx context.Context, all []Migration) (done bool, err error) {
	tx, err := db.Write.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback() // after Commit it does nothing
	if err := db.lockMigrations(ctx, db.Write, tx); err != nil {
		return false, err
	}
	if _, err = tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS migrations (no BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL)`); err != nil {
		return false, err
	}
	if done, err = ApplyNextStep(ctx, tx, all); err != nil {
		return false, err
	}
	return done, tx.Commit()
}

// ApplyNextStep runs the next step; done means that there is none.
func ApplyNextStep(ctx context.Context, tx *sql.Tx, all []Migration) (done bool, err error) {
	applied, err := appliedSteps(ctx, tx)
	if err != nil {
		return false, err
	}
	for i, was := range applied {
		switch {
		case i >= len(all) && (was.Needs == 0 || was.Needs > len(all)):
			return false, &store.NewerSchemaError{Step: was.No, Name: was.Name}
		case i >= len(all): // a newer program was here, and this one can still work
		case was.No != all[i].No || was.Checksum != all[i].Checksum:
			return false, fmt.Errorf("step %d (%s) of the database is not the one of this program, so it is left alone. Was it made by a build that was never released?", was.No, was.Name)
		}
	}
	if len(applied) >= len(all) {
		return true, nil
	}
	next := all[len(applied)]
	if _, err := tx.ExecContext(ctx, next.SQL); err != nil {
		return false, fmt.Errorf("step %d (%s): %w", next.No, next.Name, err)
	}
	columns, values, args := `no, name, checksum`, `$1, $2, $3`, []any{next.No, next.Name, next.Checksum}
	if next.No >= needsSince {
		columns, values, args = columns+`, needs`, values+`, $4`, append(args, next.Needs)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO migrations (`+columns+`) VALUES (`+values+`)`, args...)
	return false, err
}

// appliedSteps returns the steps that the database has taken.
func appliedSteps(ctx context.Context, tx *sql.Tx) ([]Migration, error) {
	var noted bool
	if err := tx.QueryRowContext(ctx, `SELECT count(*) > 0 FROM migrations WHERE no >= $1`, needsSince).Scan(&noted); err != nil {
		return nil, err
	}
	needs := "0"
	if noted {
		needs = "needs"
	}
	rows, err := tx.QueryContext(ctx, `SELECT no, name, checksum, `+needs+` FROM migrations ORDER BY no`)
	return Collect(rows, err, func(r Scanner, m *Migration) error { return r.Scan(&m.No, &m.Name, &m.Checksum, &m.Needs) })
}

// RequiredSchema implements store.Maintenance.
func (db *DB) RequiredSchema(ctx context.Context) (step int, err error) {
	return step, db.Row(ctx, `SELECT coalesce(max(CASE needs WHEN 0 THEN no ELSE needs END), 0) FROM migrations`).Scan(&step)
}

// Schema implements store.Backups.
func (db *DB) Schema(ctx context.Context) (step int, err error) {
	return step, db.Row(ctx, `SELECT coalesce(max(no), 0) FROM migrations`).Scan(&step)
}
