package serve

import (
	"context"

	"github.com/figs-web/figs-web/internal/local"
	"github.com/figs-web/figs-web/internal/share/parcel"
)

// shares are the open folders, for copies.
type shares struct{ folders *local.Folders }

// ShareFolder is the folder of the agent with that key as it is now, or journal.ErrNotFound.
func (s shares) ShareFolder(_ context.Context, agent string) (parcel.Folder, error) {
	fsys, contents, err := s.folders.FolderOf(agent)
	if err != nil {
		return parcel.Folder{}, err
	}
	return parcel.FromContents(fsys, contents), nil
}
