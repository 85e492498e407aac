// Package cache keeps values that are costly to make: a bounded cache that evicts what was used least recently, and
// makes each value once however many ask for it at the same time.
package cache

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

// Cache keeps one version of a value per key. It is safe for concurrent use. The values are shared: nobody may change one,
// unless it does its own locking.
type Cache[K, W comparable, V any] struct {
	limit int
	size  func(V) int

	mu     sync.Mutex
	begun  int64 // how many values were begun to be made
	used   int   // the sum of the kept values' sizes
	kept   map[K]*list.Element
	order  list.List // of *entry[K, W, V], most recently used first
	making map[versioned[K, W]]*flight[V]
}

type versioned[K, W comparable] struct {
	key     K
	version W
}

type entry[K, W comparable, V any] struct {
	versioned[K, W]
	value V
	size  int
	begun int64
}

// flight is a value that is being made. Its value and error may be read once done is closed.
type flight[V any] struct {
	done    chan struct{}
	begun   int64
	dropped bool
	value   V
	err     error
}

// New returns an empty cache of values whose sizes add up to limit at most. A nil size counts each value as one.
func New[K, W comparable, V any](limit int, size func(V) int) *Cache[K, W, V] {
	if size == nil {
		size = func(V) int { return 1 }
	}
	return &Cache[K, W, V]{limit: limit, size: size, kept: map[K]*list.Element{}, making: map[versioned[K, W]]*flight[V]{}}
}

// Get returns the value that is kept under a key at a version. If there is none, it calls produce, unless another call is
// producing it already: then it waits for that one. The new value takes the place of the key's other versions, unless one
// of them was begun later. All who wait share an error, except for the end of the producer's context, or its panic: then
// one of those who wait produces.
func (c *Cache[K, W, V]) Get(ctx context.Context, key K, version W, produce func() (V, error)) (V, error) {
	k := versioned[K, W]{key, version}
	for {
		c.mu.Lock()
		if at := c.kept[key]; at != nil && at.Value.(*entry[K, W, V]).version == version {
			c.order.MoveToFront(at)
			c.mu.Unlock()
			return at.Value.(*entry[K, W, V]).value, nil
		}
		f := c.making[k]
		if f == nil {
			c.begun++
			f = &flight[V]{done: make(chan struct{}), begun: c.begun, err: context.Canceled}
			c.making[k] = f
			c.mu.Unlock()
			defer c.land(k, f)
			f.value, f.err = produce()
			return f.value, f.err
		}
		c.mu.Unlock()
		select {
		case <-f.done:
		case <-ctx.Done():
		}
		switch {
		case ctx.Err() != nil:
			var none V
			return none, ctx.Err()
		case !errors.Is(f.err, context.Canceled) && !errors.Is(f.err, context.DeadlineExceeded):
			return f.value, f.err
		}
	}
}

// land keeps what was produced, and lets those go on who wait for it.
func (c *Cache[K, W, V]) land(k versioned[K, W], f *flight[V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(f.done)
	delete(c.making, k)
	e := &entry[K, W, V]{versioned: k, begun: f.begun}
	if f.err != nil || f.dropped {
		return
	}
	if e.value, e.size = f.value, c.size(f.value); e.size > c.limit {
		return
	}
	if at := c.kept[k.key]; at != nil {
		if at.Value.(*entry[K, W, V]).begun > f.begun {
			return
		}
		c.remove(at)
	}
	c.kept[k.key] = c.order.PushFront(e)
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
	for k, f := range c.making {
		var none V
		f.dropped = f.dropped || which(k.key, none)
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
