package sqlstore

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const attachmentColumns = `agent, name, sha256, size, uploaded_at, pushed_by`

func scanAttachment(r sqldb.Scanner, a *store.Attachment) error {
	return r.Scan(&a.Agent, &a.Name, &a.SHA256, &a.Size, &a.Uploaded, &a.PushedBy)
}

// Attach implements store.Ingest.
func (s *Store) Attach(ctx context.Context, act store.Act, a store.Attachment, text string) (unchanged bool, err error) {
	// Every file comes again with every push, so known files are answered without writing or waiting.
	if unchanged, err = isAttached(ctx, s, a); unchanged || err != nil {
		return unchanged, err
	}
	err = s.update(ctx, func(c *storeTx) error {
		if err := s.LockBlob(ctx, c.Tx, a.SHA256); err != nil {
			return err
		}
		agent, err := c.lockAgent(ctx, a.Agent)
		if err != nil {
			return err
		}
		if unchanged, err = isAttached(ctx, c, a); unchanged || err != nil {
			return err
		}
		numbers, err := c.Numbers(ctx, 1)
		if err != nil {
			return err
		}
		words := sqldb.CleanText(sqldb.CutText(text, sqldb.MaxDocSize))
		if err := c.Later(ctx, `INSERT INTO attachments (no, agent, workspace, name, sha256, size, words, uploaded_at, pushed_by, seq)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			numbers[0], a.Agent, agent.workspace, sqldb.CleanText(a.Name), a.SHA256, a.Size, words, act.At, act.By, agent.seq); err != nil {
			return err
		}
		if err := c.Later(ctx, `UPDATE agents SET files = files + 1 WHERE id = $1`, a.Agent); err != nil {
			return err
		}
		return c.AddDocs(ctx, []sqldb.Doc{{No: numbers[0], Workspace: agent.workspace, Agent: a.Agent, Words: sqldb.CleanText(a.Name) + " " + words}})
	})
	return unchanged, err
}

// isAttached reports whether the name already has these bytes.
func isAttached(ctx context.Context, q sqldb.Queries, a store.Attachment) (bool, error) {
	if _, err := erasure(ctx, q, sqldb.CleanText(a.Agent), store.EraseAttachment, sqldb.CleanText(a.Name)); !errors.Is(err, store.ErrNotFound) {
		return err == nil, err // its bytes were erased, so any bytes count as attached
	}
	var sha256 string
	err := q.Row(ctx, `SELECT sha256 FROM attachments WHERE agent = $1 AND name = $2`, sqldb.CleanText(a.Agent), sqldb.CleanText(a.Name)).Scan(&sha256)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return false, nil
	case err == nil && sha256 != a.SHA256:
		return false, &store.AttachmentConflictError{Name: a.Name, SHA256: sha256}
	}
	return err == nil, err
}

// Attachments implements store.Reader.
func (s *Store) Attachments(ctx context.Context, agent string) ([]store.Attachment, error) {
	rows, err := s.Rows(ctx, `SELECT `+attachmentColumns+` FROM attachments WHERE agent = $1 ORDER BY no`, sqldb.CleanText(agent))
	return sqldb.Collect(rows, err, scanAttachment)
}

// AttachmentsBySHA implements store.Reader.
func (s *Store) AttachmentsBySHA(ctx context.Context, workspace, sha256 string) ([]store.Attachment, error) {
	rows, err := s.Rows(ctx, `SELECT `+attachmentColumns+` FROM attachments WHERE workspace = $1 AND sha256 = $2 ORDER BY no`, sqldb.CleanText(workspace), sqldb.CleanText(sha256))
	return sqldb.Collect(rows, err, scanAttachment)
}

// The names that an agent has, with their first mention. Mentions are gone through in their order, and the first of each name
// is kept, so that a page doesn't read those after it. Names that only attachments have follow, at lastPlace.
const (
	firstMentions = `SELECT m.name, m.place AS first FROM mentions m WHERE m.agent = $1 AND ($2 = '' OR lower(m.name) LIKE $2 ESCAPE '!')
		AND (m.record, m.n) = (SELECT e.record, e.n FROM mentions e WHERE e.agent = $1 AND e.name = m.name ORDER BY e.record, e.n LIMIT 1)`
	unmentioned = `SELECT a.name, 9223372036854775807 AS first FROM attachments a WHERE a.agent = $1 AND ($2 = '' OR lower(a.name) LIKE $2 ESCAPE '!')
		AND NOT EXISTS (SELECT 1 FROM mentions m WHERE m.agent = $1 AND m.name = a.name)`
	filesFrom = ` FROM (` + firstMentions + ` UNION ALL ` + unmentioned + `) f`
	lastPlace = math.MaxInt64
)

// fileNames reads up to n+1 names of a window, nearest to its cursor first.
func (s *Store) fileNames(ctx context.Context, agent, like string, w window) (list []row[store.File], err error) {
	sign, direction := ">", ""
	if w.back {
		sign, direction = "<", " DESC"
	}
	read := func(where sqldb.Where, order ...string) error {
		where.And(` ORDER BY `+strings.Join(order, direction+", ")+direction+` LIMIT $%d`, w.N+1-len(list))
		rows, err := s.Rows(ctx, where.SQL, where.Args...)
		part, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row[store.File]) error {
			err := r.Scan(&x.at.ID, &x.at.Key.Number)
			x.item.Name = x.at.ID
			return err
		})
		list = append(list, part...)
		return err
	}
	args := []any{agent, like}
	mentioned := sqldb.Where{SQL: firstMentions, Args: args}
	others := sqldb.Where{SQL: unmentioned, Args: args}
	atOthers := w.at != nil && w.at.Key.Number == lastPlace
	if atOthers {
		others.And(` AND a.name `+sign+` $%d`, sqldb.CleanText(w.at.ID))
	} else if w.at != nil {
		mentioned.And(` AND (m.place, m.name) `+sign+` ($%d, `, w.at.Key.Number)
		mentioned.And(`$%d)`, sqldb.CleanText(w.at.ID))
	}
	if atOthers || w.back {
		if atOthers {
			err = read(others, "a.name")
		}
		if err == nil && w.back && len(list) <= w.N {
			err = read(mentioned, "m.place", "m.name")
		}
		return list, err
	}
	if err = read(mentioned, "m.place", "m.name"); err == nil && len(list) <= w.N {
		err = read(others, "a.name")
	}
	return list, err
}

// Files implements store.Reader.
func (s *Store) Files(ctx context.Context, agent, words string, part store.Slice) (*store.Page[store.File], error) {
	agent = sqldb.CleanText(agent)
	like := ""
	if words != "" {
		like = likePart(words)
	}
	w := windowOf(part)
	list, err := s.fileNames(ctx, agent, like, w)
	if err != nil {
		return nil, err
	}
	page := pageOf(w, list)
	names := make([]string, len(page.Items))
	for i := range page.Items {
		names[i] = page.Items[i].Name
	}
	found, err := s.FilesByName(ctx, agent, names)
	if err != nil {
		return nil, err
	}
	page.Items = nil
	for _, name := range names {
		if f := found[name]; f != nil {
			page.Items = append(page.Items, *f)
		}
	}
	page.Total, page.AtLeast, err = s.countFiles(ctx, agent, like, store.MaxCount)
	return page, err
}

// countFiles counts the files of an agent whose names match, up to a number.
func (s *Store) countFiles(ctx context.Context, agent, like string, most int) (total int, more bool, err error) {
	err = s.Row(ctx, `SELECT count(*) FROM (SELECT 1`+filesFrom+` LIMIT $3) counted`, agent, like, most+1).Scan(&total)
	return min(total, most), total > most, err
}

// lowerASCII lowercases as both databases do, only in ASCII.
func lowerASCII(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		r |= 0x20
	}
	return r
}

// File implements store.Reader.
func (s *Store) File(ctx context.Context, agent, name string) (*store.File, error) {
	found, err := s.FilesByName(ctx, agent, []string{sqldb.CleanText(name)})
	if err == nil && found[sqldb.CleanText(name)] == nil {
		err = store.ErrNotFound
	}
	return found[sqldb.CleanText(name)], err
}

// FilesByName implements store.Reader.
func (s *Store) FilesByName(ctx context.Context, agent string, names []string) (map[string]*store.File, error) {
	found := make(map[string]*store.File, len(names))
	if len(names) == 0 {
		return found, nil
	}
	agent = sqldb.CleanText(agent)
	cleaned := make([]string, len(names))
	for i, name := range names {
		cleaned[i] = sqldb.CleanText(name)
	}
	rows, err := s.Rows(ctx, `SELECT `+attachmentColumns+` FROM attachments WHERE agent = $1 AND name `+s.TextsIn(2), agent, sqldb.JSONList(cleaned))
	bytes, err := sqldb.Collect(rows, err, scanAttachment)
	if err != nil {
		return nil, err
	}
	for _, a := range bytes {
		found[a.Name] = &store.File{Attachment: a}
	}
	if err := s.addFileErasures(ctx, agent, cleaned, found); err != nil {
		return nil, err
	}
	const most = 50 // mentions per file
	type named struct {
		name string
		m    store.Mention
	}
	rows, err = s.Rows(ctx, `SELECT named.name, r.kind, r.id, named.n, t.received_at, r.ts, r.title
		FROM (SELECT name, record, n, row_number() OVER (PARTITION BY name ORDER BY record, n) AS place FROM mentions WHERE agent = $1 AND name `+s.TextsIn(2)+`) named
		JOIN records r ON r.no = named.record JOIN trail t ON t.record = named.record AND t.n = named.n WHERE named.place <= $3 ORDER BY named.name, named.record, named.n`, agent, sqldb.JSONList(cleaned), most)
	mentions, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *named) error {
		err := r.Scan(&x.name, &x.m.File, &x.m.ID, &x.m.N, &x.m.At, &x.m.TS, &x.m.Title)
		x.m.ID = sqldb.DecodeID(x.m.ID)
		return err
	})
	for _, x := range mentions {
		f := found[x.name]
		if f == nil {
			f = &store.File{Attachment: store.Attachment{Agent: agent, Name: x.name, Size: -1}}
			found[x.name] = f
		}
		f.Mentions = append(f.Mentions, x.m)
	}
	return found, err
}

// addFileErasures adds the tombstones of files.
func (s *Store) addFileErasures(ctx context.Context, agent string, names []string, found map[string]*store.File) error {
	rows, err := s.Rows(ctx, `SELECT `+erasureColumns+` FROM erasures WHERE agent = $1 AND kind = 3 AND id `+s.TextsIn(2), agent, sqldb.JSONList(names))
	erased, err := sqldb.Collect(rows, err, scanErasure)
	for i := range erased {
		e := &erased[i]
		found[e.ID] = &store.File{Attachment: store.Attachment{Agent: agent, Name: e.ID, Size: -1}, Erased: e}
	}
	return err
}
