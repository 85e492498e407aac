package agentpages

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/redact"
	"github.com/figs-web/figs-web/internal/share"
)

// sharing is what the page of a copy shows: all of the folder, or one ask of it.
type sharing struct {
	Agent   string // its key
	Key     string // of the ask; "" is the folder
	Ask     *journal.Ask
	Results *share.Preview // nil: the page's script looks through it
}

// mostShared is how many originals of one rule a page lists, and how many attachments.
const mostShared = 100

// Share is the page that makes a copy of the folder, or of the ask with that key, to be shown to somebody.
func Share(r *recordviews.Request, key string) (ui.View, error) {
	if r.Site.Sharer == nil && (!r.Site.Offline || r.Site.Script != "") {
		return ui.View{}, journal.ErrNotFound
	}
	s := &sharing{Agent: r.Agent.Key, Key: key}
	id := ""
	if key != "" {
		ask, err := r.J.Ask(r.Ctx, r.Agent.Key, key)
		if err != nil {
			return ui.View{}, err
		}
		if s.Ask, id = ask, ask.Ask.ID; id == "" {
			return ui.View{}, journal.ErrNotFound // nothing could be told apart from it: a copy of it would be one of all
		}
	}
	var err error
	if r.Site.Sharer != nil && r.Site.Past() == "" {
		_, query, _ := strings.Cut(r.Site.Path, "?")
		form, _ := url.ParseQuery(query) // what cannot be read is not chosen
		s.Results, err = r.Site.Sharer.Share(r.Ctx, r.Agent.Key, id, share.ParseOptions(form))
	}
	return r.Page(i18n.Say(r.Ctx, "Share a copy"), err, func() templ.Component { return SharePage(r.Site, r.Agent, s) })
}

// RenderShared is what the inspector puts into the page of a copy when its script has looked through the folder.
func RenderShared(ctx context.Context, site ui.Site, agent, key string, found *share.Preview) ([]byte, error) {
	var b bytes.Buffer
	err := sharedForm(site, &sharing{Agent: agent, Key: key, Results: found}).Render(ctx, &b)
	return b.Bytes(), err
}

func (s *sharing) path() []string {
	if s.Key == "" {
		return []string{s.Agent, "share"}
	}
	return []string{s.Agent, "share", s.Key}
}

func (s *sharing) id() string {
	if s.Ask == nil {
		return ""
	}
	return agenttext.AsData(journal.Segment(s.Ask.Ask.ID)) // which no hidden character survives
}

// sharedNews is the headline above what was found.
func sharedNews(ctx context.Context, secrets, rest int) string {
	switch {
	case secrets > 0 && rest > 0:
		return i18n.CountWords(ctx, secrets, "One secret and personal data found.", "%s secrets and personal data found.")
	case secrets > 0:
		return i18n.CountWords(ctx, secrets, "One secret found.", "%s secrets found.")
	case rest > 0:
		return i18n.CountWords(ctx, rest, "One piece of personal data found, no secrets.", "%s pieces of personal data found, no secrets.")
	}
	return i18n.Say(ctx, "Nothing found that looks like a secret or personal data.")
}

// groupWord is the heading above the rules of a group.
func groupWord(ctx context.Context, g redact.Group) string {
	switch g {
	case redact.Secrets:
		return i18n.Say(ctx, "Secrets")
	case redact.Personal:
		return i18n.Say(ctx, "Personal data")
	}
	return i18n.Say(ctx, "Names of people who replied")
}

// placed is the address of a place where something is replaced; "" where there is no page for it.
func (s *sharing) placed(site ui.Site, p redact.Occurrence) templ.SafeURL {
	if f := figs.ParseFile(p.File); f < figs.Ledgers && p.Line > 0 && s.Key == "" {
		return site.Place(s.Agent, p.File, p.Line)
	} else if f != figs.NoFile && f >= figs.Ledgers {
		return site.Place(s.Agent, p.File, 0)
	}
	return ""
}

// sharedFiles are the attachments of which there is something to say: they are left out, or hold pictures.
func sharedFiles(f *share.Preview) (unread, pictured []share.FilePreview) {
	for _, file := range f.Files {
		switch {
		case !file.Readable:
			unread = append(unread, file)
		case file.Pictures > 0:
			pictured = append(pictured, file)
		}
	}
	return unread, pictured
}

// unreadWord says why nobody could look through a file.
func unreadWord(ctx context.Context, f share.FilePreview) string {
	switch f.Why {
	case share.ReadTooLarge:
		return i18n.Say(ctx, "too large to check")
	case share.ReadNotUTF8:
		return i18n.Say(ctx, "its text is not UTF-8")
	}
	return i18n.Say(ctx, "not text")
}

// receiptTick is what the tick of a receipt sends.
func receiptTick(r share.ReceiptPreview) string { return share.ReceiptValue(r.No, r.Mark) }

// decidedOn reports whether somebody replied to an ask on a server, which writes receipts.
func decidedOn(a *journal.Ask) bool {
	return slices.ContainsFunc(a.Thread, func(m journal.Message) bool { return m.Message.Source == "app" })
}

// method is how the form is sent: a server where people sign in asks for a proof of who they are before anything leaves.
func (s *sharing) method(site ui.Site) string {
	if site.Shell != nil {
		return "post"
	}
	return "get"
}
