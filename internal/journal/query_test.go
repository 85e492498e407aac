package journal

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseQuery(t *testing.T) {
	for in, want := range map[string]Query{
		"":                                    {},
		"state=fail&from=50":                  {State: "fail", From: 50},
		"q=caf%C3%A9+au%20lait&n=500":         {Text: "café au lait", N: 200},
		"from=-1&n=x&unknown=1":               {},
		"severity=error&code=line_torn&q=%zz": {Severity: "error", Code: "line_torn", Text: "%zz"},
		"from=99999999999999999999":           {},
	} {
		if diff := cmp.Diff(want, ParseQuery(in)); diff != "" {
			t.Errorf("ParseQuery(%q) (-want +got):\n%s", in, diff)
		}
	}
}

// FuzzQuery tests that parsing the string of a query gives the query again.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{"", "q=a%20b&from=3", "state=needs&n=7&file=a%2Fb", "q=%", "q=+&&==&q"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := ParseQuery(s)
		if again := ParseQuery(q.String()); again != q {
			t.Fatalf("ParseQuery(%q) = %+v, written %q, read again %+v", s, q, q.String(), again)
		}
	})
}
