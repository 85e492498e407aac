package sandbox

import (
	"sort"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/report"
	"github.com/figs-web/figs-web/sandbox/visible"
)

// finish fills in what is known after the attachment was looked at.
func (p *page) finish() {
	p.tally.fill(p.result)
	if p.binary || p.result.Kind == report.Download || p.result.Kind == report.Image {
		return
	}
	p.hiddenCharacters()
	p.imitates()
}

// hiddenCharacters lists the characters that leave no mark, those that are written as references too.
func (p *page) hiddenCharacters() {
	found := map[rune]*report.Hidden{}
	count := func(at int, r rune) {
		if h := found[r]; h != nil {
			h.Count++
			h.At = min(h.At, int64(at))
		} else {
			found[r] = &report.Hidden{Char: r, Count: 1, At: int64(at)}
		}
	}
	s := string(p.content)
	visible.Each(s, func(at int, _ string, r rune, run int) bool {
		bomFirst := r == 0xfeff && at == 0
		if run > 0 && r != visible.BadByte && r != 0 && r != '\r' && r != '\f' && !bomFirst {
			count(at, r)
		}
		return true
	})
	switch p.result.Kind {
	case report.HTML, report.Markdown, report.SVG:
		references(s, count)
	case report.JSON:
		escapes(s, count)
	}
	p.listHidden(found)
}

func (p *page) listHidden(found map[rune]*report.Hidden) {
	list := make([]report.Hidden, 0, len(found))
	for _, h := range found {
		list = append(list, *h)
	}
	sort.Slice(list, func(i, j int) bool {
		return list[i].At < list[j].At || list[i].At == list[j].At && list[i].Char < list[j].Char
	})
	if n := len(list) - report.MaxItems; n > 0 {
		list, p.result.More.Hidden = list[:report.MaxItems], n
	}
	if len(list) > 0 {
		p.result.Hidden = list
	}
}

// references calls count for every hidden character that s writes as &#x200b; or &zwnj;.
func references(s string, count func(int, rune)) {
	for at := 0; ; at++ {
		i := strings.IndexByte(s[at:], '&')
		if i < 0 {
			return
		}
		at += i
		name := s[at:min(len(s), at+40)]
		end := strings.IndexByte(name, ';')
		if end < 0 {
			end = len(until(name[1:], " <>&\"'\n\t"))
			name = name[:end+1]
		} else {
			name = name[:end+1]
		}
		if len(name) > 2 {
			for _, r := range html.UnescapeString(name) {
				if r > 0x7f && visible.Hidden(r, 0) {
					count(at, r)
				}
				break
			}
		}
	}
}

// escapes calls count for every hidden character that s writes as \u200b.
func escapes(s string, count func(int, rune)) {
	for at := 0; at+6 <= len(s); at++ {
		i := strings.Index(s[at:], `\u`)
		if i < 0 || at+i+6 > len(s) {
			return
		}
		at += i
		if n, err := strconv.ParseUint(s[at+2:at+6], 16, 32); err == nil && n > 0x7f && visible.Hidden(rune(n), 0) {
			count(at, rune(n))
		}
	}
}
