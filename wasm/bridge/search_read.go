package bridge

// SearchResult is how far a search has come, and in what.
type SearchResult struct {
	Left                       int  // lines and attachments that are not looked at yet
	Kept                       bool // false: the engine keeps no bytes, so that ids, states and times are all that it searches
	Read, Texts                int  // attachments whose text is searched, and those that may have one
	Jobs, Asks, Replies, Files int  // what was found so far
}

// SearchResult reads what a selection of the page "search" says of the search.
func (s *Selection) Searched() (r SearchResult) {
	d := &decoder{b: s.Text}
	left, kept := d.num(), d.num()
	r.Left, r.Kept = left, kept == 1
	d.nums(&r.Read, &r.Texts, &r.Jobs, &r.Asks, &r.Replies, &r.Files)
	if d.bad {
		return SearchResult{}
	}
	return r
}
