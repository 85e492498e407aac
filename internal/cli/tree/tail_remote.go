package tree

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/feed"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remote"
)

const (
	// firstPause and lastPause are between two requests to a server that has nothing new; a request that finds nothing costs
	// next to nothing.
	firstPause = 200 * time.Millisecond
	lastPause  = 5 * time.Second
	// longestPause is between two requests to a server that can't be reached.
	longestPause = time.Minute
	// mostPage is how many events a request asks for.
	mostPage = 200
)

// remoteFeed gives the events of a workspace on a server.
type remoteFeed struct {
	app    *cmd.App
	client *remote.Client
	path   string // of the feed in the API
	agent  string // its key; "" is all
	after  string // cursor; "" at first
	n      int    // of the first call
	tag    string
	rest   bool // the last page wasn't the end
	begun  bool
	pause  time.Duration
	failed bool // the last request did
}

func (c TailCommand) openRemote(a *cmd.App, p *Place) (feeder, error) {
	t, err := openRemote(a, p)
	if err != nil {
		return nil, err
	}
	parts := p.Parts
	if len(parts) == 0 {
		parts = []string{"agents"} // of the only workspace there is
	}
	if parts, err = t.enter(a.Ctx, parts); err != nil {
		return nil, err
	}
	f := &remoteFeed{app: a, client: t.client, path: "/workspaces/" + journal.Segment(t.workspace.ID) + "/events", after: c.After, n: min(c.N, mostPage), pause: firstPause}
	if len(parts) == 2 {
		f.agent = journal.Segment(parts[1])
	}
	return f, nil
}

func (f *remoteFeed) close() {}

func (f *remoteFeed) more() bool { return f.rest }

func (f *remoteFeed) next() ([]feed.Event, error) {
	query := url.Values{"n": {fmt.Sprint(mostPage)}}
	switch {
	case f.after != "":
		query.Set("after", f.after)
	case !f.begun:
		query.Set("n", fmt.Sprint(max(f.n, 1)))
	}
	if f.agent != "" {
		query.Set("agent", f.agent)
	}
	var page struct {
		Items         []feed.Event
		Cursor        string
		More, Skipped bool
	}
	tag, changed, err := f.client.GetTagged(f.app.Ctx, f.path+"?"+query.Encode(), f.tag, &page)
	if err != nil {
		return nil, err
	}
	if f.failed = false; !changed {
		return nil, nil
	}
	if page.Skipped {
		f.app.Note("More happened than the server lists: earlier events are left out.")
	}
	if !f.begun && f.after == "" && f.n == 0 {
		page.Items = nil
	}
	f.tag = tag
	if page.Cursor != f.after {
		f.after, f.tag = page.Cursor, "" // the tag is that of another URL
	}
	f.rest, f.begun = page.More, true
	for i := range page.Items {
		e := &page.Items[i]
		if e.At = figs.NoTime; e.TS != "" {
			if at, ok := figs.ParseTime(e.TS); ok {
				e.At = at
			}
		}
	}
	if len(page.Items) > 0 {
		f.pause = firstPause
	}
	return page.Items, nil
}

func (f *remoteFeed) wait(failed error) error {
	pause := f.pause
	switch {
	case failed != nil:
		if !f.failed {
			f.app.Note(cmd.FailureOf(failed, "").Message + " Trying again.")
		}
		f.failed = true
		f.pause = min(f.pause*2, longestPause)
		var from *remote.Error
		if errors.As(failed, &from) && from.Retry > pause {
			pause = from.Retry
		}
	default:
		f.pause = min(f.pause*3/2, lastPause)
		pause = min(pause, lastPause)
	}
	select {
	case <-time.After(pause):
	case <-f.app.Ctx.Done():
	}
	return f.app.Ctx.Err()
}
