package components

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/journal"
)

// everywherePage searches the whole workspace.
func everywherePage(ctx context.Context, site Site, w journal.Workspace, query string) (view, error) {
	q := journal.ParseQuery(query)
	found := &journal.Found{}
	if q.Text != "" {
		var err error
		if found, err = w.Everywhere(ctx, q); err != nil {
			return view{}, err
		}
	}
	s := &seeking{site: site, q: q, parsed: find.Parse(q.Text), looked: &journal.Looked{More: found.More}, label: say(ctx, "Search every agent")}
	return view{statusOK, say(ctx, "Search"), EverywherePage(s, found)}, nil
}

func everywhereNews(ctx context.Context, q journal.Query, found *journal.Found) (news, lede string) {
	quoted := say(ctx, "for “%s”", plain(q.Text))
	switch {
	case q.Text == "":
		return say(ctx, "Search every agent"), say(ctx, "Jobs, asks, replies and the text of attachments, by words, by a part of an id, or by what they are.")
	case len(found.Items) == 0:
		return say(ctx, "Nothing found"), quoted
	case found.More || found.From > 0:
		return say(ctx, "What was found, newest first"), quoted
	}
	return countSpelled(ctx, len(found.Items), "One place found", "%s places found"), quoted
}

// searchAt is the address of a search.
func searchAt(site Site, q journal.Query) templ.SafeURL { return site.Shell.To("search?" + q.String()) }

// hitWord is what sort of thing was found.
func hitWord(ctx context.Context, owner string) string {
	switch kind, _, _ := strings.Cut(owner, "/"); kind {
	case "jobs":
		return say(ctx, "job")
	case "asks":
		return say(ctx, "ask")
	case "messages":
		return say(ctx, "reply")
	case "files":
		return say(ctx, "attachment")
	}
	return ""
}

// hitSign is its shape.
func hitSign(owner string) string {
	switch kind, _, _ := strings.Cut(owner, "/"); kind {
	case "asks":
		return "raise"
	case "messages":
		return "reply"
	case "files":
		return "file"
	}
	return "note" // a job, however it stands: the half circle would say that it is in flight
}
