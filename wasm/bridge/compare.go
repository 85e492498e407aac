package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// comparing is what an engine needs to compare folders with others.
type comparing struct {
	key    figs.FingerprintKey
	beside []*agent // given to be compared with; no page is about them
	kept   [][]byte // prints of earlier openings, the newest first
	files  []bytesCompared
	// last is the newest comparison by lines, and what it was made of.
	last     *figs.Comparison
	new, old *figs.Folder
}

// bytesCompared tells, of two agents, which attachments that are as large in both have other bytes, and of which nobody could
// read the bytes.
type bytesCompared struct {
	of, with       *agent
	differ, unread [][]byte
}

// forget drops everything but the key.
func (c *comparing) forget() { *c = comparing{key: c.key} }

// take takes the next bytes of the print that is being fed.
func (c *comparing) take(b []byte) {
	if n := len(c.kept); n > 0 {
		c.kept[n-1] = append(c.kept[n-1], b...)
	}
}

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

// compares answers the operations that comparisons need: "key" sets the key of fingerprints; "fingerprint" makes that of an
// agent; "loadFingerprint" begins to take one that was kept, which is then fed as the file behind the last, with "more" behind
// those that are here; "openOlder" opens folders next to those that are open, "finishOlder" ends their reading, as "finish"
// does; "since" tells in short what became of the kept ones; "sameSizeFiles" names the attachments that only their bytes can
// tell apart, "differingFiles" takes those that differ.
func (e *Engine) compares(op string, r request) {
	c := &e.compare
	a := e.agent(r)
	switch op {
	case "key":
		c.key, c.last = figs.FingerprintKey{}, nil
		for i, digit := range []byte(r.text("key")) {
			c.key[i>>4&1] = c.key[i>>4&1]<<4 | uint64(digit&15+digit>>6*9)
		}
		e.done()
	case "loadFingerprint":
		if r.get("more").Kind != jsonl.True {
			c.kept = nil
		}
		c.kept, c.last = append(c.kept, nil), nil
		e.done()
	case "openOlder":
		c.beside, c.files, c.last = nil, nil, nil
		for w := jsonl.Walk(r.get("agents")); w.Next(); {
			c.beside = append(c.beside, &agent{path: w.Value.Text(), f: figs.New(figs.Options{Keep: true, Now: r.text("now")})})
		}
		e.done()
	case "finishOlder":
		e.finish(c.beside)
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
	case "fingerprint":
		if a.f.ReadWhole() {
			e.out = figs.AppendFingerprint(e.out, a.f.Print(e.compare.key))
		}
	case "differingFiles":
		with := e.folder(r.int("with"))
		told := bytesCompared{of: a, with: with, differ: namesIn(r.get("files")), unread: namesIn(r.get("unread"))}
		for i, t := range e.compare.files {
			if t.of == a && t.with == with {
				e.compare.files[i] = told
				e.done()
				return
			}
		}
		e.compare.files = append(e.compare.files, told)
		e.done()
	case "since":
		e.since(a)
	case "sameSizeFiles":
		before := byte('[')
		if old := e.folder(r.int("with")); old != nil && old.report != nil {
			for _, c := range a.f.CompareFiles(old.f) {
				if c.Kind == figs.FileSameSize && c.New > 0 {
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
	q := a.f.Print(c.key)
	var p *figs.Fingerprint
	if f != nil {
		p = f.Print(c.key)
	} else if p = e.print(0, q); p == nil {
		return nil
	}
	c.last, c.new, c.old = a.f.CompareWith(f, p, q, c.key), a.f, f
	return c.last
}

// print is the n-th print that was kept; nil when there is none, or it was made with another key.
func (e *Engine) print(n int, like *figs.Fingerprint) *figs.Fingerprint {
	if n >= len(e.compare.kept) {
		return nil
	}
	p, ok := figs.ReadFingerprint(e.compare.kept[n])
	if !ok || !p.Fits(like) {
		return nil
	}
	return p
}

func namesIn(list jsonl.Value) (names [][]byte) {
	for w := jsonl.Walk(list); w.Next(); {
		names = append(names, []byte(w.Value.Text()))
	}
	return names
}
