package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
)

type WatchCommand struct {
	Dir string `arg:"" optional:"" default:"." name:"DIR" predictor:"file" help:"What to watch, as for doctor. Default: the current folder."`
}

// Help is what `watch --help` adds.
func (WatchCommand) Help() string {
	return `Checks a folder as doctor does, again whenever something in it changes, and prints only what is different: findings that are new, solved or changed, lines written before that were changed or removed, and folders that appear or are gone. A line that is still being written is not reported.

With --json, each line of output is an object with an event: start, new, solved, changed, rewritten, state, appeared or gone.

Examples:

  figs-web watch
  figs-web watch path/to/repository
  figs-web watch .figs --json

Press Ctrl+C to stop.
`
}

func init() {
	cmd.MachinePages["watch"] = cmd.MachinePage{
		Usage: "figs-web --agent watch [DIR]",
		Patterns: []string{
			"figs-web --agent watch",
			"figs-web --agent watch .figs",
			"figs-web --agent watch path/to/repository",
		},
		Codes: []cmd.Kind{cmd.General, cmd.Usage, cmd.NotFound, cmd.Denied, cmd.BadFormat},
	}
}

const (
	// halfLine is how long the last line of a ledger may be incomplete before that is reported.
	halfLine = 2 * time.Second
	// mostKept is up to how many bytes the ledgers of a folder are kept, to see whether earlier lines are rewritten.
	mostKept = input.KeepBytes / 4
)

