package kinds

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/findings/ledger"
)

type findingAddCommand struct {
	From string `arg:"" optional:"" name:"FILE|-" help:"A JSON object with the finding's fields, from a file or standard input (-). Flags override it."`

	ID           string   `name:"id" placeholder:"ID" help:"The finding's id. Default: f-, the date and the next number."`
	Tier         string   `placeholder:"WORD" help:"The tier. Default: local."`
	Repo         string   `placeholder:"NAME" help:"The source's repository. Default: the folder's name."`
	Session      string   `placeholder:"NAME" help:"The source's session. Default: the date."`
	File         string   `placeholder:"PATH" help:"The source's file: where the mistake was found."`
	Skill        string   `placeholder:"NAME" help:"The source's skill: what found it."`
	Date         string   `placeholder:"DATE" help:"The date of the finding. Default: today."`
	Severity     string   `placeholder:"WORD" help:"critical, high (major, significant), medium (moderate) or low (minor)."`
	Category     string   `placeholder:"WORD" help:"The kind of mistake."`
	Pattern      string   `placeholder:"TEXT" help:"The mistake, in a sentence."`
	Question     string   `placeholder:"TEXT" help:"detection_question: what to ask about the next piece of work."`
	Item         string   `placeholder:"TEXT" help:"checklist_item: what to do to avoid it."`
	Lang         []string `placeholder:"NAME" help:"applicable_languages. Can be repeated."`
	When         []string `placeholder:"WORD" help:"applicable_when, the primary one first. Can be repeated."`
	Status       string   `placeholder:"WORD" help:"active, retired or superseded. Default: active for a new finding, otherwise unchanged. Only this flag makes a retired finding active again."`
	SupersededBy string   `placeholder:"ID" help:"The finding that replaces a superseded one."`
	TTLDays      *int     `name:"ttl-days" placeholder:"N" help:"For how many days it is likely to hold. Default: 30 for a new finding, otherwise unchanged."`
	Confidence   string   `placeholder:"WORD" help:"The confidence. Default: medium for a new finding, otherwise unchanged."`
	wordings
	waits
}

// wordings says whose wording a merge keeps.
type wordings struct {
	Wording string `enum:"keep,new" default:"keep" help:"When findings are merged: keep the existing wording, or use the new one. Default: keep."`
}

func (w wordings) choice() findings.WordingChoice {
	if w.Wording == "new" {
		return findings.NewWording
	}
	return findings.KeepWording
}

// mostRecord is how many bytes a finding may have that is given as JSON.
const mostRecord = 1 << 20

// Run records the finding.
func (c findingAddCommand) Run(a *cmd.App, f *FindingCommand) error {
	record, err := c.given(a)
	if err != nil {
		return err
	}
	record = c.flags(record)
	defaults, err := c.defaults(a, f.Root, &record)
	if err != nil {
		return err
	}
	if err := c.complete(record); err != nil {
		return err
	}
	var outcome ledger.Outcome
	err = f.change(a, c.waits, func(b *ledger.Book) (err error) {
		outcome, err = b.Add(ledger.Draft{Record: record, Defaults: defaults, Wording: c.choice(), Reactivate: c.Status != ""})
		return err
	})
	if err != nil {
		return err
	}
	return printOutcome(a, outcome)
}

// given is the object from a file or from standard input; empty without either.
func (c findingAddCommand) given(a *cmd.App) (figs.Object, error) {
	if c.From == "" {
		return nil, nil
	}
	in, name := a.Stdin, "standard input"
	if c.From != "-" {
		info, err := os.Stat(c.From)
		if err == nil && !info.Mode().IsRegular() {
			return nil, cmd.Fail(cmd.Usage, cmd.Quote(c.From)+" is not a file.", "Use a file with one JSON object, or - for standard input.")
		}
		if err != nil {
			return nil, cmd.FailureOf(err, c.From)
		}
		file, err := os.Open(c.From)
		if err != nil {
			return nil, cmd.FailureOf(err, c.From)
		}
		defer file.Close()
		in, name = file, cmd.Quote(c.From)
	}
	if in == nil {
		in = strings.NewReader("")
	}
	text, err := io.ReadAll(io.LimitReader(in, mostRecord+1))
	if err != nil {
		return nil, cmd.FailureOf(err, name)
	}
	if len(text) > mostRecord {
		return nil, cmd.Fail(cmd.BadFormat, "The finding in "+name+" is larger than 1 MiB.", "A finding is a few sentences. Refer to files in its source.")
	}
	record, ok := ledger.Object(text)
	if !ok {
		return nil, cmd.Fail(cmd.BadFormat, "No single JSON object in "+name+".", "Write one finding, as in {\"severity\": \"high\", \"category\": …}.")
	}
	return record, nil
}

