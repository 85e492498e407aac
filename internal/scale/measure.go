//go:build unix

package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers "pgx"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/load/postgres"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// sharers are the agents that together write one year.
const sharers = 4

// measurement is one that goes on.
type measurement struct {
	*template
	m      measured
	server *postgres.Server
	db     *sql.DB // beside the store, to look at tables
	store  *sqlstore.Store
	team   store.Workspace
	owner  store.User
}

// measure lets agents write a year into an empty database, a line at a time as the reference client pushes it, has it
// vacuumed as autovacuum would, and looks at what is there.
func measure(ctx context.Context) (*measured, error) {
	t, err := readTemplate()
	if err != nil {
		return nil, err
	}
	x := &measurement{template: t, m: measured{Date: time.Now().UTC().Format(time.DateOnly), Agents: sharers}}
	if x.server, err = postgres.Start(ctx); err != nil {
		return nil, err
	}
	defer x.server.Stop()
	address, err := x.server.Database(ctx)
	if err != nil {
		return nil, err
	}
	if x.store, err = sqlstore.OpenPostgres(ctx, address, sqlstore.PostgresOptions{}); err != nil {
		return nil, err
	}
	defer x.store.Close()
	if x.db, err = sql.Open("pgx", address); err != nil {
		return nil, err
	}
	defer x.db.Close()
	if err := x.furnish(ctx); err != nil {
		return nil, err
	}
	empty, err := x.look(ctx)
	if err != nil {
		return nil, err
	}
	folds, err := x.write(ctx)
	if err != nil {
		return nil, err
	}
	full, err := x.look(ctx)
	if err != nil {
		return nil, err
	}
	x.m.Tables = grown(empty, full)
	return &x.m, x.compare(ctx, folds)
}

func (x *measurement) furnish(ctx context.Context) error {
	act := store.Act{At: at("")}
	x.owner = store.User{ID: store.NewID(), Email: "ana@example.org", Name: "Ana", Created: act.At}
	x.team = store.Workspace{ID: store.NewID(), Slug: "team", Name: "Team", Created: act.At}
	if err := x.store.AddUser(ctx, act, x.owner); err != nil {
		return err
	}
	return x.store.AddWorkspace(ctx, act, x.team, x.owner.ID)
}

func agentID(i int) string { return fmt.Sprintf("0d4f2a3c-3333-4222-8333-%012d", i) }

// write lets every agent write its part of the year, and returns the lines of one of them, by record.
func (x *measurement) write(ctx context.Context) (map[string][][]byte, error) {
	before, err := x.spent(ctx)
	if err != nil {
		return nil, err
	}
	var files time.Duration // of the program, for what is not a push
	var filesWAL float64
	var folds [sharers]map[string][][]byte
	for n := range x.perYear {
		i := n % sharers
		if folds[i] == nil {
			folds[i] = map[string][][]byte{}
		}
		steps, attached := x.make(n)
		for _, s := range steps {
			if err := x.step(ctx, agentID(i), s, folds[i]); err != nil {
				return nil, fmt.Errorf("%s: %w", s.line, err)
			}
		}
		begun, err := x.spent(ctx)
		if err != nil {
			return nil, err
		}
		for name, content := range attached {
			if err := x.attach(ctx, agentID(i), name, content); err != nil {
				return nil, err
			}
		}
		ended, err := x.spent(ctx)
		if err != nil {
			return nil, err
		}
		files += ended.own - begun.own
		filesWAL += ended.wal - begun.wal
		if n%100 == 99 {
			fmt.Fprintf(os.Stderr, "scale: %d of %d bundles written\n", n+1, x.perYear)
		}
	}
	after, err := x.spent(ctx)
	if err != nil {
		return nil, err
	}
	m := &x.m
	m.WAL, m.Xids = after.wal-before.wal, after.xids-before.xids
	m.PushWAL = (m.WAL - filesWAL) / m.Pushes
	m.NodeCPU = (after.own - before.own - files).Seconds() * 1000 / m.Pushes
	m.PushCPU = (after.database - before.database).Seconds() * 1000 / (m.Pushes + m.Files)
	m.LineBytes /= m.trail() + m.Replies
	return folds[0], nil
}

// step is one call of a client, which pushes the record that the line changed, or of a person who replies.
func (x *measurement) step(ctx context.Context, agent string, s step, lines map[string][][]byte) error {
	x.m.LineBytes += float64(len(s.line)) + 1
	if s.file == figs.Messages {
		x.m.Replies++
		return x.reply(ctx, agent, s)
	}
	k := fmt.Sprint(s.file, " ", s.id)
	if lines[k] == nil {
		*[]*float64{figs.Runs: &x.m.Jobs, figs.Asks: &x.m.Asks}[s.file]++
	}
	*[]*float64{figs.Runs: &x.m.RunLines, figs.Asks: &x.m.AskLines}[s.file]++
	lines[k] = append(lines[k], []byte(s.line))
	x.m.Pushes++
	body := x.body(agent, map[figs.File][][]byte{s.file: {figs.AppendObject(nil, figs.Fold(lines[k]))}})
	read, err := figs.ReadPush(body)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	done, err := x.store.Push(ctx, store.Push{Workspace: x.team.ID, Act: store.Act{At: at(s.line)}, Digest: hex.EncodeToString(sum[:]), Body: read})
	if err == nil && (!done.Changed || len(done.Refused) > 0) {
		err = fmt.Errorf("this changed nothing: %+v", done)
	}
	return err
}

