package local

import (
	"context"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/decide"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/sandbox/report"
)

// ReplyWriter takes what a human says to the asks of an open folder.
type ReplyWriter interface {
	// Reply appends a reply to the folder's ledger; its errors are those of package reply.
	Reply(ctx context.Context, r reply.Entry) (*reply.WrittenReply, error)
	// Revision tells what is shown of an ask, for the form of its reply.
	Revision(ask *journal.Ask) string
	// ReadOnly says in a sentence why nothing can be appended; "" when it can.
	ReadOnly() string
	// Seq is a number that rises when anything in the folder changes.
	Seq(ctx context.Context, workspace string) (int64, error)
}

// openDesk knows what the person in front of an open folder may say to its asks, and shows what
// they sent that was not taken.
type openDesk struct {
	s       *FolderServer
	by      string              // who speaks, as far as their browser has told
	said    string              // what has just happened, a key of openSayings; ""
	sent    *decide.RefusedForm // nil: nothing was
	command string              // the reply that was sent as a command; ""
}

func (s *FolderServer) openDesk(c echo.Context) *openDesk {
	return &openDesk{s: s, by: nameOf(c), said: c.QueryParam("notice")}
}

// openSayings are the flash messages of an open folder, by the value of the URL's "notice" parameter.
var openSayings = map[string]string{
	"reply-saved":             "Your reply is in messages.jsonl. To correct it, reply again.",
	"reply-already-saved":     "This reply is already in messages.jsonl. It wasn't added twice.",
	"reply-outdated":          "Your reply is in messages.jsonl, but the ask changed at the same moment, so the reply counts for the version before that change. Read the new version, then reply again.",
	"reply-saved-file-broken": "Your reply is in messages.jsonl. Another line of that file is broken, and some clients can't read the file until it is fixed. Tell the agent; Findings shows the line.",
	"draft-saved":             decide.Sayings["draft-saved"],
	"draft-empty":             decide.Sayings["draft-empty"],
	"remark-added":            decide.Sayings["remark-added"],
	"remark-removed":          decide.Sayings["remark-removed"],
}

// openSaying returns the flash message for a notice. That a reply was saved is no longer shown once the agent has raised the
// ask again or closed it, although the page still has the same URL.
func openSaying(word string, state figs.AskState) string {
	switch word {
	case "reply-saved", "reply-already-saved", "reply-saved-file-broken":
		if state.Phase == figs.NeedsYou || state.Phase.Closed() {
			return ""
		}
	}
	return openSayings[word]
}

// Sheet implements components.Desk.
func (d *openDesk) DecisionForm(ctx context.Context, a *journal.Agent, ask *journal.Ask) (*ui.DecisionForm, error) {
	gate, err := d.gate(ctx, a.Key, ask)
	if err != nil {
		return nil, err
	}
	s := &ui.DecisionForm{At: d.address(a.Key, ask.Key), AskName: true, Drafts: true, Said: openSaying(d.said, ask.State), Gate: gate, Command: d.command}
	s.Form = reply.Form{Key: store.NewID(), Revision: d.s.opening.Replies.Revision(ask), By: d.by, Files: decide.FormFiles(&gate)}
	s.Earlier = d.earlier(ctx, a.Key, ask)
	s.Correct = ask.State.Phase == figs.Replied || ask.State.Phase == figs.BeingRevised
	switch bar := reply.CheckOpen(&ask.Ask, ask.State); {
	case bar != figs.NotBlocked:
		s.Why.Sentence, s.Form.Key = bar.Sentence(), "" // no door takes a reply, so that there is no form
	default:
		s.Why.Sentence = d.s.opening.Replies.ReadOnly()
	}
	switch {
	case d.sent != nil:
		d.sent.Put(s)
	default:
		d.s.replies.fill(s)
	}
	return s, nil
}

func (d *openDesk) address(agent, ask string) string {
	return web.Workspaces + viewer.Segment(d.s.opening.Workspace) + "/agents/" + agent + "/asks/" + ask
}

// gate is what stands between the person and an approval: the attachments that the page shows and
// any further ones of the ask's fold, and the steps.
func (d *openDesk) gate(ctx context.Context, agent string, ask *journal.Ask) (g reply.Gate, err error) {
	add := func(name, key string) error {
		file := reply.GatedFile{File: reply.File{Name: name}, Key: key}
		if sum, err := d.s.opening.Folder.Digest(ctx, agent, name); err == nil {
			file.SHA256 = sum
			l := d.s.replies.looked(sum, viewer.Extension(name))
			file.Opened, file.How, file.Part = l.how != "", l.how, l.part
		}
		d.s.Viewer.Hidden(ctx, d.s.opening.Workspace, &file)
		g.Files = append(g.Files, file)
		return ctx.Err()
	}
	for i := range ask.Files {
		if err := add(ask.Files[i].Name, ask.Files[i].Key); err != nil {
			return g, err
		}
	}
	for _, name := range ask.Ask.Attachments {
		if slices.ContainsFunc(g.Files, func(f reply.GatedFile) bool { return f.Name == name }) {
			continue
		}
		if err := add(name, keyOf(ask.Earlier, name)); err != nil {
			return g, err
		}
	}
	if ask.Ask.Type == "sign-off" {
		g.Steps = reply.Steps(ask.Ask.OnApprove, false)
	}
	return g, nil
}

func keyOf(files []journal.File, name string) string {
	for i := range files {
		if files[i].Name == name {
			return files[i].Key
		}
	}
	return ""
}

// noteOpened notes what was sent to the person's page, or downloaded. Of what cannot be shown, a download is as
// much as there is.
func (s *FolderServer) noteOpened(c echo.Context, sha256, ext, how string) {
	if how != web.Download {
		s.replies.send(sha256, ext, s.opening.Now().UnixMicro())
		return
	}
	if figs.ClassOf("x."+ext) == figs.Rendered {
		r, err := s.Viewer.Result(c.Request().Context(), c.Param("workspace"), viewer.Document{SHA256: sha256, Ext: ext, View: report.Rendered})
		if err != nil || len(r.Document) > 0 {
			return
		}
	}
	s.replies.view(sha256, ext, web.Download)
}
