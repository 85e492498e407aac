package kinds

import (
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/check"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/findings/ledger"
)

// findingJSON is an entry for programs: the contract's fields under their names, then what is known of it beside.
type findingJSON struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
	Tier    string `json:"tier"`
	Source  struct {
		Repo    string `json:"repo"`
		Session string `json:"session"`
		File    string `json:"file"`
		Skill   string `json:"skill"`
	} `json:"source"`
	Date         string   `json:"date"`
	Severity     string   `json:"severity"`
	Category     string   `json:"category"`
	Pattern      string   `json:"pattern"`
	Question     string   `json:"detection_question"`
	Item         string   `json:"checklist_item"`
	Languages    []string `json:"applicable_languages"`
	When         []string `json:"applicable_when"`
	Status       string   `json:"status"`
	SupersededBy *string  `json:"superseded_by"`
	DedupKey     string   `json:"dedup_key"`
	HitCount     int      `json:"hit_count"`
	LastCited    *string  `json:"last_cited"`
	TTLDays      *int     `json:"ttl_days"`
	Confidence   string   `json:"confidence"`

	Line        int    `json:"line"`
	Expires     string `json:"expires,omitempty"`
	Expired     bool   `json:"expired,omitempty"`
	ExpectedKey string `json:"expected_dedup_key,omitempty"` // when it is another one
}

func findingOf(e *findings.Entry) findingJSON {
	f := findingJSON{ID: e.ID, Version: e.Version, Tier: e.Tier, Date: e.Date, Severity: e.Severity, Category: e.Category, Pattern: e.Pattern, Question: e.Question, Item: e.Checklist,
		Languages: append([]string{}, e.Languages...), When: append([]string{}, e.When...), Status: e.Status, DedupKey: e.DedupKey, HitCount: e.HitCount, Confidence: e.Confidence,
		Line: e.Line, Expires: e.ExpiresOn(), Expired: e.Expired}
	f.Source.Repo, f.Source.Session, f.Source.File, f.Source.Skill = e.Source.Repo, e.Source.Session, e.Source.File, e.Source.Skill
	if e.SupersededBy != "" {
		f.SupersededBy = &e.SupersededBy
	}
	if e.LastCited != "" {
		f.LastCited = &e.LastCited
	}
	if e.TTLDays >= 0 {
		f.TTLDays = &e.TTLDays
	}
	if e.ExpectedKey != e.DedupKey {
		f.ExpectedKey = e.ExpectedKey
	}
	return f
}

// outcomeJSON is what became of a finding, for programs.
type outcomeJSON struct {
	ID       string        `json:"id"`
	Type     string        `json:"type"`
	Action   string        `json:"action"`
	Status   string        `json:"status"`
	Was      string        `json:"was,omitempty"` // the status before, when it is another one
	DedupKey string        `json:"dedup_key"`
	Changed  []string      `json:"changed,omitempty"`
	Kept     []string      `json:"kept,omitempty"`    // fields in which the newcomer says something else
	Wording  []wordingJSON `json:"wording,omitempty"` // where the two say it differently
	Remarks  []remarkJSON  `json:"remarks,omitempty"` // warnings about the finding as it stands now
	Line     int           `json:"line,omitempty"`    // of one that was refused, in the other registry
}

type wordingJSON struct {
	Field    string `json:"field"`
	Existing string `json:"existing"`
	Newcomer string `json:"newcomer"`
	Kept     string `json:"kept"` // "existing" or "newcomer"
}

type remarkJSON struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

func outcomeForJSON(o ledger.Outcome) outcomeJSON {
	j := outcomeJSON{ID: o.Entry.ID, Type: "finding", Action: o.Action, Status: o.Entry.Status, DedupKey: o.Entry.DedupKey, Changed: o.Merging.Changed, Kept: o.Merging.Kept, Line: o.Line}
	if o.Was != o.Entry.Status {
		j.Was = o.Was
	}
	for _, c := range o.Merging.Wording {
		kept := "existing"
		if c.New {
			kept = "newcomer"
		}
		j.Wording = append(j.Wording, wordingJSON{c.Field, c.Existing, c.Newcomer, kept})
	}
	for _, f := range remarks(o) {
		j.Remarks = append(j.Remarks, remarkJSON{f.Code.String(), f.Message, f.Hint})
	}
	return j
}

