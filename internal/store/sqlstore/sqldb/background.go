package sqldb

import (
	"fmt"
	"sync"
)

// background runs the inserts of a large push in SQLite, in their order, while the caller prepares the next ones.
type background struct {
	inserts chan func() error
	running sync.WaitGroup
	mu      sync.Mutex
	err     error // of the first insert that failed; no other runs after it
}

// InsertInBackground has inserts run in the background until stop is called, which waits for them. Every other statement
// of the change waits for the inserts before it. On PostgreSQL it does nothing: what is sent together saves more.
func (c *Tx) InsertInBackground() (stop func() error) {
	if c.line != nil {
		return func() error { return nil }
	}
	const queued = 4 // a part inserts into four tables
	b := &background{inserts: make(chan func() error, queued)}
	go b.run()
	c.background = b
	return func() error {
		err := b.wait()
		close(b.inserts)
		c.background = nil
		return err
	}
}

func (b *background) run() {
	for insert := range b.inserts {
		b.runOne(insert)
	}
}

func (b *background) runOne(insert func() error) {
	defer b.running.Done()
	if b.failed() != nil {
		return
	}
	defer func() {
		if thrown := recover(); thrown != nil { // which would end the server, where a request's panic ends that request
			b.fail(fmt.Errorf("sqlstore: an insert panicked: %v", thrown))
		}
	}()
	if err := insert(); err != nil {
		b.fail(err)
	}
}

func (b *background) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = err
}

// add has an insert run. It returns the error of an earlier one.
func (b *background) add(insert func() error) error {
	b.running.Add(1)
	b.inserts <- insert
	return b.failed()
}

// wait waits for all inserts; b may be nil.
func (b *background) wait() error {
	if b == nil {
		return nil
	}
	b.running.Wait()
	return b.failed()
}

func (b *background) failed() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}
