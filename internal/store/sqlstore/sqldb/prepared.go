package sqldb

import (
	"context"
	"database/sql"
	"sync"
)

// maxKept is the number of statements that keptStatements knows.
const maxKept = 500

// keptStatements are the statements that stay prepared on SQLite's connection for writing: preparing them for each transaction
// takes a quarter of a small push. PostgreSQL's driver does this itself.
type keptStatements struct {
	mu     sync.Mutex
	known  map[string]*sql.Stmt // by query; nil if it ran once, or is still to be prepared
	wanted []string             // queries that ran again
}

// find returns a query's statement. A query that isn't prepared yet runs without one this time.
func (k *keptStatements) find(query string) *sql.Stmt {
	k.mu.Lock()
	defer k.mu.Unlock()
	stmt, ran := k.known[query]
	switch {
	case ran && stmt == nil:
		k.wanted = append(k.wanted, query)
	case !ran && len(k.known) < maxKept:
		if k.known == nil {
			k.known = map[string]*sql.Stmt{}
		}
		k.known[query] = nil
	}
	return stmt
}

// prepare prepares what was wanted. It must not be called during a transaction, which occupies the connection.
func (k *keptStatements) prepare(ctx context.Context, db *sql.DB) {
	k.mu.Lock()
	wanted := k.wanted
	k.wanted = nil
	k.mu.Unlock()
	for _, query := range wanted {
		stmt, err := db.PrepareContext(ctx, query)
		if err != nil {
			continue // running it says why
		}
		k.mu.Lock()
		stmt, k.known[query] = k.known[query], stmt
		k.mu.Unlock()
		if stmt != nil { // it was wanted twice
			stmt.Close()
		}
	}
}

func (k *keptStatements) close() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, stmt := range k.known {
		if stmt != nil {
			stmt.Close()
		}
	}
}
