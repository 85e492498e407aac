package artifacts

import "github.com/figs-web/figs-web/figs"

// unit is a Work while the tree grows.
type unit struct {
	Work
	up    int // index of its parent; -1 is none
	said  int // index of the entry that says who its parent is
	mark  uint8
	below []int
}

// joinWorks makes the tree of work: who caused whom, and what each published.
func (r *Reader) joinWorks() {
	var units []unit
	byID := map[string]int{}
	find := func(id string) int {
		i, ok := byID[id]
		if !ok {
			i = len(units)
			byID[id] = i
			units = append(units, unit{Work: Work{ID: id}, up: -1})
		}
		return i
	}
	for n, e := range r.entries {
		p := &e.Producer
		if p.Work == "" {
			continue
		}
		i := find(p.Work)
		if u := &units[i]; !u.Known {
			u.Known, u.Kind, u.Name = true, p.Kind, p.Name
		}
		units[i].Records = append(units[i].Records, n+1)
		if p.ParentWork != "" && units[i].Parent == "" {
			units[i].Parent, units[i].said = p.ParentWork, n
			up := find(p.ParentWork)
			units[i].up = up
		}
	}
	r.cutWorks(units)
	for i := range units {
		if up := units[i].up; up >= 0 {
			units[up].below = append(units[up].below, i)
		}
		r.oldestFirst(units[i].Records)
	}
	r.state.Works = planted(units)
}

// cutWorks notes work that is its own ancestor, each circle once, and begins a tree at the first of it.
func (r *Reader) cutWorks(units []unit) {
	for i := range units {
		at := i
		for at >= 0 && units[at].mark == 0 {
			units[at].mark = 1
			at = units[at].up
		}
		if at >= 0 && units[at].mark == 1 {
			first := at
			for next := at; units[next].mark == 1; next = units[next].up {
				units[next].mark = 2
				first = min(first, next)
			}
			e := r.entries[units[first].said]
			r.log.Add(e.at(figs.WorkCycle, "/producer/parentWorkId", e.places.parent), units[first].ID)
			units[first].up = -1
		}
		for at = i; at >= 0 && units[at].mark == 1; at = units[at].up {
			units[at].mark = 2
		}
	}
}

// oldestFirst sorts numbers of records by time, those without one at the end.
func (r *Reader) oldestFirst(numbers []int) {
	figs.Sort(numbers, func(x, y int) bool {
		a, b := r.entries[x-1].At, r.entries[y-1].At
		return a != b && b == figs.NoTime || a < b && a != figs.NoTime
	})
}

// planted lists the units so that each tree stands together, parents before their children.
func planted(units []unit) (works []Work) {
	places := make([]int, len(units))
	var stack []int
	for root := range units {
		if units[root].up >= 0 {
			continue
		}
		for stack = append(stack, root); len(stack) > 0; {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			w := units[i].Work
			if up := units[i].up; up >= 0 {
				parent := &works[places[up]]
				w.Depth = min(parent.Depth+1, MaxDepth)
				parent.Children = append(parent.Children, len(works))
			}
			places[i] = len(works)
			works = append(works, w)
			for n := len(units[i].below) - 1; n >= 0; n-- {
				stack = append(stack, units[i].below[n])
			}
		}
	}
	return works
}
