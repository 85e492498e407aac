package check

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"strings"

	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/local"
	"github.com/figs-web/figs-web/internal/recordjson"
)

type SearchCommand struct {
	Query string `arg:"" name:"SEARCH" help:"The search, as one argument: words, fields such as status:fail, and a minus to exclude a word or field."`
	Dir   string `arg:"" optional:"" default:"." name:"DIR|ZIP|FILE" predictor:"file" help:"A .figs folder, its parent, or a zip of either. Default: the current folder."`
	Limit int    `default:"20" aliases:"most" placeholder:"N" help:"Print at most this many results per agent, up to 200. Default: 20."`
}

// Help is what search --help adds.
func (SearchCommand) Help() string {
	return `Searches jobs, asks, replies and the text of attachments, newest first, like the search of the pages. All parts must match. A word matches the beginning of a word; quotes match exactly.

  in:jobs|asks|replies|files   is:needs|waiting|open|closed|in-flight|settled
  status:ok|warn|fail|unknown  type:question|sign-off  to:manager|builder
  by:NAME  unit:UNIT  id:PREFIX  file:NAME  has:attachment  round:>1
  on:2026-05-04  before:2026  after:2026-05  -is:closed

Examples:

  figs-web search 'bank statement'
  figs-web search 'is:needs type:sign-off' path/to/.figs
  figs-web search 'status:fail after:2026-05' agents.zip --json
`
}

// Run searches.
func (c SearchCommand) Run(a *cmd.App) error {
	if c.Limit < 1 || c.Limit > 200 {
		return cmd.Fail(cmd.Usage, "--limit must be between 1 and 200.", "If 200 are not enough, narrow the search with fields, as in is:open or after:2026-05.")
	}
	q := find.Parse(c.Query)
	if q.Empty() {
		return cmd.Fail(cmd.Usage, "Nothing to search for in "+cmd.Quote(c.Query)+".", "figs-web search --help lists words and fields.")
	}
	s, err := input.Open(a, c.Dir)
	if _, gone := os.Lstat(c.Dir); err != nil && errors.Is(gone, fs.ErrNotExist) {
		f := cmd.FailureOf(err, c.Dir)
		f.Hint += " A search of several words is one argument, as in figs-web search " + cmd.ShellWord(c.Query+" "+c.Dir) + "."
		return f
	}
	if err != nil {
		return err
	}
	defer s.Close()
	var agents []local.Agent
	for _, contents := range s.Agents {
		agents = append(agents, local.Agent{Path: s.Path(contents), Contents: contents})
	}
	folders, err := local.Open(a.Ctx, s.FS, agents, local.Options{Now: a.Now, Keep: math.MaxInt64})
	if err != nil {
		return err
	}
	for _, n := range q.Notes {
		if err := note(a, noteWords(&n, c.Query)); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	for i := range agents {
		if err := c.agent(a, &out, folders, i+1); err != nil {
			return err
		}
	}
	_, err = a.Stdout.Write(out.Bytes())
	return err
}

// note says on stderr what was read otherwise than it may have been meant, to programs as an object.
func note(a *cmd.App, said string) error {
	switch {
	case a.Quiet:
		return nil
	case a.Agent:
		return cmd.WriteJSON(a.Stderr, map[string]string{"note": said})
	}
	_, err := fmt.Fprintln(a.Stderr, "note: "+said)
	return err
}

// agent searches one agent and prints what was found.
func (c SearchCommand) agent(a *cmd.App, out *bytes.Buffer, folders *local.Folders, number int) error {
	query := journal.Query{Text: c.Query, N: c.Limit}
	key := fmt.Sprint(number)
	j, err := folders.Journal(a.Ctx, "/"+key+"/search?q="+url.QueryEscape(c.Query)+fmt.Sprintf("&n=%d", c.Limit))
	if err != nil {
		return err
	}
	agent, err := j.Agent(a.Ctx, key)
	if err != nil {
		return err
	}
	looker, ok := j.(journal.SearchReporter)
	if !ok {
		return fmt.Errorf("cli: %T does not search", j)
	}
	looked, err := looker.SearchReport(a.Ctx, key, query)
	if err != nil {
		return err
	}
	for i := range looked.Items {
		h := &looked.Items[i]
		if a.PrintsJSON() {
			if err := cmd.WriteJSON(out, recordjson.NewFound(agent, h)); err != nil {
				return err
			}
			continue
		}
		kind, no, _ := strings.Cut(h.Owner, "/")
		x := &h.Excerpt
		text := string(x.Before) + string(x.Marked) + string(x.After)
		place := kind + "/" + no
		if h.ID != "" {
			place = kind + "/" + h.ID
		}
		place = cmd.Clean(place)
		line, at := a.Paint.Bold(place), cmd.Columns(place)
		if ts := cmd.Clean(h.Position.TS); ts != "" {
			line, at = line+"  "+a.Paint.Faint(ts), at+2+cmd.Columns(ts)
		}
		fmt.Fprintf(out, "%s  %s\n", line, a.Fit(cmd.Clean(h.Title), at+2))
		fmt.Fprintf(out, "    %s\n", a.Fit(cmd.Clean(strings.Join(strings.Fields(text), " ")), 4))
	}
	if !a.PrintsJSON() {
		fmt.Fprintf(out, "%s: %d found", cmd.Clean(agent.DisplayName()), looked.Total)
		if looked.Total > len(looked.Items) {
			fmt.Fprintf(out, ", showing the newest %d", len(looked.Items))
		}
		out.WriteString(".\n")
	}
	return nil
}

// noteWords says what was not understood.
func noteWords(n *find.Note, text string) string {
	part := cmd.Clean(text[min(n.Start, len(text)):min(n.End, len(text))])
	said := cmd.Quote(part) + " is searched as words."
	switch n.Kind {
	case find.UnknownField:
		said = "There is no field " + cmd.Quote(cmd.Clean(n.Field)+":") + ": " + said
	case find.UnknownValue:
		said = cmd.Clean(n.Field) + ": takes " + strings.Join(n.Choices, ", ") + ": " + said
	case find.NoDate:
		said = cmd.Clean(n.Field) + ": takes 2026, 2026-05 or 2026-05-04: " + said
	case find.NoNumber:
		said = cmd.Clean(n.Field) + ": takes 2, >1, >=2, <3 or <=3: " + said
	case find.NoValue, find.NoLetters:
		return cmd.Quote(part) + " is empty and was ignored."
	case find.TooMany:
		return "Only the first 16 parts are used."
	case find.TooLong:
		return "A search can have up to 1,000 bytes. The rest was ignored."
	case find.Nothing:
		return "Nothing can match all of this: status: is for jobs, type:, to: and round: are for asks, by: is for replies."
	}
	if n.Fix != "" {
		said += " Did you mean " + cmd.Clean(n.Fix) + "?"
	}
	return said
}
