package lessons_test

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/figs-web/figs-web/components/words"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/lessons"
	"github.com/figs-web/figs-web/internal/kind"
	"github.com/figs-web/figs-web/internal/project"
)

var update = flag.Bool("update", false, "rewrite the golden list of codes")

// TestCodesGolden holds the catalogue still: codes stand in reports and addresses, so one
// that is renamed or removed breaks whoever wrote it down. New ones are added with -update.
func TestCodesGolden(t *testing.T) {
	var got strings.Builder
	for c := range figs.Codes() {
		got.WriteString(c.String() + " " + c.Severity().String() + " " + c.Origin().String() + "\n")
	}
	const file = "testdata/codes.golden"
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(want)) {
		if !strings.Contains("\n"+got.String(), "\n"+line) {
			t.Errorf("the catalogue lost or changed a rule that was published: %q", line)
		}
	}
	if got.String() != string(want) {
		t.Errorf("codes differ from %s; if rules were added on purpose, run go test ./figs/lessons -update", file)
	}
}

// TestEveryRuleHasALesson holds each rule to a lesson with all its parts.
func TestEveryRuleHasALesson(t *testing.T) {
	if got, want := len(lessons.All()), int(figs.Codes()); got != want {
		t.Errorf("len(All()) = %d, want %d: one lesson for each rule", got, want)
	}
	for c := range figs.Codes() {
		l := lessons.Of(c)
		if l.Code != c || l.Title == "" || l.Why == "" || len(l.Bad) == 0 || len(l.Good) == 0 {
			t.Errorf("%v: the lesson is missing or lacks title, why, bad or good", c)
			continue
		}
		if n := utf8.RuneCountInString(l.Title); n > 60 || strings.HasSuffix(l.Title, ".") {
			t.Errorf("%v: title %q: want at most 60 characters and no full stop", c, l.Title)
		}
		if n := strings.Count(l.Why+" ", ". "); n < 1 || n > 3 {
			t.Errorf("%v: why has %d sentences, want 1 to 3", c, n)
		}
		if l.Section == "" || !c.OfKind() && !strings.HasPrefix(l.Section, "§") {
			t.Errorf("%v: section %q, want one like §4.1", c, l.Section)
		}
		if c.Origin() != figs.OriginProtocol && !strings.Contains(l.Citation, "§") {
			t.Errorf("%v is %v: the lesson must cite the sentence that it enforces", c, c.Origin())
		}
	}
}

// TestExamples runs every example: the bad one breaks its rule, the good one breaks none at all.
func TestExamples(t *testing.T) {
	for _, l := range lessons.All() {
		t.Run(l.Code.String(), func(t *testing.T) {
			bad := check(l.Bad, l.Code)
			if !has(bad, l.Code) {
				t.Errorf("the bad example does not yield %v, but %v", l.Code, names(bad))
			}
			if good := check(l.Good, l.Code); len(good.Findings) > 0 {
				t.Errorf("the good example yields %v, want no finding", names(good))
			}
		})
	}
}

// TestExamplesInGerman holds that pages in another language have every finding in it, with its values as they are.
func TestExamplesInGerman(t *testing.T) {
	german := words.For("de")
	for _, l := range lessons.All() {
		for _, f := range check(l.Bad, l.Code).Findings {
			for _, english := range []string{f.Message, f.Hint} {
				text, ok := german.Rule(english)
				if !ok {
					t.Errorf("%v: %q has no German", f.Code, english)
				}
				for _, part := range strings.Split(english, "“")[1:] {
					if quoted, _, _ := strings.Cut(part, "”"); !strings.Contains(text, quoted) {
						t.Errorf("%v: %q lost %q: %q", f.Code, english, quoted, text)
					}
				}
				t.Log(text)
			}
		}
	}
}

// check puts an example through the core, or through the reader of its kind.
func check(examples []lessons.Example, code figs.Code) *figs.Report {
	if code.OfKind() {
		return checkKind(examples, code)
	}
	f := figs.New(figs.Options{Now: lessons.Now})
	for _, e := range lessons.Folder(examples) {
		switch {
		case e.Host:
			f.Problem(e.File, code, e.Text)
		case e.Attached():
			f.Attach(strings.TrimPrefix(e.File, "artifacts/"), e.Size)
		default:
			f.Feed(figs.ParseFile(e.File), e.Bytes())
		}
	}
	return f.Finish()
}

// checkKind reads the small project that an example of another kind is.
func checkKind(examples []lessons.Example, code figs.Code) *figs.Report {
	var paths []string
	files := map[string]lessons.Example{}
	for _, e := range lessons.Project(examples) {
		if !e.Absent {
			paths, files[e.File] = append(paths, e.File), e
		}
	}
	r := project.NewReader("", paths)
	for _, p := range r.Wanted() {
		if e := files[p]; e.Host {
			r.AddProblem(p, code, e.Text)
		} else {
			r.AddFile(p, e.Bytes())
		}
	}
	for _, p := range r.Targets() {
		t := kind.Target{State: kind.TargetMissing, Size: -1}
		if slices.ContainsFunc(paths, func(file string) bool { return strings.HasPrefix(file, p+"/") }) {
			t = kind.Target{State: kind.TargetAvailable, Dir: true, Size: -1}
		} else if e, ok := files[p]; ok {
			sum := sha256.Sum256(e.Bytes())
			t = kind.Target{State: kind.TargetAvailable, Size: int64(len(e.Bytes())), SHA256: hex.EncodeToString(sum[:])}
			if e.Host {
				t = kind.Target{State: kind.TargetUnreadable, Size: -1, Detail: e.Text}
			}
		}
		r.AddTarget(p, t)
	}
	all := &figs.Report{}
	for _, root := range r.Finish(lessons.Now).Roots {
		all.Findings = append(all.Findings, root.Report.Findings...)
	}
	return all
}

func has(r *figs.Report, code figs.Code) bool {
	for _, f := range r.Findings {
		if f.Code == code {
			return true
		}
	}
	return false
}

func names(r *figs.Report) (codes []string) {
	for _, f := range r.Findings {
		codes = append(codes, f.Code.String())
	}
	return codes
}

// TestSentences holds titles to eight words, and every explanation to whole sentences.
func TestSentences(t *testing.T) {
	for _, l := range lessons.All() {
		if n := len(strings.Fields(l.Title)); n > 8 || strings.HasSuffix(l.Title, ".") {
			t.Errorf("%s: the title %q has %d words; say it in eight at most, without a full stop", l.Code, l.Title, n)
		}
		if !strings.HasSuffix(l.Why, ".") {
			t.Errorf("%s: the explanation %q does not end with a full stop", l.Code, l.Why)
		}
	}
}
