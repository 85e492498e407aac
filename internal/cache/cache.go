// Package cache keeps values that are costly to make: a bounded cache that evicts what was used least recently, and
// makes each value once however many ask for it at the same time.
package cache

import (
	"container/list"
	"context"
	"sync"
)

// Cache keeps one version of a value per key. It is safe for concurrent use. The values are shared: nobody may change one,
// unless it does its own locking.
type Cache[K, W comparable, V any] struct {
	limit int
	size  func(V) int

	mu     sync.Mutex
	begun  int64 // how many entries were begun
	used   int   // the sum of the kept values' sizes
	kept   map[K]*list.Element
	order  list.List // of *entry[K, W, V], most recently used first
	making map[versioned[K, W]]*entry[K, W, V]
}

type versioned[K, W comparable] struct {
	key     K
	version W
}

// entry is a value, which may be read once done is closed.
type entry[K, W comparable, V any] struct {
	versioned[K, W]
	begun   int64
	done    chan struct{}
	dropped bool
	value   V
	err     error
	left    bool // whoever produced it was canceled, or panicked
	size    int
}

// New returns an empty cache of values whose sizes add up to limit at most. A nil size counts each value as one.
func New[K, W comparable, V any](limit int, size func(V) int) *Cache[K, W, V] {
	if size == nil {
		size = func(V) int { return 1 }
	}
	return &Cache[K, W, V]{limit: limit, size: size, kept: map[K]*list.Element{}, making: map[versioned[K, W]]*entry[K, W, V]{}}
}

// Get returns the value that is kept under a key at a version. If there is none, it calls produce, unless another call is
// producing it already: then it waits for that one. The new value takes the place of the key's other versions, unless one
// of them was begun later. All who wait share an error, except for the end of the producer's context, or its panic: then
// one of those who wait produces.
func (c *Cache[K, W, V]) Get(ctx context.Context, key K, version W, produce func() (V, error)) (none V, err error) {
	for {
		e, mine := c.find(versioned[K, W]{key, version})
		if mine {
			defer c.land(e)
			e.value, e.err = produce()
			e.left = e.err != nil && ctx.Err() != nil
			return e.value, e.err
		}
		select {
		case <-e.done:
		case <-ctx.Done():
			return none, ctx.Err()
		}
		if !e.left {
			return e.value, e.err
		}
		if err := ctx.Err(); err != nil {
			return none, err
		}
	}
}

// Kept returns the value that is kept under a key, whatever its version.
func (c *Cache[K, W, V]) Kept(key K) (value V, version W, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.kept[key]
	if at == nil {
		return value, version, false
	}
	e := at.Value.(*entry[K, W, V])
	return e.value, e.version, true
}

// find returns the entry of a version. It is the caller's to produce if there was none.
func (c *Cache[K, W, V]) find(k versioned[K, W]) (e *entry[K, W, V], mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.kept[k.key]; at != nil && at.Value.(*entry[K, W, V]).version == k.version {
		c.order.MoveToFront(at)
		return at.Value.(*entry[K, W, V]), false
	}
	if e = c.making[k]; e == nil {
		c.begun++
		e, mine = &entry[K, W, V]{versioned: k, begun: c.begun, done: make(chan struct{}), left: true}, true
		c.making[k] = e
	}
	return e, mine
}

// land keeps what was produced, and lets those go on who wait for it.
func (c *Cache[K, W, V]) land(e *entry[K, W, V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(e.done)
	delete(c.making, e.versioned)
	if e.err != nil || e.left || e.dropped {
		return
	}
	at := c.kept[e.key]
	if e.size = c.size(e.value); e.size > c.limit || at != nil && at.Value.(*entry[K, W, V]).begun > e.begun {
		return
	}
	if at != nil {
		c.remove(at)
	}
	c.kept[e.key] = c.order.PushFront(e)
	for c.used += e.size; c.used > c.limit; {
		c.remove(c.order.Back())
	}
}

func (c *Cache[K, W, V]) remove(at *list.Element) {
	e := c.order.Remove(at).(*entry[K, W, V])
	delete(c.kept, e.key)
	c.used -= e.size
}

// Drop removes the values for which which returns true. It is asked with a zero value about those that are being made;
// they still reach whoever waits for them, but are not kept.
func (c *Cache[K, W, V]) Drop(which func(K, V) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var none V
	for k, e := range c.making {
		e.dropped = e.dropped || which(k.key, none)
	}
	for key, at := range c.kept {
		if which(key, at.Value.(*entry[K, W, V]).value) {
			c.remove(at)
		}
	}
}

// All returns the kept values, the most recently used first.
func (c *Cache[K, W, V]) All() (values []V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at := c.order.Front(); at != nil; at = at.Next() {
		values = append(values, at.Value.(*entry[K, W, V]).value)
	}
	return values
}
