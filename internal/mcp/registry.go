package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/project"
)

func (s *server) addRegistry() {
	add(s, tool{"list_registry", "List a finding registry", "Lists the entries of a finding registry: what agents learned from mistakes. Empty if there is no registry." + untrusted}, s.listRegistry)
	add(s, tool{"rank_registry", "Rank findings for some work", "Returns up to five active entries of a finding registry that are most relevant to a piece of work, best first, each with the reasons for its rank. Empty if there is no registry." + untrusted}, s.rankRegistry)
}

type entriesOf struct {
	ofRoot
	part
	Status   string `json:"status,omitempty" jsonschema:"only active, retired or superseded"`
	Severity string `json:"severity,omitempty" jsonschema:"only this severity, as written"`
	Category string `json:"category,omitempty"`
	When     string `json:"applicable_when,omitempty" jsonschema:"only findings that apply when: a word of the controlled vocabulary, such as validation-gap"`
	Language string `json:"language,omitempty"`
	Text     string `json:"text,omitempty" jsonschema:"only those whose text contains all of these words"`
	Expired  bool   `json:"expired,omitempty" jsonschema:"only expired findings (past their ttl)"`
}

// entry is an entry of a registry.
type entry struct {
	No           int      `json:"no"`
	Line         int      `json:"line"`
	ID           string   `json:"id"`
	Status       string   `json:"status"`
	SupersededBy string   `json:"superseded_by"`
	Severity     string   `json:"severity"`
	Category     string   `json:"category"`
	Pattern      string   `json:"pattern"`
	Question     string   `json:"detection_question"`
	Checklist    string   `json:"checklist_item"`
	When         []string `json:"applicable_when"`
	Languages    []string `json:"applicable_languages"`
	Confidence   string   `json:"confidence"`
	Date         string   `json:"date"`
	TTLDays      int      `json:"ttl_days" jsonschema:"-1 if it has none"`
	Expired      bool     `json:"expired" jsonschema:"past its ttl; the ttl is only advice"`
	HitCount     int      `json:"hit_count"`
	LastCited    string   `json:"last_cited"`
	DedupKey     string   `json:"dedup_key"`
	ExpectedKey  string   `json:"expected_key" jsonschema:"what dedup_key should be"`
	Source       source   `json:"source"`
}

type source struct {
	Repo    string `json:"repo"`
	Session string `json:"session"`
	File    string `json:"file"`
	Skill   string `json:"skill"`
}

func entryOf(e *findings.Entry) entry {
	return entry{No: e.No, Line: e.Line, ID: e.ID, Status: e.Status, SupersededBy: e.SupersededBy, Severity: e.Severity, Category: e.Category,
		Pattern: e.Pattern, Question: e.Question, Checklist: e.Checklist, When: e.When, Languages: e.Languages,
		Confidence: e.Confidence, Date: e.Date, TTLDays: e.TTLDays, Expired: e.Expired, HitCount: e.HitCount, LastCited: e.LastCited,
		DedupKey: e.DedupKey, ExpectedKey: e.ExpectedKey,
		Source: source{Repo: e.Source.Repo, Session: e.Source.Session, File: e.Source.File, Skill: e.Source.Skill}}
}

func (s *server) listRegistry(ctx context.Context, in *entriesOf) (*list[entry], error) {
	if in.Status != "" && !slices.Contains(findings.Statuses, in.Status) {
		return nil, refusal("Unknown status. The statuses are " + strings.Join(findings.Statuses, ", ") + ".")
	}
	if err := applicable(in.When); err != nil {
		return nil, err
	}
	r, err := s.root(ctx, project.Registry, in.Path)
	if err != nil {
		return nil, err
	}
	var all []*findings.Entry
	if r != nil {
		all = r.Registry.List(findings.Filter{Status: in.Status, Severity: in.Severity, Category: in.Category, When: in.When, Language: in.Language, Text: in.Text, Expired: in.Expired})
	}
	return listOf(fully(), pageOf(all, in.part), func(e **findings.Entry) entry { return entryOf(*e) }), nil
}

// applicable refuses words that the vocabulary does not have.
func applicable(words ...string) error {
	for _, w := range words {
		if w != "" && !findings.IsApplicable(w) {
			return refusal("Unknown word for applicable_when. The words are " + strings.Join(findings.Applicable, ", ") + ".")
		}
	}
	return nil
}

type work struct {
	ofRoot
	When      []string `json:"applicable_when,omitempty" jsonschema:"kinds of work, in words of the controlled vocabulary, most important first"`
	Languages []string `json:"languages,omitempty"`
	Paths     []string `json:"paths,omitempty" jsonschema:"files that the work touches"`
	Text      string   `json:"text,omitempty" jsonschema:"the goal, the plan, or the text under review"`
}

type ranking struct {
	Items []ranked `json:"items"`
}

// ranked is an entry with the reasons for its place.
type ranked struct {
	entry
	Why []string `json:"why" jsonschema:"reasons for its rank, most important first"`
}

func (s *server) rankRegistry(ctx context.Context, in *work) (*ranking, error) {
	if err := applicable(in.When...); err != nil {
		return nil, err
	}
	r, err := s.root(ctx, project.Registry, in.Path)
	if err != nil {
		return nil, err
	}
	out, b := &ranking{[]ranked{}}, fully()
	if r == nil {
		return out, nil
	}
	for _, best := range r.Registry.Rank(findings.WorkItem{When: in.When, Languages: in.Languages, Paths: in.Paths, Text: in.Text}) {
		item := ranked{entry: entryOf(best.Entry), Why: best.Why}
		b.fit(&item)
		out.Items = append(out.Items, item)
	}
	return out, nil
}
