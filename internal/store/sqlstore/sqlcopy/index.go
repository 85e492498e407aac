package sqlcopy

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// docSource reads the rows of a table for the search index.
type docSource struct {
	query string // number, workspace, agent and two texts, ordered by number, after $1
	words func(x, y string) string
}

// docSources are the tables that are searched.
var docSources = map[string]*docSource{
	"records": {`SELECT no, workspace, agent, fold, '' FROM records WHERE no > $1 ORDER BY no`, func(x, _ string) string { return sqldb.DocWords([]byte(x)) }},
	"messages": {`SELECT m.no, a.workspace, m.agent, m.line, '' FROM messages m JOIN agents a ON a.id = m.agent WHERE m.no > $1 ORDER BY m.no`,
		func(x, _ string) string { return sqldb.DocWords([]byte(x)) }},
	"attachments": {`SELECT no, workspace, agent, name, words FROM attachments WHERE no > $1 ORDER BY no`, func(x, y string) string { return x + " " + y }},
}

// indexWords builds the search index of the target from the source, as Reindex would.
func (c *copier) indexWords(ctx context.Context) error {
	for _, name := range sqldb.SortedNames(docSources) {
		if err := c.indexTable(ctx, name, docSources[name]); err != nil {
			return fmt.Errorf("indexing the words of %s: %w", name, err)
		}
	}
	return nil
}

func (c *copier) indexTable(ctx context.Context, name string, from *docSource) error {
	n, value, err := c.readProgress(ctx, "words", name)
	if err != nil {
		return err
	}
	last, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return err
	}
	c.progress(n)
	rows, err := c.tx.QueryContext(ctx, from.query, last)
	if err != nil {
		return err
	}
	defer rows.Close()
	for {
		docs, err := readDocs(rows, from.words)
		if err != nil || len(docs) == 0 {
			return errors.Join(err, rows.Err())
		}
		err = c.inTx(ctx, func(tx *sql.Tx) error {
			if err := c.updateProgress(ctx, tx, "words", name, n, n+int64(len(docs)), strconv.FormatInt(docs[len(docs)-1].No, 10)); err != nil {
				return err
			}
			return c.to.CopyDialect().writeDocs(ctx, c, tx, docs)
		})
		if err != nil {
			return err
		}
		n += int64(len(docs))
		c.progress(int64(len(docs)))
	}
}

// readDocs reads the documents of one batch.
func readDocs(rows *sql.Rows, words func(x, y string) string) (docs []sqldb.Doc, err error) {
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