func (x *measurement) body(agent string, records map[figs.File][][]byte) []byte {
	list := func(file figs.File) string {
		var all []string
		for _, fold := range records[file] {
			all = append(all, string(fold))
		}
		return strings.Join(all, ",")
	}
	return fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":"Agent","role":"Monthly close"},"runs":[%s],"asks":[%s]}`, x.team.ID, agent, list(figs.Runs), list(figs.Asks))
}

// reply is a decision that a person makes in the reader, which then counts.
func (x *measurement) reply(ctx context.Context, agent string, s step) error {
	ask := figs.Fold([][]byte{[]byte(s.line)}).Get("ask").Text()
	r, err := x.store.Record(ctx, agent, figs.Asks, ask)
	if err != nil {
		return err
	}
	d := store.Decision{Workspace: x.team.ID, Agent: agent, Ask: ask, Line: []byte(strings.Replace(s.line, `"source":"chat"`, `"source":"app"`, 1)), Key: s.id, Saw: store.Sight{Revision: store.RevisionOf(r)}}
	names := figs.AttachmentNames(figs.Fold([][]byte{r.Fold}))
	files, err := x.store.FilesNamed(ctx, agent, names)
	if err != nil {
		return err
	}
	for _, name := range names {
		f := store.Sighted{Name: name}
		if files[name] != nil {
			f.SHA256 = files[name].SHA256
		}
		d.Saw.Files = append(d.Saw.Files, f)
	}
	if _, err := x.store.Decide(ctx, store.Act{By: x.owner.ID, At: at(s.line)}, d); err != nil {
		return err
	}
	done, err := x.store.Settle(ctx, at(s.line)+store.Grace)
	if err == nil && done.N != 1 {
		err = errors.New("the decision does not count")
	}
	return err
}

func (x *measurement) attach(ctx context.Context, agent, name string, content []byte) error {
	x.m.Files++
	sum := sha256.Sum256(content)
	words := ""
	if slices.Contains([]string{"html", "md", "txt", "csv", "json", "svg"}, name[strings.LastIndexByte(name, '.')+1:]) {
		words = string(content)
	}
	_, err := x.store.Attach(ctx, store.Act{At: at("")}, store.Attachment{Agent: agent, Name: name, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(content))}, words)
	return err
}

// compare measures what the program spends on a whole ledger of a year in which one line is new: agents' clients send
// all that they have with each push.
func (x *measurement) compare(ctx context.Context, lines map[string][][]byte) error {
	records := map[figs.File][][]byte{}
	for n := range sharers { // the other agents' parts are as long
		for k, list := range lines {
			file := figs.Runs
			if strings.HasPrefix(k, fmt.Sprint(figs.Asks)) {
				file = figs.Asks
			}
			var renamed [][]byte
			for _, line := range list {
				renamed = append(renamed, []byte(strings.Replace(string(line), `"id":"`, fmt.Sprintf(`"id":"%d-`, n), 1)))
			}
			records[file] = append(records[file], figs.AppendObject(nil, figs.Fold(renamed)))
		}
	}
	agent := agentID(sharers)
	push := func() (time.Duration, error) {
		body := x.body(agent, records)
		x.m.LedgerMB = float64(len(body)) / 1e6
		begun := own()
		read, err := figs.ReadPush(body)
		if err == nil {
			_, err = x.store.Push(ctx, store.Push{Workspace: x.team.ID, Act: store.Act{At: at("")}, Body: read})
		}
		return own() - begun, err
	}
	if _, err := push(); err != nil {
		return err
	}
	const rounds = 10
	for n := range rounds {
		records[figs.Runs][n] = []byte(strings.Replace(string(records[figs.Runs][n]), `"result":"`, `"result":"Again: `, 1))
		took, err := push()
		if err != nil {
			return err
		}
		x.m.LedgerCPU += took.Seconds() * 1000 / rounds
	}
	return nil
}

// spending is what has been used up to a moment.
type spending struct {
	wal, xids     float64
	own, database time.Duration
}

func (x *measurement) spent(ctx context.Context) (s spending, err error) {
	err = x.db.QueryRowContext(ctx, `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8, txid_snapshot_xmax(txid_current_snapshot())::float8`).Scan(&s.wal, &s.xids)
	s.own = own()
	if err == nil {
		s.database, err = x.server.Spent()
	}
	return s, err
}

// own is the processor time of this process.
func own() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
