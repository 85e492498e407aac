package input

import (
	"fmt"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

// AtFlag chooses a point in the life of a folder.
type AtFlag struct {
	At string `placeholder:"POINT" help:"Read the folder as it was at a point in time: a day (2026-05-04, to its end in UTC), a time (2026-05-04T10:00:00Z), a number of lines (137), or numbers of runs, asks and messages (12.5.3). Later lines are left out. Default: all lines."`
}

// Options are those with which a folder is read so that it can be put back.
func (c AtFlag) Options(o figs.Options) figs.Options {
	o.Keep = o.Keep || c.At != ""
	return o
}

// Fits refuses a folder whose bytes do not fit into memory, which another point needs all of.
func (c AtFlag) Fits(contents *folder.Contents) error {
	if c.At != "" && contents.Bytes > KeepBytes {
		return cmd.Fail(cmd.Usage, fmt.Sprintf("The ledgers have %d MB; --at reads at most %d MB.", contents.Bytes>>20, KeepBytes>>20), "Copy the folder and shorten its ledgers to the lines that you need.")
	}
	return nil
}

// Back returns the folder as it was at the point, with its report.
func (c AtFlag) Back(f *figs.Folder, report *figs.Report) (*figs.Folder, *figs.Report, error) {
	if c.At == "" {
		return f, report, nil
	}
	p, ok := f.ParsePoint(c.At)
	if !ok {
		return nil, nil, cmd.Fail(cmd.Usage, cmd.Quote(c.At)+" is not a point in time.", "Use a day (2026-05-04), a time (2026-05-04T10:00:00Z), a number of lines (137), or numbers of runs, asks and messages (12.5.3).")
	}
	then := f.At(p)
	return then, then.Finish(), nil
}

// AsOf tells which part of a folder was looked at.
func (c AtFlag) AsOf(f, then *figs.Folder) string {
	words := fmt.Sprintf("%d of %s", then.Steps(), cmd.Plural(f.Steps(), "line"))
	if at := f.MomentOf(then.End()); at != figs.NoTime {
		words += ", the newest of " + time.UnixMicro(at).UTC().Format(time.RFC3339)
	}
	return words
}
