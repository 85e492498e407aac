package annotate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/figs-web/figs-web/figs"
)

var codeQuality = map[figs.Severity]string{figs.Error: "major", figs.Warning: "minor", figs.Info: "info"}

type issue struct {
	Type        string        `json:"type"`
	CheckName   string        `json:"check_name"`
	Description string        `json:"description"`
	Fingerprint string        `json:"fingerprint"`
	Severity    string        `json:"severity"`
	Location    issueLocation `json:"location"`
}

type issueLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

// GitLab appends a Code Quality report: one JSON array. A fingerprint is made of the file, the rule, the record and the
// field, not of the line or of the sentence, so a finding keeps it while lines are added around it and days pass.
func GitLab(dst []byte, r *Report) []byte {
	issues, seen := []issue{}, map[string]int{}
	for _, f := range r.findings() {
		key := fmt.Sprintf("%q %q %q %q", f.file(), f.Rule, f.Record, f.Pointer)
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", key, seen[key]))
		seen[key]++
		one := issue{
			Type: "issue", CheckName: f.Rule, Description: clean(f.says()), Fingerprint: hex.EncodeToString(sum[:16]), Severity: codeQuality[f.Severity],
			Location: issueLocation{Path: clean(f.file())},
		}
		one.Location.Lines.Begin = max(1, f.Line)
		issues = append(issues, one)
	}
	var b bytes.Buffer
	_ = json.NewEncoder(&b).Encode(issues) // strings and numbers can be encoded
	return append(dst, b.Bytes()...)
}
