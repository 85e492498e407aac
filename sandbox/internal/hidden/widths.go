package hidden

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// A frame is between these widths in pixels: a phone's and a wide window's.
const (
	narrowest = 280
	widest    = 1400
	usual     = 1000
)

// mostStretches bounds how many pictures of one document are judged.
const mostStretches = 12

// Sheets are the rules of a document for every width of the frame: one sheet for each set of media queries that
// hold together.
type Sheets struct {
	list      []*Sheet
	stretches []stretch
	inline    map[string][]decl // of style attributes
	// Partly says that more widths differ than are judged.
	Partly bool
}

// stretch is a range of widths that one sheet is for.
type stretch struct {
	from, to int
	sheet    int
}

// Read reads the rules of a sheet that package style has written.
func Read(css string) *Sheets {
	s := &Sheets{inline: map[string][]decl{"": nil}}
	queries := queriesOf(css)
	edges := []int{narrowest}
	for _, q := range queries {
		for part := range strings.FieldsFuncSeq(q, func(r rune) bool { return r == '(' || r == ')' || r == ',' }) {
			name, value, _ := strings.Cut(part, ":")
			n, ok := length(value, units{em: rootSize, share: math.NaN(), window: usual})
			if !ok || n < narrowest || n > widest {
				continue
			}
			switch strings.TrimSpace(name) {
			case "min-width":
				edges = append(edges, int(math.Ceil(n)))
			case "max-width":
				edges = append(edges, int(math.Floor(n))+1)
			case "width":
				edges = append(edges, int(n), int(n)+1)
			}
		}
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	known := map[string]int{}
	for i, from := range edges {
		to := widest
		if i+1 < len(edges) {
			to = edges[i+1] - 1
		}
		if from > to {
			continue
		}
		var holds strings.Builder
		for _, q := range queries {
			holds.WriteByte("01"[bit(applies(q, float64(from)))])
		}
		at, found := known[holds.String()]
		if !found {
			if len(s.list) >= mostStretches {
				s.Partly = true
				continue
			}
			at = len(s.list)
			known[holds.String()] = at
			s.list = append(s.list, parse(css, float64(from)))
		}
		s.stretches = append(s.stretches, stretch{from, to, at})
	}
	for _, sheet := range s.list {
		sheet.left = mostLooks / len(s.list)
	}
	return s
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// queriesOf lists the media queries of a sheet, each once.
func queriesOf(css string) []string {
	var list []string
	for rest := css; ; {
		i := strings.Index(rest, "@media ")
		if i < 0 || len(list) >= 200 {
			return list
		}
		rest = rest[i+len("@media "):]
		q, _, _ := strings.Cut(rest, "{")
		if !slices.Contains(list, q) {
			list = append(list, q)
		}
	}
}

// Exhausted reports whether not every rule was tried on every element, or not every width judged.
func (s *Sheets) Exhausted() bool {
	return s.Partly || slices.ContainsFunc(s.list, func(x *Sheet) bool { return x.Partly })
}

// Looks are the look of one element at every width.
type Looks []Look

// Page is the look of the page itself.
func (s *Sheets) Page() Looks {
	looks := make(Looks, len(s.list))
	for i := range looks {
		looks[i] = page()
	}
	return looks
}

// Judge says what speaks against a person's seeing the text of an element, at all widths together: what hides
// it at one of them hides it.
func (s *Sheets) Judge(looks Looks) Verdict {
	var worst Verdict
	for i := range looks {
		if v := &looks[i].Verdict; v.worse(&worst) {
			worst = *v
		}
	}
	if worst.Why == "" {
		return worst
	}
	return s.atWidths(worst, func(i int) bool { v := &looks[i].Verdict; return v.Why != "" && v.Unjudged == worst.Unjudged })
}

// atWidths adds to a verdict at which widths it holds.
func (s *Sheets) atWidths(v Verdict, holds func(int) bool) Verdict {
	from, to, all := 0, 0, true
	for _, x := range s.stretches {
		switch {
		case !holds(x.sheet):
			all = false
		case from == 0:
			from, to = x.from, x.to
		default:
			to = x.to
		}
	}
	switch {
	case all || from == 0:
	case from == narrowest:
		v.Why += " below " + grouped(to+1) + " px"
	case to == widest:
		v.Why += " from " + grouped(from) + " px"
	default:
		v.Why += " between " + grouped(from) + " and " + grouped(to) + " px"
	}
	return v
}

func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return strconv.Itoa(n/1000) + "," + strconv.Itoa(n + 1000)[len(strconv.Itoa(n+1000))-3:]
}

// applies reports whether a media query holds for a width of the page.
func applies(query string, width float64) bool {
	for _, q := range strings.Split(query, ",") {
		holds := true
		for _, part := range strings.Split(q, " and ") {
			holds = holds && feature(strings.TrimSpace(part), width)
		}
		if holds {
			return true
		}
	}
	return false
}

func feature(part string, width float64) bool {
	name, value, ok := strings.Cut(strings.Trim(part, "()"), ":")
	if !ok {
		return true // a screen
	}
	n, known := length(value, units{em: rootSize, share: math.NaN(), window: width})
	switch name {
	case "min-width":
		return known && width >= n
	case "max-width":
		return known && width <= n
	case "width":
		return known && n == width
	}
	return false
}