// remarks are the findings about a finding as it was recorded, or why it was refused.
func remarks(o ledger.Outcome) []figs.Finding {
	switch o.Action {
	case "refused":
		return []figs.Finding{o.Why}
	case "added", "merged":
		registry, report := findings.Read(append([]byte(nil), o.Entry.Raw...), "")
		var all []figs.Finding
		for _, f := range report.Findings {
			if f.Code != figs.EntrySupersededByUnknown || len(registry.Entries) == 0 { // it is alone here
				all = append(all, f)
			}
		}
		return all
	}
	return nil
}

// printOutcome tells what became of one finding.
func printOutcome(a *cmd.App, o ledger.Outcome) error {
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, outcomeForJSON(o))
	}
	var b strings.Builder
	writeOutcome(a, &b, o)
	_, err := fmt.Fprint(a.Stdout, b.String())
	return err
}

// writeOutcome is a line on the finding, then, indented, whose wording stands and what else is worth knowing.
func writeOutcome(a *cmd.App, b *strings.Builder, o ledger.Outcome) {
	id := cmd.Clean(o.Entry.ID)
	switch o.Action {
	case "added":
		fmt.Fprintf(b, "%s %s  %s\n", a.Paint.Green("Added"), a.Paint.Bold(id), a.Paint.Faint(cmd.Clean(o.Entry.DedupKey)))
	case "merged":
		fmt.Fprintf(b, "%s into %s, which has the same dedup_key: %s changed.\n", a.Paint.Green("Merged"), a.Paint.Bold(id), cmd.Listed(cleanAll(o.Merging.Changed)))
	case "unchanged":
		fmt.Fprintf(b, "%s unchanged: it already says all this.\n", a.Paint.Bold(id))
	case "retired":
		fmt.Fprintf(b, "%s %s: it is kept, but no longer suggested.\n", a.Paint.Green("Retired"), a.Paint.Bold(id))
	case "superseded":
		fmt.Fprintf(b, "%s %s: %s is suggested instead.\n", a.Paint.Green("Superseded"), a.Paint.Bold(id), cmd.Clean(o.Entry.SupersededBy))
	case "refused":
		fmt.Fprintf(b, "%s line %d, %s: %s\n", a.Paint.Red("Left out"), o.Line, a.Paint.Bold(id), cmd.Clean(o.Why.Message))
		return
	}
	if o.Was != o.Entry.Status && o.Action == "merged" {
		fmt.Fprintf(b, "  Its status changed from %s to %s.\n", cmd.Clean(o.Was), cmd.Clean(o.Entry.Status))
	}
	if o.Entry.Status != findings.Active && (o.Action == "merged" && o.Was == o.Entry.Status || o.Action == "unchanged" && len(o.Merging.Wording)+len(o.Merging.Kept) > 0) {
		fmt.Fprintf(b, "  It is %s, so it is not suggested; --status active activates it.\n", cmd.Clean(o.Entry.Status))
	}
	for _, c := range o.Merging.Wording {
		kept, other := c.Existing, c.Newcomer
		if c.New {
			kept, other = other, kept
		}
		fmt.Fprintf(b, "  %s\n    kept   %s\n    other  %s\n", c.Field, cmd.Clean(kept), a.Paint.Faint(cmd.Clean(other)))
	}
	if len(o.Merging.Kept) > 0 {
		fmt.Fprintf(b, "  %s\n", a.Paint.Faint("unchanged, although the new finding differs: "+cmd.Listed(cleanAll(o.Merging.Kept))))
	}
	for _, f := range remarks(o) {
		fmt.Fprintf(b, "  %s: %s\n  %s %s\n", check.Severity(a, f.Severity), cmd.Clean(f.Message), a.Paint.Blue("hint:"), cmd.Clean(f.Hint))
	}
}

// cleanAll makes names of fields safe to print: a newcomer may have fields of its own.
func cleanAll(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = cmd.Clean(name)
	}
	return all
}
