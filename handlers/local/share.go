package local

import (
	"context"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/share"
	copies "github.com/figs-web/figs-web/internal/share/parcel"
)

// ShareSource gives the folders of which copies are made.
type ShareSource interface {
	// ShareFolder is the folder of the agent with that key, or journal.ErrNotFound.
	ShareFolder(ctx context.Context, agent string) (copies.Folder, error)
}

// sharer looks through folders for the page of a copy.
type sharer struct{ shares ShareSource }

// Share is what there is to replace.
func (s sharer) Share(ctx context.Context, agent, ask string, c *share.Options) (*share.Preview, error) {
	f, err := s.shares.ShareFolder(ctx, agent)
	if err != nil {
		return nil, err
	}
	sharing, err := copies.Open(ctx, f, ask, c)
	if err != nil {
		return nil, web.CopyFailure(err)
	}
	return sharing.Preview(c), nil
}

// openCopy sends a copy of an open folder.
func (s *FolderServer) openCopy(c echo.Context) error {
	ask := ""
	if key := c.Param("key"); key != "" {
		path := "/" + url.PathEscape(c.Param("agent")) + "/asks/" + url.PathEscape(key)
		j, err := s.opening.Folder.Journal(c.Request().Context(), path)
		if err != nil {
			return err
		}
		found, err := j.Ask(c.Request().Context(), c.Param("agent"), key)
		if err != nil {
			return err
		}
		if ask = found.Ask.ID; ask == "" {
			return journal.ErrNotFound // a copy of no ask would be one of all
		}
	}
	f, err := s.opening.Shares.ShareFolder(c.Request().Context(), c.Param("agent"))
	if err != nil {
		return err
	}
	return s.SendCopy(c, f, ask, c.QueryParams(), s.opening.Now(), nil)
}
