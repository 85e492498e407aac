package check

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"path"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/comparison"
)

type CompareCommand struct {
	Old   string `arg:"" name:"OLD" predictor:"file" help:"The older copy: a .figs folder, a folder that contains some, or a zip of these. With --since, the folder itself."`
	New   string `arg:"" optional:"" name:"NEW" predictor:"file" help:"The newer copy."`
	Since string `placeholder:"POINT" help:"Compare a folder with itself at an earlier point in time: a day, a time, or a number of lines."`
}

// Help is what `compare --help` adds.
func (CompareCommand) Help() string {
	return `Shows what changed between two copies: new records, replies, settled jobs, and whether lines that were written before were edited, removed, moved or inserted. Ledgers should only ever grow. Changed lines are shown before and after. A change of white space in a line is an edit; other line endings (CR LF), blank lines and a byte order mark are not. Attachments are compared byte by byte: one with other bytes, or that is gone, was rewritten, and decisions on asks that attach it are listed. Agents are matched by the id in config.json, otherwise by their place.

Examples:

  figs-web compare backup/.figs .figs
  figs-web compare monday.zip . --json
  figs-web compare . --since 2026-05-04

Two honest copies can differ, so the summary says how (past in the JSON): stands (no earlier line changed), exchanged (only attachments changed or are gone), older (the new copy has less), apart (both continued on their own, or the end was rewritten), merged (everything is there in another order), veiled (words became placeholders), missing (a ledger is missing), strange (nothing in common) or rewritten (a line was edited or removed, and later ones are there).

Exit codes: 0 nothing that was written before changed, 1 lines, attachments, ledgers or folders changed or are gone, or an attachment could not be compared, 2 invalid usage or not found.
`
}

// Run compares.
func (c CompareCommand) Run(a *cmd.App) error {
	pairs, err := c.pairs(a)
	if err != nil {
		return err
	}
	if a.PrintsJSON() {
		b, _ := json.Marshal(comparison.NewResult(pairs)) // nothing in it can fail to be encoded
		_, err = a.Stdout.Write(append(b, '\n'))
	} else {
		err = printCompared(a, pairs)
	}
	if err != nil {
		return err
	}
	return verdictOn(pairs)
}

// verdictOn is nil when nothing that was there before was changed.
func verdictOn(pairs []*comparison.Pair) error {
	changed, files, unread, gone := 0, 0, 0, 0
	for _, p := range pairs {
		switch {
		case p.Is == nil:
			gone++
		case p.Comparison != nil:
			changed += changedLines(p.Comparison)
		}
		rewritten, skipped := p.FilesRewritten()
		files, unread = files+rewritten, unread+skipped
	}
	if changed+files+unread+gone == 0 {
		return nil
	}
	var parts []string
	if changed > 0 {
		parts = append(parts, cmd.Counted(changed, [2]string{"line written before was changed or is gone", "lines written before were changed or are gone"}))
	}
	if files > 0 {
		parts = append(parts, cmd.Counted(files, [2]string{"attachment has other bytes or is gone", "attachments have other bytes or are gone"}))
	}
	if unread > 0 {
		parts = append(parts, cmd.Counted(unread, [2]string{"attachment could not be compared", "attachments could not be compared"}))
	}
	if gone > 0 {
		parts = append(parts, cmd.Counted(gone, [2]string{"folder is gone", "folders are gone"}))
	}
	f := cmd.Fail(cmd.Found, strings.Join(parts, ", and ")+".", "They are listed on stdout.")
	f.Message = strings.ToUpper(f.Message[:1]) + f.Message[1:]
	f.Context = map[string]any{"changed": changed, "files": files, "unread": unread, "gone": gone}
	return f
}

// changedLines counts the lines written before that were changed or are gone.
func changedLines(c *figs.Comparison) (n int) {
	for i := range c.Ledgers {
		if n += len(c.Ledgers[i].Changes); c.Ledgers[i].Gone {
			n += c.Ledgers[i].Old
		}
	}
	return n
}

func (c CompareCommand) pairs(a *cmd.App) ([]*comparison.Pair, error) {
	switch {
	case c.Since != "" && c.New != "":
		return nil, cmd.Fail(cmd.Usage, "--since compares one folder with itself.", "Leave out NEW or --since.")
	case c.Since == "" && c.New == "":
		return nil, cmd.Fail(cmd.Usage, "Nothing to compare "+cmd.Quote(c.Old)+" with.", "Add the newer folder, or use --since with a day, as in --since 2026-05-04.")
	}
	was, err := input.Open(a, c.Old)
	if err != nil {
		return nil, err
	}
	defer was.Close()
	if c.Since != "" {
		return c.since(a, was)
	}
	is, err := input.Open(a, c.New)
	if err != nil {
		return nil, err
	}
	defer is.Close()
	return comparePairs(a, was, is)
}

// comparePairs compares each agent of a newer source with the one that it was in an older source.
func comparePairs(a *cmd.App, was, is *input.Source) ([]*comparison.Pair, error) {
	old, err := readKept(a, was)
	if err != nil {
		return nil, err
	}
	new, err := readKept(a, is)
	if err != nil {
		return nil, err
	}
	key, err := printKey()
	if err != nil {
		return nil, err
	}
	pairs := comparison.Match(old, new)
	for _, p := range pairs {
		p.Compare(key, func(name string) (bool, error) {
			return sameBytes(was, path.Join(p.Was.Dir, "artifacts", name), is, path.Join(p.Is.Dir, "artifacts", name))
		})
	}
	return pairs, nil
}

// since compares each agent of a source with itself at another time.
func (c CompareCommand) since(a *cmd.App, s *input.Source) ([]*comparison.Pair, error) {
	all, err := readKept(a, s)
	if err != nil {
		return nil, err
	}
	var pairs []*comparison.Pair
	for _, r := range all {
		point, ok := r.Folder.ParsePoint(c.Since)
		if !ok {
			return nil, cmd.Fail(cmd.Usage, cmd.Quote(c.Since)+" is not a point in time.", "Use a day (2026-05-04), a time (2026-05-04T10:00:00Z) or a number of lines (137).")
		}
		p := &comparison.Pair{Path: r.Path, Was: &comparison.Copy{Folder: r.Folder.At(point)}, Is: r}
		p.Records = r.Folder.CompareRecords(p.Was.Folder)
		pairs = append(pairs, p)
	}
	return pairs, nil
}

// readKept reads all agents of a source with their bytes.
func readKept(a *cmd.App, s *input.Source) ([]*comparison.Copy, error) {
	var all []*comparison.Copy
	for _, contents := range s.Agents {
		f, report, err := input.Read(a, s, contents, figs.Options{Keep: true})
		if err != nil {
			return nil, err
		}
		for file := range figs.File(figs.Ledgers) {
			if err := input.Unreadable(report, file); err != nil {
				return nil, err
			}
		}
		all = append(all, &comparison.Copy{Path: s.Path(contents), Dir: contents.Dir, Folder: f})
	}
	return all, nil
}

// printKey is a random key.
func printKey() (key figs.FingerprintKey, err error) {
	var b [16]byte
	if _, err = rand.Read(b[:]); err != nil {
		return key, err
	}
	return figs.FingerprintKey{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])}, nil
}

func sameBytes(was *input.Source, old string, is *input.Source, new string) (bool, error) {
	f, err := was.FS.Open(old)
	if err != nil {
		return false, err
	}
	defer f.Close()
	g, err := is.FS.Open(new)
	if err != nil {
		return false, err
	}
	defer g.Close()
	return folder.SameBytes(f, g)
}
