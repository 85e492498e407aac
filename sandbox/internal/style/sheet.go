package style

import (
	"slices"
	"strings"
)

// rules filters a list of rules: a sheet, or the inside of an at-rule. depth counts the blocks around it.
func (f *filter) rules(lo, hi, depth int) {
	for i := lo; i < hi; {
		switch t := &f.toks[i]; {
		case t.kind == kWhitespace || t.kind == kCDO || t.kind == kCDC:
			i++
		case t.kind == kAtKeyword:
			end := f.statement(i+1, hi)
			f.at(i, end, depth)
			i = end
		default:
			i = f.qualified(i, hi)
		}
	}
}

// block finds the block that ends a rule: the index of its '{', or -1.
func (f *filter) block(lo, hi int) int {
	for i := lo; i < hi; i = f.next(i) {
		if f.toks[i].kind == kLeftBrace {
			return i
		}
	}
	return -1
}

// at judges one at-rule.
func (f *filter) at(lo, hi, depth int) {
	name := f.toks[lo].text
	open := f.block(lo+1, hi)
	if open < 0 || depth >= maxDepth {
		if name != "import" && name != "charset" || open >= 0 {
			f.drop("@" + name)
		}
		return
	}
	inside := min(int(f.toks[open].close), hi)
	switch name {
	case "media":
		if query := f.media(lo+1, open); query != "" {
			f.wrap("@media "+query, open+1, inside, depth)
			return
		}
	case "layer":
		// The order of layers stands in for their rank; what a report looks like rests on it rarely.
		f.rules(open+1, inside, depth+1)
		return
	case "supports":
		// What a browser lacks it skips by itself.
		if !f.negative(lo+1, open) {
			f.rules(open+1, inside, depth+1)
			return
		}
	}
	f.drop("@" + name)
}

// negative says whether a condition asks for what a browser lacks.
func (f *filter) negative(lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if strings.EqualFold(f.toks[i].text, "not") {
			return true
		}
	}
	return false
}

// wrap filters the inside of an at-rule and writes it in a block, when anything is left of it.
func (f *filter) wrap(head string, lo, hi, depth int) {
	before := len(f.out)
	f.out = append(append(f.out, head...), '{')
	start := len(f.out)
	f.within++
	f.rules(lo, hi, depth+1)
	f.within--
	if len(f.out) > start {
		f.out = append(f.out, '}')
		return
	}
	f.out = f.out[:before]
}

// qualified judges one rule with selectors and returns where it ends.
func (f *filter) qualified(lo, hi int) int {
	open := f.block(lo, hi)
	if open < 0 {
		f.drop("a broken rule")
		return hi
	}
	inside := min(int(f.toks[open].close), hi)
	end := min(f.next(open), hi)
	list := slices.DeleteFunc(f.selectors(lo, open), f.searches)
	decls := f.declarations(open+1, inside)
	if len(list) == 0 || len(decls) == 0 || f.full(list) {
		return end
	}
	f.out = append(append(f.out, strings.Join(list, ",")...), '{')
	f.out = append(append(f.out, written(decls)...), '}')
	return end
}

// anyElement says whether a browser must try a selector on every element.
func anyElement(s string) bool {
	s = strings.TrimRight(s, " ")
	return strings.IndexByte("*:[", s[strings.LastIndexByte(s, ' ')+1]) >= 0
}

// searches says whether a selector would search among the siblings of every element, and counts it.
func (f *filter) searches(s string) bool {
	if !anyElement(s) || !strings.Contains(s, " ~ ") {
		return false
	}
	f.drop(s)
	return true
}

// full says whether the sheet has enough rules, and counts one that it drops.
func (f *filter) full(list []string) bool {
	for _, s := range list {
		if anyElement(s) {
			f.anywhere++
			break
		}
	}
	f.kept++
	if f.kept > maxRules || f.anywhere > maxAnywhere {
		f.drop("too many rules")
		return true
	}
	return false
}
