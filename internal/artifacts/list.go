package artifacts

import "github.com/figs-web/figs-web/figs"

// newest numbers the records from the newest to the oldest; of the same time the last file comes first, and those
// without a time stand at the end.
func newest(records []Record) []int {
	order := make([]int, len(records))
	for i := range order {
		order[i] = len(records) - i
	}
	figs.Sort(order, func(x, y int) bool { return records[x-1].At > records[y-1].At })
	return order
}

// Record is the record with that number; nil when there is none.
func (c *Channels) Record(no int) *Record {
	if no < 1 || no > len(c.Records) {
		return nil
	}
	return &c.Records[no-1]
}

// Named is the record with that id: of several, the one whose file is named so, else the first; nil when there is none.
func (c *Channels) Named(id string) (found *Record) {
	for i := range c.Records {
		if r := &c.Records[i]; r.ID == id && (found == nil || r.File == Dir+"/"+id+".json") {
			found = r
		}
	}
	return found
}

// State is what a record is now: "active", "superseded" or "deleted". A status that nobody knows hides nothing.
func (r *Record) State() string {
	switch {
	case r.Deleted:
		return "deleted"
	case r.Superseded:
		return "superseded"
	}
	return "active"
}

// List chooses records, newest first. A Since that ParseSince cannot read chooses nothing out.
func (c *Channels) List(f Filter) (list []*Record) {
	since, _ := ParseSince(f.Since)
	order := c.newest
	if len(order) != len(c.Records) {
		order = newest(c.Records)
	}
	for _, no := range order {
		r := &c.Records[no-1]
		if !f.chooses(r) || r.At < since {
			continue
		}
		if list = append(list, r); len(list) == f.Limit {
			break
		}
	}
	return list
}

func (f *Filter) chooses(r *Record) bool {
	p := &r.Producer
	for _, wanted := range [...][2]string{{f.Channel, r.Channel}, {f.Work, p.Work}, {f.Parent, p.ParentWork}, {f.Task, p.Task}, {f.Session, p.Session}, {f.Status, r.State()}} {
		if wanted[0] != "" && wanted[0] != wanted[1] {
			return false
		}
	}
	return f.All || f.Status != "" || r.State() == "active"
}

// ParseSince reads the time from which on a Filter chooses, in microseconds since 1970: RFC 3339, or a date, which
// begins at midnight UTC. For "" it is the beginning of all times.
func ParseSince(s string) (micros int64, ok bool) {
	if s == "" {
		return figs.NoTime, true
	}
	if len(s) == len("2026-11-20") {
		s += "T00:00:00Z"
	}
	return figs.ParseTime(s)
}

// Chain lists the revisions of an artifact that lead to a record and on from it, oldest first: what it replaces, what
// that replaces, and so on; itself; then what replaces it, step by step. Revisions that only share an ancestor with it
// are not part of it: see Rivals.
func (c *Channels) Chain(no int) (numbers []int) {
	if c.Record(no) == nil {
		return nil
	}
	seen := map[int]bool{}
	for at := no; c.Record(at) != nil && !seen[at]; at = c.Record(at).ReplacesNo {
		seen[at] = true
		numbers = append(numbers, at)
	}
	for i, j := 0, len(numbers)-1; i < j; i, j = i+1, j-1 {
		numbers[i], numbers[j] = numbers[j], numbers[i]
	}
	for i := len(numbers) - 1; i < len(numbers); i++ {
		for _, next := range c.Record(numbers[i]).ReplacedBy {
			if c.Record(next) != nil && !seen[next] {
				seen[next] = true
				numbers = append(numbers, next)
			}
		}
	}
	return numbers
}

// Competing lists the artifacts that several living revisions replace.
func (c *Channels) Competing() []Competition { return c.Competitions }

// Rivals lists the revisions with which a record competes for replacing the same artifact.
func (c *Channels) Rivals(no int) (numbers []int) {
	r := c.Record(no)
	if r == nil || r.Competition < 1 || r.Competition > len(c.Competitions) {
		return nil
	}
	for _, other := range c.Competitions[r.Competition-1].Revisions {
		if other != no {
			numbers = append(numbers, other)
		}
	}
	return numbers
}

// sortChannels gathers records by channel.
func (c *Channels) sortChannels() {
	byName := map[string]int{}
	for _, no := range c.newest {
		r := c.Record(no)
		i, ok := byName[r.Channel]
		if !ok {
			i = len(c.Channels)
			byName[r.Channel] = i
			c.Channels = append(c.Channels, Channel{Name: r.Channel, Documented: has(Documented, r.Channel), Last: r.Created})
		}
		ch := &c.Channels[i]
		ch.Records++
		if r.State() == "active" {
			ch.Active++
			ch.Heads = append(ch.Heads, no)
		}
	}
	for _, competition := range c.Competitions {
		c.Channels[byName[c.Record(competition.Revisions[0]).Channel]].Competing++
	}
	order := counted(len(c.Channels))
	figs.Sort(order, func(x, y int) bool {
		a, b := &c.Channels[x], &c.Channels[y]
		if a.Documented && b.Documented {
			return place(Documented, a.Name) < place(Documented, b.Name)
		}
		return a.Documented || !b.Documented && a.Name < b.Name
	})
	sorted := make([]Channel, len(order))
	for i, at := range order {
		sorted[i] = c.Channels[at]
	}
	c.Channels = sorted
}

func place(words []string, word string) int {
	for i, w := range words {
		if w == word {
			return i
		}
	}
	return len(words)
}
