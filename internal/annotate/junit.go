package annotate

import (
	"encoding/xml"
	"fmt"
	"path"

	"github.com/figs-web/figs-web/figs"
)

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Cases    []testCase `xml:"testcase"`
}

type testCase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	File    string   `xml:"file,attr,omitempty"`
	Line    int      `xml:"line,attr,omitempty"`
	Failure *outcome `xml:"failure"`
	Skipped *outcome `xml:"skipped"`
}

type outcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// JUnit appends a JUnit report: a suite for each folder, a test for each finding. Findings that fail the run are
// failures, others are skipped tests. A folder without findings has one test that passed.
func JUnit(dst []byte, r *Report) []byte {
	all := suites{Name: "figs-web doctor"}
	for i := range r.Folders {
		folder := &r.Folders[i]
		s := suite{Name: clean(folder.Path)}
		for j := range folder.Findings {
			s.add(r, placed{&folder.Findings[j], folder})
		}
		for severity := figs.Error; ; severity-- {
			if n := folder.Unlisted[severity]; n > 0 {
				s.add(r, placed{&Finding{Rule: "unlisted", Severity: severity, Message: counted(n, severity.String()+" is", severity.String()+"s are") + " counted and not listed."}, folder})
			}
			if severity == figs.Info {
				break
			}
		}
		if len(s.Cases) == 0 {
			s.Cases, s.Tests = []testCase{{Name: "no findings", Class: s.Name}}, 1
		}
		all.Tests, all.Failures, all.Suites = all.Tests+s.Tests, all.Failures+s.Failures, append(all.Suites, s)
	}
	body, err := xml.MarshalIndent(all, "", " ")
	if err != nil {
		panic(err) // strings and numbers can be encoded
	}
	return append(append(append(dst, xml.Header...), body...), '\n')
}

func (s *suite) add(r *Report, f placed) {
	place := path.Base(f.file())
	if f.Line > 0 {
		place += fmt.Sprintf(":%d", f.Line)
	}
	c := testCase{Name: clean(f.Rule + " " + place), Class: clean(f.folder.Path), File: clean(f.file()), Line: f.Line}
	o := &outcome{Message: clean(f.Message), Type: f.Severity.String()}
	if r.fails(f.Severity) {
		o.Text = clean(f.says())
		c.Failure = o
		s.Failures++
	} else {
		o.Message, o.Type = f.Severity.String()+": "+o.Message, ""
		c.Skipped = o
		s.Skipped++
	}
	s.Tests++
	s.Cases = append(s.Cases, c)
}
