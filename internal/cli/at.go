package cli

import (
	"fmt"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
)

// atFlag chooses a point in the life of a folder.
type atFlag struct {
	At string `placeholder:"POINT" help:"The folder as it was: a day (2026-05-04, to its end in UTC), a time (2026-05-04T10:00:00Z), how many lines had been written (137), or how many of runs, asks and messages (12.5.3). Later lines are left out. Default: all lines."`
}

// options are those with which a folder is read so that it can be put back.
func (c atFlag) options(o figs.Options) figs.Options {
	o.Keep = o.Keep || c.At != ""
	return o
}

// fits refuses a folder whose bytes do not fit into memory, which another point needs all of.
func (c atFlag) fits(contents *folder.Contents) error {
	if c.At != "" && contents.Bytes > keepBytes {
		return fail(usage, fmt.Sprintf("The ledgers hold %d MB; --at reads at most %d MB.", contents.Bytes>>20, keepBytes>>20), "Copy the folder and cut its ledgers to the lines that you want to see.")
	}
	return nil
}

// back returns the folder as it was at the point, with its report.
func (c atFlag) back(f *figs.Folder, report *figs.Report) (*figs.Folder, *figs.Report, error) {
	if c.At == "" {
		return f, report, nil
	}
	p, ok := f.ParsePoint(c.At)
	if !ok {
		return nil, nil, fail(usage, quote(c.At)+" is no point that --at understands.", "Write a day as 2026-05-04, a time as 2026-05-04T10:00:00Z, a number of lines as 137, or of runs, asks and messages as 12.5.3.")
	}
	then := f.At(p)
	return then, then.Finish(), nil
}

// asOf tells which part of a folder was looked at.
func (c atFlag) asOf(f, then *figs.Folder) string {
	words := fmt.Sprintf("%d of %s", then.Steps(), plural(f.Steps(), "line"))
	if at := f.MomentOf(then.End()); at != figs.NoTime {
		words += ", the newest of " + time.UnixMicro(at).UTC().Format(time.RFC3339)
	}
	return words
}
