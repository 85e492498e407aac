package listquery

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type person struct {
	id, name, role string
	since          int64
}

var people = List[person]{
	ID: func(p *person) string { return p.id },
	Columns: []Column[person]{
		{Name: "name", Text: func(p *person) string { return p.name }},
		{Name: "role", Kind: Word, Text: func(p *person) string { return p.role }},
		{Name: "since", Kind: Time, Number: func(p *person) int64 { return p.since }},
		{Name: "picture"},
	},
	Default: "name",
}

const day = 24 * 60 * 60 * 1_000_000

func TestSelect(t *testing.T) {
	rows := []person{
		{"1", "Bea Ash", "owner", 0},
		{"2", "ada Birch", "admin", 31 * day},
		{"3", "Bea Ash", "member", 365 * day},
		{"4", "=1+1", "member", 400 * day},
	}
	for _, c := range []struct{ query, want string }{
		{"", "4 2 1 3"},
		{"sort=-name", "1 3 2 4"},
		{"sort=since", "1 2 3 4"},
		{"sort=-since", "4 3 2 1"},
		{"sort=picture", "4 2 1 3"},
		{"sort=nonsense", "4 2 1 3"},
		{"q=ash", "1 3"},
		{"q=ASH+-role:member", "1"},
		{"q=role:member", "4 3"},
		{"q=role:mem+ash", "3"},
		{"q=role:ember", ""},
		{"q=since:1970", "2 1"},
		{"q=since:>1970", "4 3"},
		{"q=since:<1970-02", "1"},
		{"q=since:yesterday", ""},
		{"q=-since:1970-01", "4 2 3"},
		{`q="bea+ash"`, "1 3"},
		{"q=nobody", ""},
		{"q=nonsense:x", ""},
	} {
		values, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		page := people.Select(rows, Parse(values))
		if got := ids(page.Items); got != c.want || page.Total != len(page.Items) || page.All != 4 {
			t.Errorf("%q: %q of %d of %d; want %q", c.query, got, page.Total, page.All, c.want)
		}
	}
	if page := people.Select(rows, Query{Filter: "nonsense:x"}); !slices.Equal(page.Unknown, []string{"nonsense"}) {
		t.Errorf("unknown fields: %q", page.Unknown)
	}
}

func ids(rows []person) string {
	var all []string
	for _, p := range rows {
		all = append(all, p.id)
	}
	return strings.Join(all, " ")
}

// TestOrderAndFlags tries columns that are ordered by something else than their value, and words without a field, which
// flags don't contain.
func TestOrderAndFlags(t *testing.T) {
	list := List[person]{
		ID: func(p *person) string { return p.id },
		Columns: []Column[person]{
			{Name: "name", Text: func(p *person) string { return p.name }},
			{Name: "is", Kind: Flags, Text: func(p *person) string { return p.role }},
			{Name: "first", Order: func(p *person) Key { return Key{p.since, p.name} }},
		},
		Default: "first",
	}
	rows := []person{{"1", "owner", "late paid", 2}, {"2", "zoe", "new owner", 1}, {"3", "ada", "", 1}}
	for query, want := range map[string]string{
		"": "3 2 1", "sort=name": "3 1 2", "sort=-first": "1 2 3", "q=owner": "1", "q=is:owner": "2", "q=is:pa": "1", "q=is:aid": "", "q=-is:late": "3 2", "q=first:1": "", "q=is:": "3 2 1",
	} {
		values, _ := url.ParseQuery(query)
		if got := ids(list.Select(rows, Parse(values)).Items); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}

// TestPages walks through lists with many equal rows, forwards and back, and while rows come and go.
func TestPages(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var rows []person
		for i := range random.IntN(60) {
			rows = append(rows, person{id: fmt.Sprint(i), name: string(rune('a' + random.IntN(4))), since: int64(random.IntN(5))})
		}
		q := Query{N: 1 + random.IntN(10), Sort: []string{"", "name", "-name", "since", "-since"}[random.IntN(5)]}
		all, _ := people.Filtered(rows, q)
		var walked []person
		at := q
		for {
			page := people.Select(rows, at)
			if len(walked) != page.From || len(page.Items) > q.N {
				t.Fatalf("page from %d has %d rows after %d", page.From, len(page.Items), len(walked))
			}
			walked = append(walked, page.Items...)
			if page.Prev != "" {
				back := at
				back.After, back.Before = "", page.Prev
				if before := people.Select(rows, back); before.From+len(before.Items) != page.From {
					t.Fatalf("the page before %d is %d to %d", page.From, before.From, before.From+len(before.Items))
				}
			}
			if page.Next == "" {
				break
			}
			at.After = page.Next
		}
		if ids(walked) != ids(all) {
			t.Fatalf("%q: walked %q, want %q", q.Sort, ids(walked), ids(all))
		}
	}
}

// TestPagesOfChangingList: a row that stays is never skipped or repeated, whatever else comes and goes between two pages.
func TestPagesOfChangingList(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		rows := make([]person, 30)
		for i := range rows {
			rows[i] = person{id: fmt.Sprint(i), name: string(rune('a' + random.IntN(4)))}
		}
		var seen []string
		q := Query{N: 7}
		for {
			page := people.Select(rows, q)
			for _, p := range page.Items {
				if !strings.HasPrefix(p.id, "new") {
					seen = append(seen, p.id)
				}
			}
			if q.After = page.Next; q.After == "" {
				break
			}
			rows = append(rows, person{id: fmt.Sprint("new", len(rows)), name: string(rune('a' + random.IntN(4)))})
			if last := page.Items[len(page.Items)-1]; random.IntN(2) == 0 { // the row of the cursor goes
				rows = slices.DeleteFunc(rows, func(p person) bool { return p.id == last.id })
			}
		}
		if slices.Sort(seen); len(slices.Compact(slices.Clone(seen))) != 30 || len(seen) != 30 {
			t.Fatalf("saw %d rows: %q", len(seen), seen)
		}
	}
}

func FuzzQuery(f *testing.F) {
	for _, s := range []string{"", "q=a&sort=-name&n=7", "after=1.YQ.Mg", "before=-1..", "after=&before=x", "columns=name,role&columns=x", "n=99999999999999999999", "q=%ff", "q=since:>&sort=-", "q=-since:<2026-13+%22"} {
		f.Add(s)
	}
	rows := []person{{"1", "Bea", "owner", 5}, {"2", "ada", "", -1}, {"3", "Bea", "x", 1 << 61}}
	f.Fuzz(func(t *testing.T, s string) {
		values, err := url.ParseQuery(s)
		if err != nil {
			return
		}
		q := Parse(values)
		again, err := url.ParseQuery(q.String())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(q, Parse(again)); diff != "" {
			t.Fatalf("%q (-read +read again):\n%s", s, diff)
		}
		page := people.Select(rows, q)
		if page.From < 0 || page.From+len(page.Items) > page.Total || page.Total > 3 || len(page.Items) == 0 && page.Total > 0 && q.After == "" && q.Before == "" {
			t.Fatalf("%q: %+v", s, page)
		}
	})
}
