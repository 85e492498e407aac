package journal

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseInboxQuery(t *testing.T) {
	for in, want := range map[string]InboxQuery{
		"":                               {},
		"tab=needs":                      {},
		"tab=closed&after=1.a.b&from=50": {Tab: TabClosed, After: "1.a.b"},
		"tab=waiting&everybody=1&n=900":  {Tab: TabWaiting, Everybody: true, N: 200},
		"tab=reported&everybody=1":       {Tab: TabReported, Everybody: true},
		"tab=snoozed":                    {Tab: TabSnoozed},
		"q=Client+731":                   {Text: "Client 731"},
		"tab=nonsense&everybody=yes":     {},
		"agent=~YS9i&department=R%26D+Lab&type=sign-off&to=manager&age=24": {Agent: "~YS9i", Department: "R&D Lab", Type: "sign-off", To: "manager", MinWaitHours: 24},
		"mine=bo&Mine=bo&age=-4": {},
		"age=99999999":           {MinWaitHours: maxAge},
	} {
		if diff := cmp.Diff(want, ParseInboxQuery(in)); diff != "" {
			t.Errorf("ParseInboxQuery(%q) (-want +got):\n%s", in, diff)
		}
	}
	q := InboxQuery{Tab: TabClosed, Mine: "bo", Viewer: "bo", Everybody: true, Agent: "~YS9i", Department: "R&D Lab", Type: "question", To: "builder", MinWaitHours: 3, Before: "1..a", N: 7}
	want := "tab=closed&everybody=1&agent=~YS9i&department=R%26D%20Lab&type=question&to=builder&age=3&before=1..a&n=7"
	if got := q.String(); got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

func TestParseTrendsQuery(t *testing.T) {
	for in, want := range map[string]TrendsQuery{
		"":                      {},
		"days=28":               {},
		"days=91&agent=acme":    {Days: 91, Agent: "acme"},
		"days=364":              {Days: 364},
		"days=365":              {},
		"days=-91&agent=%2E%2E": {Agent: ".."},
	} {
		q := ParseTrendsQuery(in)
		if diff := cmp.Diff(want, q); diff != "" {
			t.Errorf("ParseTrendsQuery(%q) (-want +got):\n%s", in, diff)
		}
		if p := q.Period(); p != max(28, want.Days) {
			t.Errorf("the period of %q is %d", in, p)
		}
	}
	if got := (TrendsQuery{Days: 364, Agent: "a b"}).String(); got != "days=364&agent=a%20b" {
		t.Errorf("String() = %q", got)
	}
}

// FuzzFilters tests that parsing the URL of an inbox or trends query gives the query again.
func FuzzFilters(f *testing.F) {
	for _, s := range []string{"", "tab=closed&everybody=1", "days=91&agent=a", "age=24&department=a%20b&to=&type=x", "after=3&n=%", "tab=&tab=waiting", "days=0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := ParseInboxQuery(s)
		if again := ParseInboxQuery(q.String()); again != q {
			t.Fatalf("ParseInboxQuery(%q) = %+v, written %q, read again %+v", s, q, q.String(), again)
		}
		x := ParseTrendsQuery(s)
		if again := ParseTrendsQuery(x.String()); again != x || x.Days != 0 && x.Period() != x.Days {
			t.Fatalf("ParseTrendsQuery(%q) = %+v, written %q, read again %+v", s, x, x.String(), again)
		}
	})
}
