// Package sarif writes findings as SARIF 2.1.0 (OASIS), which code hosts and editors show.
// It opens nothing and knows no clock, so pages and the command line write the same bytes.
package sarif

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/lessons"
)

// Folder is one .figs folder and its report.
type Folder struct {
	Path   string // slash-separated, where the folder lies: "repository/.figs"
	Report *figs.Report
	Extra  []Extra // results beside the report
}

// Extra is a result of a rule that is not one of figs.
type Extra struct {
	Rule, Title, Why string
	Severity         figs.Severity
	File             string // slash-separated, from the same place as the folder's path
	Line             int    // from 1; 0: the file as a whole
	Message          string
}

// Append writes one SARIF log, one line and a line feed, for all folders. Version is that of
// figs-web. A result carries the line; its columns, which figs counts in bytes and SARIF in
// UTF-16 units, stand among its properties as bytes.
func Append(dst []byte, version string, folders []Folder) []byte {
	r := run{Tool: tool{driver{Name: "figs-web", Version: strings.TrimPrefix(version, "v"), Rules: []rule{}}}, Results: []result{}}
	index, extra := map[figs.Code]int{}, map[string]int{}
	for _, folder := range folders {
		for i := range folder.Report.Findings {
			f := &folder.Report.Findings[i]
			n, known := index[f.Code]
			if !known {
				n = len(r.Tool.Driver.Rules)
				index[f.Code] = n
				r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, ruleOf(f.Code))
			}
			r.Results = append(r.Results, resultOf(folder.Path, f, n))
		}
		for _, x := range folder.Extra {
			n, known := extra[x.Rule]
			if !known {
				n = len(r.Tool.Driver.Rules)
				extra[x.Rule] = n
				r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, rule{x.Rule, textOf(x.Title), textOf(x.Why), configuration{level(x.Severity)}})
			}
			r.Results = append(r.Results, result{
				RuleID: x.Rule, RuleIndex: n, Level: level(x.Severity), Message: text{withoutLinks(x.Message)}, Locations: []location{locationOf("", x.File, x.Line)},
			})
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	// Nothing in a log can fail to be encoded: it is strings and numbers.
	_ = e.Encode(log{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []run{r}})
	return append(dst, b.Bytes()...)
}

type log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool    tool     `json:"tool"`
	Results []result `json:"results"`
}

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Rules   []rule `json:"rules"`
}

type text struct {
	Text string `json:"text"`
}

type rule struct {
	ID               string        `json:"id"`
	ShortDescription *text         `json:"shortDescription,omitempty"`
	FullDescription  *text         `json:"fullDescription,omitempty"`
	Configuration    configuration `json:"defaultConfiguration"`
}

type configuration struct {
	Level string `json:"level"`
}

func ruleOf(code figs.Code) rule {
	l := lessons.Of(code)
	return rule{code.String(), textOf(l.Title), textOf(l.Why), configuration{level(code.Severity())}}
}

func textOf(s string) *text {
	if s == "" {
		return nil
	}
	return &text{s}
}

// level is the severity in SARIF's words.
func level(s figs.Severity) string {
	if s == figs.Info {
		return "note"
	}
	return s.String()
}

type result struct {
	RuleID     string     `json:"ruleId"`
	RuleIndex  int        `json:"ruleIndex"`
	Level      string     `json:"level"`
	Message    text       `json:"message"`
	Locations  []location `json:"locations"`
	Related    []location `json:"relatedLocations,omitempty"`
	Properties properties `json:"properties"`
}

type properties struct {
	Record     string `json:"record,omitempty"`
	Pointer    string `json:"pointer,omitempty"`
	Column     int    `json:"byteColumn,omitempty"`
	EndColumn  int    `json:"byteEndColumn,omitempty"`
	Offset     int64  `json:"byteOffset"`
	Hint       string `json:"hint,omitempty"`
	Expected   string `json:"expected,omitempty"`
	Suggestion string `json:"suggestion,omitempty"`
}

type location struct {
	ID       *int     `json:"id,omitempty"`
	Physical physical `json:"physicalLocation"`
}

type physical struct {
	Artifact artifact `json:"artifactLocation"`
	Region   *region  `json:"region,omitempty"`
}

type artifact struct {
	URI string `json:"uri"`
}

type region struct {
	StartLine int `json:"startLine"`
}

func resultOf(dir string, f *figs.Finding, index int) result {
	message := f.Message
	if f.Hint != "" {
		message += " " + f.Hint
	}
	message = withoutLinks(message)
	r := result{
		RuleID: f.Code.String(), RuleIndex: index, Level: level(f.Severity), Message: text{message},
		Locations:  []location{locationOf(dir, f.File, f.Line)},
		Properties: properties{f.Record, f.Pointer, f.Column, f.EndColumn, f.Offset, f.Hint, f.Expected, f.Suggestion},
	}
	for i, place := range f.Related {
		l := locationOf(dir, place.File, place.Line)
		l.ID = &i
		r.Related = append(r.Related, l)
	}
	return r
}

// withoutLinks keeps what a message quotes of agents from being a link, which is written "[words](address)".
func withoutLinks(message string) string { return strings.ReplaceAll(message, "](", "] (") }

func locationOf(dir, file string, line int) location {
	l := location{Physical: physical{Artifact: artifact{uri(path.Join(dir, file))}}}
	if line > 0 {
		l.Physical.Region = &region{line}
	}
	return l
}

// uri writes a path as a relative reference; a colon in its first part must not read as a
// scheme.
func uri(name string) string {
	u := url.URL{Path: strings.TrimPrefix(name, "/")}
	return u.String()
}
