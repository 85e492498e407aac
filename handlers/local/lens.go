package local

import (
	"context"
	"errors"
	"io/fs"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/sandbox/report"
)

// openLens looks for hidden text in the own files of the agents of an open folder.
type openLens struct{ files hosted.OwnFiles }

// recordLens is nil where a folder cannot be looked through.
func recordLens(f Folder) ui.HiddenTextSource {
	if files, ok := f.(hosted.OwnFiles); ok {
		return openLens{files}
	}
	return nil
}

// Records looks through every file that the agent has.
func (l openLens) Records(ctx context.Context, agent string) ([]report.Reading, error) {
	var all []report.Reading
	for file := range figs.NoFile {
		r, err := l.files.Open(ctx, agent, file)
		switch {
		case errors.Is(err, journal.ErrNotFound):
			return nil, err
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			all = append(all, report.Reading{Name: file.String(), Unread: "It could not be read."})
			continue
		}
		reading, err := hosted.ReadOwn(&hosted.ContextReader{Ctx: ctx, R: r}, file)
		r.Close()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err != nil {
			reading = &report.Reading{Name: file.String(), Unread: "It could not be read to its end."}
		}
		all = append(all, *reading)
	}
	return all, nil
}
