package sqlcopy

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// docSource reads what search knows of the rows of a table, behind one of them.
type docSource struct {
	query string // no, workspace, agent and two texts, in the order of no, from behind $1
	words func(x, y string) string
}

// docSources are the tables whose rows are searched.
var docSources = map[string]*docSource{
	"records": {`SELECT no, workspace, agent, fold, '' FROM records WHERE no > $1 ORDER BY no`, func(x, _ string) string { return sqldb.DocWords([]byte(x)) }},
	"messages": {`SELECT m.no, a.workspace, m.agent, m.line, '' FROM messages m JOIN agents a ON a.id = m.agent WHERE m.no > $1 ORDER BY m.no`,
		func(x, _ string) string { return sqldb.DocWords([]byte(x)) }},
	"attachments": {`SELECT no, workspace, agent, name, words FROM attachments WHERE no > $1 ORDER BY no`, func(x, y string) string { return x + " " + y }},
}

// indexWords makes the index of the target, from the source, as Reindex would.
func (c *copying) indexWords(ctx context.Context) error {
	for _, name := range sqldb.SortedNames(docSources) {
		if err := c.indexTable(ctx, name, docSources[name]); err != nil {
			return fmt.Errorf("indexing the words of %s: %w", name, err)
		}
	}
	return nil
}

func (c *copying) indexTable(ctx context.Context, name string, from *docSource) error {
	n, value, err := c.progressOf(ctx, "words", name)
	if err != nil {
		return err
	}
	last, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return err
	}
	c.step(n)
	rows, err := c.tx.QueryContext(ctx, from.query, last)
	if err != nil {
		return err
	}
	defer rows.Close()
	for {
		docs, err := nextDocs(rows, from.words)
		if err != nil || len(docs) == 0 {
			return errors.Join(err, rows.Err())
		}
		err = c.within(ctx, func(tx *sql.Tx) error {
			if err := c.noteProgress(ctx, tx, "words", name, n, n+int64(len(docs)), strconv.FormatInt(docs[len(docs)-1].No, 10)); err != nil {
				return err
			}
			return c.to.Copies().writeDocs(ctx, c, tx, docs)
		})
		if err != nil {
			return err
		}
		n += int64(len(docs))
		c.step(int64(len(docs)))
	}
}

// nextDocs reads as much as one transaction takes.
func nextDocs(rows *sql.Rows, words func(x, y string) string) (docs []sqldb.Doc, err error) {
	for bytes := 0; len(docs) < batchRows && bytes < batchBytes && rows.Next(); {
		var d sqldb.Doc
		var x, y string
		if err := rows.Scan(&d.No, &d.Workspace, &d.Agent, &x, &y); err != nil {
			return nil, err
		}
		d.Words = words(x, y)
		bytes += len(d.Words)
		docs = append(docs, d)
	}
	return docs, nil
}