// Run watches until the program is told to stop, which is no failure.
func (c WatchCommand) Run(a *cmd.App) error {
	w := &watching{App: a, follower: input.Follow(a, c.Dir, true), folders: map[string]*watched{}}
	defer w.follower.Close()
	if err := w.begin(); err != nil {
		return err
	}
	for {
		due := time.Duration(0)
		if w.held {
			due = halfLine / 2
		}
		err := w.follower.Wait(due)
		if err == nil {
			err = w.look()
		}
		if a.Ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// watching is one run of the command.
type watching struct {
	*cmd.App
	follower *input.Follower
	folders  map[string]*watched // by path
	held     bool                // a finding is not reported yet
	failed   string              // why the last look failed; "" when it didn't
}

// watched is a folder as it was when it was last looked at.
type watched struct {
	Checked
	found map[findingKey][]figs.Finding // what was reported
	half  map[findingKey]time.Time      // findings about a line that may still be being written, and since when
}

// findingKey is by what a finding is the same as an earlier one, wherever its line is now.
type findingKey struct {
	code                  figs.Code
	file, record, pointer string
}

func keyOf(f *figs.Finding) findingKey { return findingKey{f.Code, f.File, f.Record, f.Pointer} }

func (w *watching) begin() error {
	s, _, err := w.follower.Look()
	if err != nil {
		return err
	}
	defer s.Close()
	for _, note := range s.Notes {
		w.Note(note)
	}
	all, err := w.read(s)
	if err != nil {
		return err
	}
	var errs, warnings, infos int
	var said []string
	for i := range all {
		f := w.take(all[i])
		w.folders[f.Path] = f
		e, n, o := f.counts()
		errs, warnings, infos = errs+e, warnings+n, infos+o
		said = append(said, cmd.Clean(f.Path)+" ("+contentsOf(f.Checked)+")")
	}
	if w.PrintsJSON() {
		type folder struct {
			Path     string `json:"path"`
			Errors   int    `json:"errors"`
			Warnings int    `json:"warnings"`
			Infos    int    `json:"infos"`
		}
		folders := []folder{}
		for i := range all {
			f := w.folders[all[i].Path]
			e, n, o := f.counts()
			folders = append(folders, folder{f.Path, e, n, o})
		}
		return cmd.WriteJSON(w.Stdout, map[string]any{"event": "start", "at": w.time(), "folders": folders})
	}
	if len(said) > 3 {
		said = []string{cmd.Plural(len(said), "folder") + " in " + cmd.Clean(s.Base)}
	}
	_, err = fmt.Fprintf(w.Stdout, "Watching %s: %s.\n", w.Paint.Bold(strings.Join(said, ", ")), counts(errs, warnings, infos))
	return err
}

// read reads what a source holds. What can be compared later is kept.
func (w *watching) read(s *input.Source) ([]Checked, error) {
	quiet := *w.App
	quiet.Bar = false
	now := w.Now().UTC().Format(time.RFC3339)
	var all []Checked
	for _, contents := range s.Agents {
		f, report, err := input.Read(&quiet, s, contents, figs.Options{Now: now, Keep: contents.Bytes <= mostKept})
		if err != nil {
			return nil, err
		}
		all = append(all, Checked{Path: s.Path(contents), contents: contents, folder: f, Report: report})
	}
	kinds, err := checkKinds(&quiet, s, now)
	return append(all, kinds...), err
}

// look reads the folder again and prints what is different.
func (w *watching) look() error {
	s, changed, err := w.follower.Look()
	if err == nil && !changed && !w.held {
		return s.Close()
	}
	if w.lacks(s) { // what is replaced is missing for a moment
		if s != nil {
			s.Close()
		}
		if err := w.follower.Pause(); err != nil {
			return err
		}
		s, _, err = w.follower.Look()
	}
	if err != nil {
		return w.lost(err)
	}
	defer s.Close()
	all, err := w.read(s)
	if err != nil {
		return w.lost(err)
	}
	w.held, w.failed = false, ""
	gone := maps.Clone(w.folders)
	for i := range all {
		is := w.take(all[i])
		was := gone[is.Path]
		delete(gone, is.Path)
		w.folders[is.Path] = is
		if err := w.report(s, was, is); err != nil {
			return err
		}
	}
	return w.gone(gone)
}

// lacks reports whether a folder, or a ledger of one, that was there is missing or shorter.
func (w *watching) lacks(s *input.Source) bool {
	if s == nil {
		return len(w.folders) > 0
	}
	sizes := map[string]int64{}
	for _, a := range s.Agents {
		sizes[s.Path(a)] += a.Bytes
	}
	for _, f := range w.folders {
		if size, there := sizes[f.Path]; f.Root == nil && (!there || size < f.contents.Bytes) {
			return true
		}
	}
	return false
}

// lost says once why the folder can't be read. Watching goes on.
func (w *watching) lost(err error) error {
	if w.Ctx.Err() != nil {
		return w.Ctx.Err()
	}
	var f *cmd.Failure
	if !errors.As(err, &f) {
		f = cmd.FailureOf(err, "")
	}
	if f.Kind == cmd.NotFound {
		return w.gone(maps.Clone(w.folders))
	}
	if f.Message == w.failed {
		return nil
	}
	w.failed = f.Message
	_, err = fmt.Fprintln(w.Stderr, f.Message+" Watching goes on.")
	return err
}

// gone says of folders that they are no longer there.
func (w *watching) gone(folders map[string]*watched) error {
	for _, path := range slices.Sorted(maps.Keys(folders)) {
		delete(w.folders, path)
		err := w.say("gone", path, w.Paint.Red(cmd.Clean(path)+" is gone.")+" Watching until it is back.", nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// take separates what is reported of a folder from what may only be a line that is still being written.
func (w *watching) take(c Checked) *watched {
	is := &watched{Checked: c, found: map[findingKey][]figs.Finding{}, half: map[findingKey]time.Time{}}
	was := w.folders[c.Path]
	for _, f := range c.Report.Findings {
		key := keyOf(&f)
		if f.Code == figs.LineTorn || f.Code == figs.LineUnterminated {
			since := time.Now()
			if was != nil {
				if at, known := was.half[key]; known {
					since = at
				} else if len(was.found[key]) > 0 {
					since = time.Time{}
				}
			} else if len(w.folders) == 0 {
				since = time.Time{} // found at the start
			}
			if time.Since(since) < halfLine {
				is.half[key], w.held = since, true
				continue
			}
		}
		is.found[key] = append(is.found[key], f)
	}
	return is
}

// counts are errors, warnings and infos that are reported.
func (f *watched) counts() (errs, warnings, infos int) {
	r := f.Report
	errs, warnings, infos = r.Errors, r.Warnings, r.Infos
	for key := range f.half {
		if key.code == figs.LineTorn {
			warnings--
		} else {
			infos--
		}
	}
	return errs, warnings, infos
}

func (w *watching) time() string { return w.Now().UTC().Format(time.RFC3339) }

// say prints one event: a sentence for people, an object for programs.
func (w *watching) say(event, path, sentence string, more map[string]any) error {
	if w.PrintsJSON() {
		object := map[string]any{"event": event, "at": w.time(), "path": path}
		maps.Copy(object, more)
		return cmd.WriteJSON(w.Stdout, object)
	}
	_, err := fmt.Fprintf(w.Stdout, "\n%s  %s\n", w.Paint.Faint(w.Now().Format(time.TimeOnly)), sentence)
	return err
}

// rewritten says which ledgers lost or changed lines that were there before.
func (w *watching) rewritten(was, is *watched) error {
	if was.folder == nil || is.folder == nil {
		return nil
	}
	grown := true
	for file := range figs.File(figs.Ledgers) {
		old := was.folder.Span(file, 0, int(was.folder.Size(file)))
		grown = grown && (was.folder.Size(file) == 0 || old != nil && bytes.HasPrefix(is.folder.Span(file, 0, int(is.folder.Size(file))), old))
	}
	if grown || !was.folder.ReadWhole() || !is.folder.ReadWhole() {
		return nil
	}
	if was.contents.Bytes > mostKept || is.contents.Bytes > mostKept {
		return nil // not kept
	}
	key, err := printKey()
	if err != nil {
		return err
	}
	c := is.folder.CompareWith(was.folder, was.folder.Print(key), is.folder.Print(key), key)
	for i := range c.Ledgers {
		l := &c.Ledgers[i]
		if !l.Rewritten() {
			continue
		}
		changed, sentence := len(l.Changes), fmt.Sprintf("%s: %s.", l.File, cmd.Counted(len(l.Changes), [2]string{"line written before was changed or is gone", "lines written before were changed or are gone"}))
		if l.Gone {
			changed, sentence = l.Old, fmt.Sprintf("%s is gone, with its %s.", l.File, cmd.Plural(l.Old, "line"))
		}
		err := w.say("rewritten", is.Path, cmd.Clean(is.Path)+": "+w.Paint.Red(sentence)+" Ledgers should only ever grow.", map[string]any{"file": l.File.String(), "lines": changed})
		if err != nil {
			return err
		}
	}
	return nil
}

// report prints what became of one folder.
func (w *watching) report(s *input.Source, was, is *watched) error {
	event, lead := "", cmd.Clean(is.Path)
	if was == nil {
		event, lead, was = "appeared", lead+" is new ("+contentsOf(is.Checked)+")", &watched{}
	} else if err := w.rewritten(was, is); err != nil {
		return err
	}
	changes := changesOf(was, is)
	if event == "" && len(changes) == 0 {
		return nil
	}
	errs, warnings, infos := is.counts()
	state := counts(errs, warnings, infos)
	if w.PrintsJSON() {
		if event != "" {
			if err := w.say(event, is.Path, "", nil); err != nil {
				return err
			}
		}
		for _, c := range changes {
			more := map[string]any{"finding": json.RawMessage(figs.AppendFinding(nil, &c.finding))}
			if err := w.say(c.kind, is.Path, "", more); err != nil {
				return err
			}
		}
		return w.say("state", is.Path, "", map[string]any{"valid": is.Report.Valid(), "errors": errs, "warnings": warnings, "infos": infos})
	}
	if !is.Report.Valid() {
		state = w.Paint.Red(state)
	}
	if err := w.say("", is.Path, w.Paint.Bold(lead)+": "+state, nil); err != nil {
		return err
	}
	var b strings.Builder
	printed, left := map[figs.Code]int{}, map[figs.Code]int{}
	for _, c := range changes {
		switch printed[c.finding.Code]++; {
		case printed[c.finding.Code] > PerRule:
			left[c.finding.Code]++
		case c.kind == "solved":
			fmt.Fprintf(&b, "\n%s  %s  %s  %s\n", w.Paint.Green("solved"), c.finding.Code, cmd.Clean(input.PlaceOf(c.finding.File, 0, 0)), w.Paint.Faint(cmd.Clean(cmd.Shorten(c.finding.Record, 60))))
		default:
			writeFindingAs(w.App, &b, s, is.Checked, &c.finding, c.kind)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(left)) {
		fmt.Fprintf(&b, "\n%d more of %s; doctor lists them.\n", left[code], code)
	}
	_, err := w.Stdout.Write([]byte(b.String()))
	return err
}

// findingChange is a finding that is new, solved or changed.
type findingChange struct {
	kind    string
	finding figs.Finding
}

// changesOf are what is new first, then what changed and what is solved, each in the order of the report. Findings of rules
// with more than a report lists are left out: which of them are new can't be told.
func changesOf(was, is *watched) (all []findingChange) {
	uncounted := map[figs.Code]bool{}
	for _, f := range []*watched{was, is} {
		if f.Report != nil {
			for _, m := range f.Report.More {
				uncounted[m.Code] = true
			}
		}
	}
	old := map[findingKey][]figs.Finding{}
	for key, list := range was.found {
		old[key] = slices.Clone(list)
	}
	var rest []figs.Finding
	for _, f := range inOrder(is) {
		key := keyOf(&f)
		same := slices.IndexFunc(old[key], func(o figs.Finding) bool {
			return o.Message == f.Message && o.Severity == f.Severity && o.Suggestion == f.Suggestion
		})
		if same >= 0 {
			old[key] = slices.Delete(old[key], same, same+1)
		} else if !uncounted[f.Code] {
			rest = append(rest, f)
		}
	}
	var changed []findingChange
	for _, f := range rest {
		key := keyOf(&f)
		if len(old[key]) > 0 {
			old[key] = old[key][1:]
			changed = append(changed, findingChange{"changed", f})
		} else {
			all = append(all, findingChange{"new", f})
		}
	}
	all = append(all, changed...)
	for _, f := range inOrder(was) {
		key := keyOf(&f)
		at := slices.IndexFunc(old[key], func(o figs.Finding) bool { return o.Message == f.Message && o.Line == f.Line })
		if at >= 0 && !uncounted[f.Code] {
			old[key] = slices.Delete(old[key], at, at+1)
			all = append(all, findingChange{"solved", f})
		}
	}
	return all
}

// inOrder are the findings that are reported of a folder, in the order of its report.
func inOrder(f *watched) (all []figs.Finding) {
	if f.Report == nil {
		return nil
	}
	for i := range f.Report.Findings {
		one := &f.Report.Findings[i]
		if _, half := f.half[keyOf(one)]; !half {
			all = append(all, *one)
		}
	}
	return all
}
