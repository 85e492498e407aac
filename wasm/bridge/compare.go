//go:build !core

package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// comparing is what an engine needs to compare folders with others.
type comparing struct {
	key    figs.PrintKey
	beside []*agent // given to be compared with; no page is about them
	kept   []byte   // the print of an earlier opening
	differ [][]byte // names of attachments that are as large as they were and have other bytes
	// last is the newest comparison by lines, and what it was made of.
	last     *figs.Comparison
	new, old *figs.Folder
}

// forget drops everything but the key.
func (c *comparing) forget() { *c = comparing{key: c.key} }

// folder returns an agent by its number; those given beside are counted behind the others.
func (e *Engine) folder(n int) *agent {
	switch beside := n - len(e.agents); {
	case n < 0:
	case beside < 0:
		return e.agents[n]
	case beside < len(e.compare.beside):
		return e.compare.beside[beside]
	}
	return nil
}

// compares answers the operations that comparisons need: "key" sets the key of prints; "print" makes the print of an
// agent; "kept" begins to take one that was kept, which is then fed as the file behind the last; "beside" opens folders
// next to those that are open; "besides" ends their reading, as "finish" does; "since" tells in short what became of the
// kept one; "alike" names the attachments that only their bytes can tell apart, "differ" takes those that differ.
func (e *Engine) compares(op string, r request) {
	c := &e.compare
	a := e.agent(r)
	switch op {
	case "key":
		c.key, c.last = figs.PrintKey{}, nil
		for i, digit := range []byte(r.text("key")) {
			c.key[i>>4&1] = c.key[i>>4&1]<<4 | uint64(digit&15+digit>>6*9)
		}
		e.done()
	case "kept":
		c.kept, c.last = nil, nil
		e.done()
	case "beside":
		c.beside, c.differ, c.last = nil, nil, nil
		for w := jsonl.Walk(r.get("agents")); w.Next(); {
			c.beside = append(c.beside, &agent{path: w.Value.Text(), f: figs.New(figs.Options{Keep: true, Now: r.text("now")})})
		}
		e.done()
	case "besides":
		e.finish(c.beside)
	case "differ":
		c.differ = nil
		for w := jsonl.Walk(r.get("files")); w.Next(); {
			c.differ = append(c.differ, []byte(w.Value.Text()))
		}
		e.done()
	default:
		if a == nil || !e.keep {
			e.fail("there is nothing to compare")
			return
		}
		e.comparesOf(a, op, r)
	}
}

func (e *Engine) comparesOf(a *agent, op string, r request) {
	switch op {
	case "print":
		e.out = figs.AppendPrint(e.out, a.f.Print(e.compare.key))
	case "since":
		e.since(a)
	case "alike":
		before := byte('[')
		if old := e.folder(r.int("with")); old != nil && old.report != nil {
			for _, c := range a.f.CompareFiles(old.f) {
				if c.Kind == figs.FileAlike && c.New > 0 {
					e.out = figs.AppendString(append(e.out, before), c.Name)
					before = ','
				}
			}
		}
		if before == '[' {
			e.out = append(e.out, '[')
		}
		e.out = append(e.out, ']')
	}
}

// with compares an agent with another by lines; without one, with the print that was kept. It is nil when that is none.
func (e *Engine) with(a, old *agent) *figs.Comparison {
	c := &e.compare
	var f *figs.Folder
	if old != nil {
		f = old.f
	}
	if c.last != nil && c.new == a.f && c.old == f {
		return c.last
	}
	p, ok := figs.ReadPrint(c.kept)
	if f != nil {
		p, ok = f.Print(c.key), true
	}
	if !ok {
		return nil
	}
	c.last, c.new, c.old = a.f.CompareWith(f, p, a.f.Print(c.key), c.key), a.f, f
	return c.last
}

var changeNames = [...]string{figs.LineEdited: "edited", figs.LineRemoved: "removed", figs.LineMoved: "moved", figs.LineInserted: "inserted"}

// since tells what became of the opening whose print was kept, as numbers of lines.
func (e *Engine) since(a *agent) {
	c := e.with(a, nil)
	if c == nil {
		e.fail("this is no print")
		return
	}
	counts := [len(changeNames)]int{}
	old, added, gone := 0, 0, 0
	for i := range c.Ledgers {
		l := &c.Ledgers[i]
		old += l.Old
		added += l.Added
		if l.Gone {
			gone += l.Old
		}
		for _, change := range l.Changes {
			counts[change.Kind]++
		}
	}
	e.out = figs.AppendCount(append(e.out, `{"op":"since"`...), "old", old)
	e.out = figs.AppendCount(e.out, "added", added)
	e.out = figs.AppendCount(e.out, "gone", gone)
	for i, name := range changeNames {
		e.out = figs.AppendCount(e.out, name, counts[i])
	}
	e.out = append(e.out, '}')
}
