package artifacts

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// workings are what is known of an entry only among all others.
type workings struct {
	living  int   // how many records that replace it have not come to an end
	mark    uint8 // in the search for circles: 1 on the way, 2 done
	circled bool  // it is part of one
}

// mostRelated is how many other places a finding names.
const mostRelated = 10

// joinRevisions finds what records name of each other.
func (r *Reader) joinRevisions() {
	byID := r.index()
	for i, e := range r.entries {
		for n := range e.Parents {
			if at, ok := byID[e.Parents[n].ID]; ok {
				e.Parents[n].No = at + 1
			} else {
				r.log.Add(e.at(figs.ParentUnknown, "/parentArtifactIds", e.parents[n]), e.Parents[n].ID)
			}
		}
		if e.Replaces == "" {
			continue
		}
		v := e.places.replaces
		at, ok := byID[e.Replaces]
		switch {
		case e.Replaces == e.ID || ok && at == i:
			r.log.Add(e.at(figs.ReplacesItself, "/replaces", v))
		case !ok:
			r.log.Add(e.at(figs.ReplacesUnknown, "/replaces", v), e.Replaces)
		default:
			e.ReplacesNo = at + 1
			if old := r.entries[at]; old.Channel != e.Channel && old.Channel != "" && e.Channel != "" {
				r.log.Add(e.at(figs.ReplacesOtherChannel, "/replaces", v), e.Channel, old.Channel)
			}
		}
	}
	r.cutCircles()
	for i, e := range r.entries {
		if e.ReplacesNo > 0 {
			old := r.entries[e.ReplacesNo-1]
			old.ReplacedBy = append(old.ReplacedBy, i+1)
			old.Superseded = true
		}
	}
	r.compete()
}

// index finds records by id. Of several with one id, the one whose file is named so counts, else the first.
func (r *Reader) index() map[string]int {
	byID := make(map[string]int, len(r.entries))
	for i, e := range r.entries {
		if e.ID == "" {
			continue
		}
		first, again := byID[e.ID]
		if !again {
			byID[e.ID] = i
			continue
		}
		f := e.at(figs.RecordIDReused, "/id", e.places.id)
		f.Related = []figs.Position{r.entries[first].placeOf(r.entries[first].places.id)}
		r.log.Add(f, e.ID, r.entries[first].File)
		if e.File == Dir+"/"+e.ID+".json" {
			byID[e.ID] = i
		}
	}
	return byID
}

// placeOf is where a value stands.
func (e *entry) placeOf(v kind.Value) figs.Position {
	line, column := e.doc.Position(v.Offset)
	return figs.Position{File: e.File, Line: line, Column: column}
}

// cutCircles notes records that replace each other in a circle, each circle once, and lets none of them replace
// another: whichever was first, nobody can tell. Each record replaces at most one, so that one walk sees all.
func (r *Reader) cutCircles() {
	for i := range r.entries {
		at := i
		for at >= 0 && r.entries[at].mark == 0 {
			r.entries[at].mark = 1
			at = r.entries[at].ReplacesNo - 1
		}
		if at >= 0 && r.entries[at].mark == 1 {
			r.cutCircle(at)
		}
		for at = i; at >= 0 && r.entries[at].mark == 1; {
			r.entries[at].mark = 2
			at = r.entries[at].ReplacesNo - 1
		}
	}
}

// cutCircle cuts the circle that a record is part of.
func (r *Reader) cutCircle(start int) {
	var circle []int
	for at := start; len(circle) == 0 || at != start; at = r.entries[at].ReplacesNo - 1 {
		circle = append(circle, at)
	}
	figs.Sort(circle, func(x, y int) bool { return x < y })
	first := r.entries[circle[0]]
	f := first.at(figs.ReplacesCycle, "/replaces", first.places.replaces)
	for _, at := range circle[1:min(len(circle), mostRelated+1)] {
		f.Related = append(f.Related, r.entries[at].placeOf(r.entries[at].places.replaces))
	}
	r.log.Add(f, digits(len(circle)))
	for _, at := range circle {
		r.entries[at].ReplacesNo, r.entries[at].mark, r.entries[at].circled = 0, 2, true
	}
}

// compete finds artifacts that several records replace, none of which has come to an end.
func (r *Reader) compete() {
	// From the newest revisions back: a record is judged when all that replaces it has been. It lives when one of
	// these does, or when nothing replaces it and it stands.
	waits := make([]int, len(r.entries))
	var ready []int
	for i, e := range r.entries {
		if waits[i] = len(e.ReplacedBy); waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	lives := make([]bool, len(r.entries))
	for n := 0; n < len(ready); n++ {
		e := r.entries[ready[n]]
		lives[ready[n]] = e.living > 0 || len(e.ReplacedBy) == 0 && !e.Superseded && !e.Deleted
		if e.ReplacesNo == 0 {
			continue
		}
		old := e.ReplacesNo - 1
		if lives[ready[n]] {
			r.entries[old].living++
		}
		if waits[old]--; waits[old] == 0 {
			ready = append(ready, old)
		}
	}
	r.gather(lives)
}

// gather puts living records together that replace the same.
func (r *Reader) gather(lives []bool) {
	byID := map[string]int{} // index in all, of what is replaced
	var all []Competition
	for i, e := range r.entries {
		if e.Replaces == "" || e.Replaces == e.ID || e.circled || !lives[i] {
			continue
		}
		at, ok := byID[e.Replaces]
		if !ok {
			at = len(all)
			byID[e.Replaces] = at
			all = append(all, Competition{ID: e.Replaces, No: e.ReplacesNo})
		}
		all[at].Revisions = append(all[at].Revisions, i+1)
	}
	for _, c := range all {
		if len(c.Revisions) > 1 {
			r.state.Competitions = append(r.state.Competitions, c)
			for _, no := range c.Revisions {
				r.entries[no-1].Competition = len(r.state.Competitions)
			}
			r.noteCompetition(c)
		}
	}
}

func (r *Reader) noteCompetition(c Competition) {
	first := r.entries[c.Revisions[0]-1]
	f := first.at(figs.RevisionsCompete, "/replaces", first.places.replaces)
	for _, no := range c.Revisions[1:min(len(c.Revisions), mostRelated+1)] {
		e := r.entries[no-1]
		f.Related = append(f.Related, e.placeOf(e.places.replaces))
	}
	r.log.Add(f, c.ID, digits(len(c.Revisions)))
}
