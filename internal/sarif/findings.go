package sarif

import (
	"encoding/json"
	"fmt"

	"github.com/figs-web/figs-web/figs"
)

var severities = map[string]figs.Severity{"error": figs.Error, "warning": figs.Warning, "info": figs.Info}

// Parse reads the one object of `doctor --json` back into a report, for a page that holds
// the findings as bytes. Codes that this version does not know are an error.
func Parse(findings []byte) (*figs.Report, error) {
	type place struct {
		File         string
		Line, Column int
	}
	var in struct {
		Now                     string
		Errors, Warnings, Infos int
		Findings                []struct {
			Code, Severity, File, Pointer, Record, Message, Hint, Expected, Suggestion string
			Line, Column, EndColumn                                                    int
			Offset                                                                     int64
			Related                                                                    []place
		}
	}
	if err := json.Unmarshal(findings, &in); err != nil {
		return nil, fmt.Errorf("sarif: findings: %w", err)
	}
	r := &figs.Report{Now: in.Now, Errors: in.Errors, Warnings: in.Warnings, Infos: in.Infos}
	for _, f := range in.Findings {
		code, ok := figs.ParseCode(f.Code)
		if !ok {
			return nil, fmt.Errorf("sarif: findings: no rule %q", f.Code)
		}
		severity, ok := severities[f.Severity]
		if !ok {
			return nil, fmt.Errorf("sarif: findings: no severity %q", f.Severity)
		}
		out := figs.Finding{
			Code: code, Severity: severity, File: f.File, Line: f.Line, Column: f.Column, EndColumn: f.EndColumn, Offset: f.Offset,
			Pointer: f.Pointer, Record: f.Record, Message: f.Message, Hint: f.Hint, Expected: f.Expected, Suggestion: f.Suggestion,
		}
		for _, p := range f.Related {
			out.Related = append(out.Related, figs.Position{File: p.File, Line: p.Line, Column: p.Column})
		}
		r.Findings = append(r.Findings, out)
	}
	return r, nil
}
