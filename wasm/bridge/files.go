package bridge

import "github.com/figs-web/figs-web/figs"

// chosen is an attachment on the page.
type chosen struct {
	key   int // number of the attachment, from 1
	name  string
	size  int64
	owner Ref
	named list
}

// choose puts an attachment on the page. index holds, by attachment, its place among the
// chosen ones.
func (x *selector) choose(index []*chosen, all []figs.Attachment, i int) {
	c := &chosen{key: i + 1, name: all[i].Name, size: all[i].Size, owner: Ref{figs.NoFile, 0}}
	index[i] = c
	x.files = append(x.files, c)
}

// attached takes a page of attachments, those that lines name first, or the one with that
// number from 0.
func (x *selector) attached(only int) bool {
	all := x.f.Attachments()
	words := splitWords(x.r.text("text"))
	index := make([]*chosen, len(all))
	for _, i := range x.listed(all) {
		if (only < 0 || i == only) && containsAll(all[i].Name, words) && x.onPage() {
			x.choose(index, all, i)
		}
	}
	x.mention(index)
	return only < 0 || len(x.files) > 0
}

// listed is the order of files: as lines name them, then those that no line names.
func (x *selector) listed(all []figs.Attachment) []int {
	order := make([]int, 0, len(all))
	met := make([]bool, len(all))
	mentions := x.f.Mentions()
	for i := range mentions {
		if n := mentions[i].Attachment; !met[n] {
			met[n] = true
			order = append(order, n)
		}
	}
	for i := range all {
		if !met[i] && all[i].Size >= 0 {
			order = append(order, i)
		}
	}
	return order
}

// attachments takes every file that a record's lines name.
func (x *selector) attachments(r Ref) {
	all := x.f.Attachments()
	index := make([]*chosen, len(all))
	mentions := x.f.Mentions()
	for i := range mentions {
		m := &mentions[i]
		if index[m.Attachment] == nil && m.File == r.File && m.Line.Record == r.Record {
			x.choose(index, all, m.Attachment)
		}
	}
	x.mention(index)
}

// mention adds the lines that name the chosen files, and each file's first owner.
func (x *selector) mention(index []*chosen) {
	if len(x.files) == 0 {
		return
	}
	mentions := x.f.Mentions()
	for i := range mentions {
		m := &mentions[i]
		c := index[m.Attachment]
		if c == nil || c.named.n >= 100 {
			continue
		}
		c.named.n++
		c.named.put(int(m.File), m.Line.Number, int(m.Line.TS))
		if c.owner.File == figs.NoFile {
			c.owner = Ref{m.File, m.Line.Record}
			x.record(c.owner)
		}
	}
}