// flags puts what flags say into the record.
func (c findingAddCommand) flags(record figs.Object) figs.Object {
	set := func(key string, value any) {
		record = findings.SetField(record, key, textOf(value))
	}
	for _, f := range []struct{ key, value string }{
		{"id", c.ID}, {"tier", c.Tier}, {"date", c.Date}, {"severity", c.Severity}, {"category", c.Category}, {"pattern", c.Pattern}, {"detection_question", c.Question},
		{"checklist_item", c.Item}, {"status", c.Status}, {"superseded_by", c.SupersededBy}, {"confidence", c.Confidence},
	} {
		if f.value != "" {
			set(f.key, f.value)
		}
	}
	if len(c.Lang) > 0 {
		set("applicable_languages", c.Lang)
	}
	if len(c.When) > 0 {
		set("applicable_when", c.When)
	}
	if c.TTLDays != nil {
		set("ttl_days", *c.TTLDays)
	}
	return record
}

// defaults are what a new finding gets. Missing parts of the source are filled in, too.
func (c findingAddCommand) defaults(a *cmd.App, root string, record *figs.Object) (figs.Object, error) {
	var d figs.Object
	today := a.Now().UTC().Format(time.DateOnly)
	for _, f := range []struct{ key, json string }{
		{"version", "1"}, {"tier", `"local"`}, {"date", `"` + today + `"`}, {"applicable_languages", "[]"}, {"status", `"active"`}, {"superseded_by", "null"},
		{"hit_count", "0"}, {"last_cited", "null"}, {"ttl_days", "30"}, {"confidence", `"medium"`},
	} {
		d = findings.SetField(d, f.key, []byte(f.json))
	}
	absolute, err := filepath.Abs(root)
	if err != nil {
		return nil, cmd.FailureOf(err, root)
	}
	said := map[string]any{}
	if raw := record.Get("source").Raw; raw != nil && json.Unmarshal(raw, &said) != nil {
		return d, nil // what it is instead is a finding
	}
	n := len(said)
	for _, f := range []struct{ key, flag, otherwise string }{{"repo", c.Repo, filepath.Base(absolute)}, {"session", c.Session, today}, {"file", c.File, ""}, {"skill", c.Skill, ""}} {
		if f.flag != "" {
			said[f.key] = f.flag
		} else if _, is := said[f.key]; !is && f.otherwise != "" {
			said[f.key] = f.otherwise
		}
	}
	if len(said) > n || c.Repo+c.Session+c.File+c.Skill != "" {
		*record = findings.SetField(*record, "source", sourceJSON(said))
	}
	return d, nil
}

// sourceJSON writes a source with its own parts first, in the contract's order.
func sourceJSON(said map[string]any) []byte {
	var o figs.Object
	for _, key := range findings.SourceFields {
		if value, is := said[key]; is {
			o = findings.SetField(o, key, textOf(value))
			delete(said, key)
		}
	}
	more, _ := ledger.Object(textOf(said))
	return figs.AppendObject(nil, append(o, more...))
}

// complete tells, before anything is opened, which flags are wanted for what is missing.
func (c findingAddCommand) complete(record figs.Object) error {
	var missing []string
	for _, f := range [][2]string{{"severity", "--severity"}, {"category", "--category"}, {"pattern", "--pattern"}, {"detection_question", "--question"}, {"checklist_item", "--item"}, {"applicable_when", "--when"}} {
		if record.Get(f[0]).Kind == 0 {
			missing = append(missing, f[1])
		}
	}
	var source map[string]any
	if json.Unmarshal(record.Get("source").Raw, &source) == nil {
		for _, key := range []string{"file", "skill"} {
			if _, is := source[key]; !is {
				missing = append(missing, "--"+key)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	f := cmd.Fail(cmd.Usage, "The finding has no "+cmd.Listed(missing)+".", "Add these flags, or the fields in a JSON object. figs-web finding add --help explains them.")
	f.Context = map[string]any{"missing": missing}
	return f
}

// textOf is a value as JSON, with <, > and & as they are.
func textOf(value any) []byte {
	var b bytes.Buffer
	cmd.WriteJSON(&b, value) // texts, numbers, lists and objects of them always can be written
	return bytes.TrimSpace(b.Bytes())
}
