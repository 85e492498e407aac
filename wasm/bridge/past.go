package bridge

import "github.com/figs-web/figs-web/figs"

// keptPoints is how many earlier points of an agent are held at a time.
const keptPoints = 2

// at returns an agent as it was at a point of its life; itself at the end, and where the engine keeps no bytes.
func (e *Engine) at(a *agent, p figs.Point) *agent {
	if !e.keep || p == a.f.End() {
		return a
	}
	for i, past := range a.past {
		if past.f.End() == p {
			copy(a.past[1:i+1], a.past[:i])
			a.past[0] = past
			return past
		}
	}
	f := a.history().At(p)
	if f == nil {
		return a
	}
	past := &agent{path: a.path, f: f, whole: a}
	past.finish(nil)
	if len(a.past) < keptPoints {
		a.past = append(a.past, nil)
	}
	copy(a.past[1:], a.past)
	a.past[0] = past
	return past
}

// history returns the agent's folder with what its earlier points need, which is gathered when it is first asked for.
func (a *agent) history() *figs.Folder {
	if f := a.f.History(); f != nil {
		a.f = f
	}
	return a.f
}

// instant tells at which point the agent is looked at.
func (a *agent) instant(l *list, newest int64) {
	f := a.f
	point, step := f.End(), f.Steps()
	steps, prev, next := step, point, point
	if a.whole != nil {
		f = a.whole.f
		steps = f.Steps()
		prev, next, newest = f.PointOf(step-1), f.PointOf(step+1), f.MomentOf(point)
	}
	l.put(number(a.whole != nil), step, steps, int(newest))
	l.put(point[:]...)
	l.put(prev[:]...)
	l.put(next[:]...)
}

// asked is the agent that a request names, at the point that it names. A point that cannot be read is the end.
func (e *Engine) asked(r request, whole *agent) *agent {
	if at := r.text("at"); at != "" && whole != nil {
		if p, ok := whole.f.ParsePoint(at); ok {
			return e.at(whole, p)
		}
	}
	return whole
}
