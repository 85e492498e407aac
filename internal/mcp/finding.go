package mcp

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
)

func (s *server) addFindings() {
	add(s, tool{"validate", "Validate", "Validates all open folders, or one of them, like figs-web doctor: one report per .figs folder, artifact channel, finding registry and Agentfile project, with the first findings. list_findings returns the rest." + untrusted}, s.validate)
	add(s, tool{"list_findings", "List findings", "Lists the findings in one folder: errors first, then by file, line and column." + untrusted}, s.listFindings)
}

type validated struct {
	Path string `json:"path,omitempty" jsonschema:"only the folder with this path, from validate"`
}

// verdict is the report on one folder. Findings that did not fit are LeftOut.
type verdict struct {
	Path     string            `json:"path"`
	Kind     string            `json:"kind,omitempty" jsonschema:"channels, registry or workflows; absent for a .figs folder"`
	Valid    bool              `json:"valid"`
	Now      string            `json:"now,omitempty"`
	Errors   int               `json:"errors"`
	Warnings int               `json:"warnings"`
	Infos    int               `json:"infos"`
	Findings []json.RawMessage `json:"findings" jsonschema:"in the format of figs-web doctor --json: code, severity, file, line, column, message and more"`
	More     []counted         `json:"more,omitempty" jsonschema:"number of findings that are counted but not listed"`
	LeftOut  int               `json:"left_out,omitempty" jsonschema:"number of findings that did not fit into the result"`
}

type counted struct {
	Code  string `json:"code"`
	Count int    `json:"count"`
}

type verdicts struct {
	Valid   bool      `json:"valid" jsonschema:"true if no folder breaks a rule of severity error"`
	Folders []verdict `json:"folders"`
	LeftOut int       `json:"left_out,omitempty" jsonschema:"number of folders that did not fit into the result"`
}

// mostFindings is how many findings of a folder a validation gives.
const mostFindings = 100

func (s *server) validate(ctx context.Context, in *validated) (*verdicts, error) {
	agents, err := s.agents(ctx)
	if err != nil {
		return nil, err
	}
	roots, err := s.roots(ctx)
	if err != nil {
		return nil, err
	}
	b, out := fully(), &verdicts{Valid: true, Folders: []verdict{}}
	found := in.Path == ""
	take := func(path, kind string, ask func() (*figs.Report, int, error)) error {
		if in.Path != "" && in.Path != path {
			return nil
		}
		found = true
		r, left, err := ask()
		if err != nil {
			return err
		}
		out.Valid = out.Valid && r.Valid()
		if len(out.Folders) > 0 && b.spent() || len(out.Folders) >= mostItems {
			out.LeftOut++
			return nil
		}
		out.Folders = append(out.Folders, verdictOf(b, path, kind, r, left))
		return nil
	}
	for i := range agents {
		a := &agents[i]
		if err := take(a.Path, "", func() (*figs.Report, int, error) { return s.report(ctx, a.Key) }); err != nil {
			return nil, err
		}
	}
	for _, r := range roots {
		if err := take(r.Folder(), r.Kind.String(), func() (*figs.Report, int, error) { return r.Report, 0, nil }); err != nil {
			return nil, err
		}
	}
	if !found {
		return nil, refusal("No open folder has that path. Omit the path to list all.")
	}
	return out, nil
}

// report is the report on an agent's folder with its first findings, and how many more there are.
func (s *server) report(ctx context.Context, agent string) (*figs.Report, int, error) {
	q := journal.Query{N: mostFindings}
	j, err := s.Journal(ctx, "/"+agent+"/findings?"+q.String())
	if err != nil {
		return nil, 0, err
	}
	page, err := j.Findings(ctx, agent, q)
	if err != nil {
		return nil, 0, err
	}
	r := page.Report
	r.Findings = page.Items
	return &r, page.Total - len(page.Items), nil
}

func verdictOf(b *budget, path, kind string, r *figs.Report, left int) verdict {
	v := verdict{Path: path, Kind: kind, Valid: r.Valid(), Now: r.Now, Errors: r.Errors, Warnings: r.Warnings, Infos: r.Infos}
	v.Findings = recordjson.Each(r.Findings[:min(len(r.Findings), mostFindings)], recordjson.Finding)
	for _, m := range r.More {
		v.More = append(v.More, counted{Code: m.Code.String(), Count: m.Count})
	}
	b.fit(&v)
	v.LeftOut = left + len(r.Findings) - len(v.Findings)
	return v
}

type findingsOf struct {
	Path string `json:"path,omitempty" jsonschema:"path of the folder, from validate; optional if only one folder is open"`
	part
	Severity string `json:"severity,omitempty" jsonschema:"only this severity: error, warning or info"`
	Code     string `json:"code,omitempty" jsonschema:"only findings of this rule"`
	File     string `json:"file,omitempty" jsonschema:"only findings in this file, named as in findings"`
}

func (s *server) listFindings(ctx context.Context, in *findingsOf) (*list[json.RawMessage], error) {
	switch {
	case in.Severity != "" && !slices.Contains([]string{"error", "warning", "info"}, in.Severity):
		return nil, refusal("Unknown severity. Use error, warning or info.")
	case in.Code != "":
		if _, ok := figs.ParseCode(in.Code); !ok {
			return nil, noRule(in.Code)
		}
	}
	agents, err := s.agents(ctx)
	if err != nil {
		return nil, err
	}
	roots, err := s.roots(ctx)
	if err != nil {
		return nil, err
	}
	sole := in.Path == "" && len(agents)+len(roots) == 1
	for i := range agents {
		if sole || agents[i].Path == in.Path {
			return s.findings(ctx, agents[i].Key, in)
		}
	}
	for _, r := range roots {
		if sole || r.Folder() == in.Path {
			return listOf(briefly(), pageOf(wrong(r, in), in.part), recordjson.Finding), nil
		}
	}
	return nil, refusal("Choose a folder by its path; validate returns the paths of the open folders.")
}

// findings are those of an agent.
func (s *server) findings(ctx context.Context, agent string, in *findingsOf) (*list[json.RawMessage], error) {
	q := in.query()
	q.Severity, q.Code, q.File = in.Severity, in.Code, in.File
	j, err := s.Journal(ctx, "/"+agent+"/findings?"+q.String())
	if err != nil {
		return nil, err
	}
	page, err := j.Findings(ctx, agent, q)
	if err != nil {
		return nil, err
	}
	return listOf(briefly(), &page.Page, recordjson.Finding), nil
}
