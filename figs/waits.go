package figs

// Span is a stretch of time, in microseconds since 1970 UTC. To is NoTime while it lasts.
type Span struct{ From, To int64 }

// Wait is the part of one round of an ask in which a human was owed (§6): from the line that put the ask to
// a human to the first reply that decides something, or to the agent's own close, or to the next round when
// nobody said anything.
type Wait struct {
	// Span never ends before it begins, whatever clocks say. From is NoTime where nobody dated the line that
	// began the round; then To is too.
	Span
	Round int  // from 1
	Reply int  // which ended it, in thread order; -1: none did
	Lasts bool // a human is owed now: the ask needs one, and this is its last round
}

// Waits returns one wait for each round of an ask, in order. It is known after Finish.
func (f *Folder) Waits(ask int) []Wait {
	return f.waits(ask, f.writtenAt, f.writtenAt)
}

// writtenAt is when a line of an ask was written: a close often has no time but that of its resolution.
func (f *Folder) writtenAt(line uint32) int64 {
	if ts := f.ledgers[Asks].lines.at(int(line)).ts; ts != NoTime {
		return ts
	}
	lo, hi := 0, f.resolved.n
	for lo < hi {
		if mid := (lo + hi) / 2; f.resolved.at(mid).line < line {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < f.resolved.n && f.resolved.at(lo).line == line {
		return f.resolved.at(lo).ts
	}
	return NoTime
}

// waits works them out; at is when a line was written, closedAt when one that closes the ask did.
func (f *Folder) waits(ask int, at, closedAt func(line uint32) int64) []Wait {
	l := &f.ledgers[Asks]
	thread := f.thread(ask)
	replies := f.replies(thread)
	chain := l.chain(ask)
	all := []Wait{{Span: Span{at(chain[0]), NoTime}, Round: 1, Reply: -1}}
	start, raised := 0, false
	closed := false // the ask, by the lines so far
	over := false   // this round began when the ask was closed, and nothing was owed
	ends := int64(NoTime)
	for _, i := range chain {
		flags := l.lines.at(int(i)).flags
		t, again := l.lines.at(int(i)).turn(&raised)
		if again {
			was := start
			start = max(start, replies.before(t))
			if t.reopen || start > 0 {
				w := &all[len(all)-1]
				if f.end(w, thread[was:start], was, ends, over); w.To == NoTime {
					w.To = at(i)
				}
				over = closed && !t.reopen
				ends = NoTime
				all = append(all, Wait{Span: Span{at(i), NoTime}, Round: w.Round + 1, Reply: -1})
			}
		}
		closed = closed && !t.reopen
		if flags&lineCloses != 0 {
			closed = true
			if ends == NoTime {
				ends = closedAt(i)
			}
		}
	}
	last := &all[len(all)-1]
	f.end(last, thread[start:], start, ends, over)
	if last.Lasts = f.states[ask].Phase == NeedsYou; last.Lasts {
		last.To, last.Reply = NoTime, -1
	} else if last.To == NoTime {
		last.To = last.From // it is not owed any more, and nobody dated the end
	}
	for i := range all {
		w := &all[i]
		if w.From == NoTime {
			w.To = NoTime
		} else if !w.Lasts {
			w.To = max(w.To, w.From)
		}
	}
	return all
}

// end ends a wait with the first of its round's replies that decides something, or with the close; a wait that never
// was is over when it begins. from is the place of the first reply in the thread.
func (f *Folder) end(w *Wait, replies []int, from int, closed int64, over bool) {
	if over {
		w.To = w.From
		return
	}
	for i, reply := range replies {
		if m := f.messages.at(reply); m.kind == kindAnswer || m.kind == kindVerdict && m.verdict >= verdictApproved && m.verdict <= verdictRejectedAsk {
			w.Reply, w.To = from+i, m.at
			break
		}
	}
	if closed != NoTime && (w.To == NoTime || closed < w.To) {
		if w.To = closed; w.From == NoTime || closed >= w.From {
			w.Reply = -1
		}
	}
}

// thread lists the replies to an ask in order.
func (f *Folder) thread(ask int) []int {
	lo, hi := 0, len(f.threads)
	for lo < hi {
		if mid := (lo + hi) / 2; uint(f.askOf(f.threads[mid])) < uint(ask) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for hi = lo; hi < len(f.threads) && f.askOf(f.threads[hi]) == ask; {
		hi++
	}
	return f.threads[lo:hi]
}

// Flights returns when a job was in flight, in order: from each line that leaves it so to the next that does
// not. A line without a time counts as written when the one before it was.
func (f *Folder) Flights(job int) []Span {
	l := &f.ledgers[Runs]
	var all []Span
	flying, last := false, int64(NoTime)
	for _, i := range l.chain(job) {
		ln := l.lines.at(int(i))
		if ln.ts != NoTime {
			last = max(ln.ts, last)
		}
		if now := ln.flags&lineFlies != 0; now != flying {
			if flying = now; now {
				all = append(all, Span{last, NoTime})
			} else {
				all[len(all)-1].To = last
			}
		}
	}
	return all
}

// Waits returns one wait for each round of an ask, as Folder.Waits does; a version that says no time was written when it
// arrived. It returns nil if no version of the ask was given.
func (d *AskStates) Waits(ask string) []Wait {
	rec := d.f.Find(Asks, ask)
	if rec < 0 {
		return nil
	}
	at := func(i uint32) int64 {
		if ts := d.f.writtenAt(i); ts != NoTime {
			return ts
		}
		return d.versions[i].At
	}
	return d.f.waits(rec, at, func(i uint32) int64 {
		if closed, ok := d.closed[i]; ok {
			return closed
		}
		return at(i)
	})
}
