package sandbox

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/sandbox/report"
)

func TestCompare(t *testing.T) {
	cases := []struct {
		name          string
		before, after Attachment
		way           report.DiffMode
		same          bool
		shows, hides  string // in the document
	}{
		{"text", Attachment{"a.txt", []byte("one\ntwo\n")}, Attachment{"b.txt", []byte("one\nthree\n")}, report.DiffLines, false, "three", "<script"},
		{"same", Attachment{"a.txt", []byte("one\n")}, Attachment{"b.txt", []byte("one\n")}, report.DiffLines, true, "", "<script"},
		{"markdown_and_text", Attachment{"a.md", []byte("# a <script>\n")}, Attachment{"b.txt", []byte("# b <script>\n")}, report.DiffLines, false, "&lt;script", "<script"},
		{"html_by_its_words", Attachment{"a.html", []byte("<p>one<script>x</script>")}, Attachment{"b.html", []byte("<p>two<p hidden>three")}, report.DiffLines, false, "display:none", "&lt;p"},
		{"json_by_values", Attachment{"a.json", []byte(`{"a":1,"b":2}`)}, Attachment{"b.json", []byte(`{"b":2,"a":3}`)}, report.DiffStructure, false, "3", "<script"},
		{"broken_json_by_lines", Attachment{"a.json", []byte(`{"a":1`)}, Attachment{"b.json", []byte(`{"a":2}`)}, report.DiffLines, false, "a", "<script"},
		{"pictures", Attachment{"a.gif", gif}, Attachment{"b.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`)}, report.DiffPictures, false, "", ""},
		{"downloads_by_facts", Attachment{"a.csv", []byte("secret,1")}, Attachment{"b.csv", []byte("secret,2")}, report.DiffFacts, false, "", "secret"},
		{"picture_and_text", Attachment{"a.gif", gif}, Attachment{"b.txt", []byte("x")}, report.DiffFacts, false, "", ""},
		{"binary_by_facts", Attachment{"a.txt", make([]byte, 50)}, Attachment{"b.txt", []byte("x")}, report.DiffFacts, false, "", ""},
		{"empty", Attachment{"a.txt", nil}, Attachment{"b.txt", []byte("x")}, report.DiffLines, false, "x", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := Compare(c.before, c.after, report.Hosted())
			if got.Way != c.way || got.Same != c.same {
				t.Errorf("by %s, same %v; want %s, %v: %v", got.Way, got.Same, c.way, c.same, got.Notices)
			}
			inside := string(got.Document)
			if _, after, found := strings.Cut(inside, "</head>"); found {
				inside = after
				checkDocument(t, string(got.Document), false)
			}
			if c.shows != "" && !strings.Contains(inside, c.shows) {
				t.Errorf("%q is not shown: %s %v", c.shows, inside, got.Notices)
			}
			if c.hides != "" && strings.Contains(inside, c.hides) {
				t.Errorf("%q is shown: %s", c.hides, inside)
			}
			if (got.Way == report.DiffFacts || got.Way == report.DiffPictures) && got.Document != nil {
				t.Errorf("a document: %s", inside)
			}
			if got.Before.Name != c.before.Name || got.After.Size != int64(len(c.after.Content)) || len(got.After.SHA256) != 64 {
				t.Errorf("sides %+v, %+v", got.Before, got.After)
			}
		})
	}
}
