package sqldb

import (
	"fmt"
	"sync"
)

// insertQueue runs the inserts of a large push in SQLite, in order, while the caller prepares the next ones.
type insertQueue struct {
	inserts chan func() error
	running sync.WaitGroup
	mu      sync.Mutex
	err     error // of the first failed insert, after which no other runs
}

// InsertInBackground makes Insert return before it is done, until stop is called, which waits for all inserts. Every other
// statement of the transaction waits for the inserts before it. On PostgreSQL it does nothing, because sending inserts
// together saves more time.
func (c *Tx) InsertInBackground() (stop func() error) {
	if c.pipeline != nil {
		return func() error { return nil }
	}
	const queued = 4 // a part of a push inserts into four tables
	b := &insertQueue{inserts: make(chan func() error, queued)}
	go b.run()
	c.background = b
	return func() error {
		err := b.wait()
		close(b.inserts)
		c.background = nil
		return err
	}
}

func (b *insertQueue) run() {
	for insert := range b.inserts {
		b.runOne(insert)
	}
}

func (b *insertQueue) runOne(insert func() error) {
	defer b.running.Done()
	if b.firstError() != nil {
		return
	}
	defer func() {
		if thrown := recover(); thrown != nil { // would end the server; a panic in a request only ends the request
			b.fail(fmt.Errorf("sqlstore: an insert panicked: %v", thrown))
		}
	}()
	if err := insert(); err != nil {
		b.fail(err)
	}
}

func (b *insertQueue) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = err
}

// add queues an insert. It returns the error of an earlier one.
func (b *insertQueue) add(insert func() error) error {
	b.running.Add(1)
	b.inserts <- insert
	return b.firstError()
}

// wait waits for all inserts; b may be nil.
func (b *insertQueue) wait() error {
	if b == nil {
		return nil
	}
	b.running.Wait()
	return b.firstError()
}

func (b *insertQueue) firstError() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}
