package local

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/decide"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/sandbox/visible"
)

// replyRoutes are what the forms of an ask's page are sent to. Nothing else here changes anything.
func (s *FolderServer) replyRoutes(e *echo.Echo) {
	var origins []string
	for host := range s.Door.hosts {
		origins = append(origins, "http://"+host)
	}
	at := hosted.NewRouting(e, "/w/:workspace/agents/:agent/asks/:ask", web.SameOrigin(origins...), s.Door.guard)
	at.POST("/decide", s.giveReply)
	at.POST("/draft", s.keepDraft)
	at.POST("/remark", s.remarkFile)
	at.POST("/command", s.showCommand)
	at.POST("/viewed", s.markViewed)
}

// isFormAddress reports whether a page was asked for at the address of a form.
func isFormAddress(c echo.Context) bool {
	return c.Param("section") == "asks" && pageSegment.MatchString(c.Param("key")) && slices.Contains([]string{"decide", "draft", "remark", "command", "viewed"}, c.Param("of"))
}

// localReply is a form that was sent to an ask of the open folder.
type localReply struct {
	*openDesk
	c     echo.Context
	agent *journal.Agent
	ask   *journal.Ask
	at    string // address of the ask
	form  reply.Form
	gate  reply.Gate
}

// readReply reads the ask that a form was sent to, and the form. Where that is enough to refuse
// it, the page has been sent and there is no try.
func (s *FolderServer) readReply(c echo.Context) (*localReply, error) {
	agent, ask := c.Param("agent"), c.Param("ask")
	if c.Param("workspace") != s.opening.Workspace || !pageSegment.MatchString(agent) || !pageSegment.MatchString(ask) {
		return nil, echo.ErrNotFound
	}
	t := &localReply{openDesk: s.openDesk(c), c: c}
	t.said, t.at = "", t.address(agent, ask)
	if err := web.ReadFormOf(c, web.MostReply); err != nil {
		p := httperr.Of(err)
		return nil, t.refuse(p.Status, decide.RefusedForm{Unread: true, Fault: &ui.Fault{Sentence: p.Title, Hint: p.Hint, Args: p.Args}})
	}
	t.form = reply.Read(c.Request().PostForm)
	broken := decide.FixUTF8(&t.form)
	if name := t.form.By; faultOfName(name) == nil {
		keepName(c, name)
		t.by = name
	}
	if err := t.read(c.Request().Context(), agent, ask); err != nil {
		return nil, t.lost(err)
	}
	if broken {
		return nil, t.refuse(http.StatusUnprocessableEntity, decide.RefusedForm{Form: t.form, Fault: &ui.Fault{Field: reply.FieldText, Sentence: "Some of what was sent isn't text: its bytes aren't UTF-8.",
			Hint: "They appear as � in the form. Replace them, then send it again."}})
	}
	return t, nil
}

// read reads the ask as it is now.
func (t *localReply) read(ctx context.Context, agent, ask string) error {
	j, err := t.s.opening.Folder.Journal(ctx, "/"+agent+"/asks/"+ask)
	if err != nil {
		return err
	}
	if t.agent, err = j.Agent(ctx, agent); err != nil {
		return err
	}
	if t.ask, err = j.Ask(ctx, agent, ask); err != nil {
		return err
	}
	if t.gate, err = t.openDesk.gate(ctx, agent, t.ask); err == nil {
		t.gate.Earlier = ui.MineOf(t.openDesk.earlier(ctx, agent, t.ask))
	}
	return err
}

// giveReply appends what the person says to the folder, bound to what their page showed.
func (s *FolderServer) giveReply(c echo.Context) error {
	t, err := s.readReply(c)
	if t == nil {
		return err
	}
	if f := faultOfName(t.form.By); f != nil {
		return t.refuse(http.StatusUnprocessableEntity, decide.RefusedForm{Form: t.form, Fault: f})
	}
	t.form.Place(&t.gate)
	var lacks []reply.Missing
	given, err := s.opening.Replies.Reply(c.Request().Context(), reply.Entry{
		Agent: t.agent.Key, Ask: t.ask.Key, Revision: t.form.Revision, Files: t.seen(), ID: t.form.Key,
		Say: func(ask figs.Object, say figs.ReplyInput) ([]byte, figs.ReplyProblem) {
			say.By, say.Extra = t.form.By, t.gate.Reviewed(&t.form)
			if t.form.Verdict != "" {
				say.Extra = append(reply.AskedField(ask, t.ask.State.Round), say.Extra...)
			}
			line, wrong := t.form.Line(ask, say)
			if lacks = t.gate.Missing(&t.form); wrong == figs.ReplyOK && len(lacks) > 0 {
				return nil, figs.ProblemEvent
			}
			return line, wrong
		},
	})
	if err != nil {
		return t.refused(err, lacks)
	}
	s.replies.keep(t.at, reply.Form{}, 0)
	if seq, err := s.opening.Replies.Seq(c.Request().Context(), s.opening.Workspace); err == nil {
		s.replies.live.Changed(s.opening.Workspace, seq)
	}
	return c.Redirect(http.StatusSeeOther, t.at+"?notice="+outcome(given)+"#deciding")
}

// outcome is the word for what has become of a reply.
func outcome(given *reply.WrittenReply) string {
	switch {
	case !given.Stands:
		return "reply-outdated"
	case given.Broken > 0:
		return "reply-saved-file-broken"
	case given.Again:
		return "reply-already-saved"
	}
	return "reply-saved"
}

// seen is what the form says of the attachments. One that it does not name was not shown.
func (t *localReply) seen() []reply.File {
	files := append([]reply.File(nil), t.form.Files...)
	for i := range t.gate.Files {
		named := false
		for _, f := range t.form.Files {
			named = named || f.Name == t.gate.Files[i].Name
		}
		if !named {
			files = append(files, reply.File{Name: t.gate.Files[i].Name, SHA256: "unseen"})
		}
	}
	return files
}

// refused turns what the folder did not take into the ask's page, as it is now, with what was
// typed. The words are kept as a draft, too, where the page that comes next may have no form.
func (t *localReply) refused(err error, lacks []reply.Missing) error {
	var stale *reply.StaleError
	var barred *reply.BlockedError
	var misfit *reply.InvalidReplyError
	var stopped *reply.RefusedError
	const kept = "Nothing was written. Your text is kept."
	s := decide.RefusedForm{Form: t.form}
	t.keepWords()
	switch {
	case errors.As(err, &stale):
		s.Stale = staleOf(stale)
		return t.refuse(http.StatusConflict, s)
	case errors.As(err, &barred):
		s.Fault = &ui.Fault{Sentence: barred.Bar.Sentence(), Hint: kept}
		return t.refuse(http.StatusConflict, s)
	case errors.As(err, &misfit) && len(lacks) > 0 && misfit.Misfit == figs.ProblemEvent:
		s.Lacks = lacks
		return t.refuse(http.StatusUnprocessableEntity, s)
	case errors.As(err, &misfit):
		s.Fault = faultOfMisfit(misfit.Misfit, &t.form)
		return t.refuse(http.StatusUnprocessableEntity, s)
	case errors.As(err, &stopped):
		s.Fault = &ui.Fault{Sentence: stopped.Sentence, Hint: stopped.Hint}
		if stopped.Cause == nil {
			return t.refuse(http.StatusConflict, s)
		}
		t.c.Set(web.FaultKey, stopped.Cause)
		return t.refuse(http.StatusServiceUnavailable, s)
	}
	return t.lost(err)
}

func faultOfMisfit(wrong figs.ReplyProblem, f *reply.Form) *ui.Fault {
	said := &ui.Fault{Field: decide.MisfitFields[wrong], Sentence: wrong.Sentence()}
	if r := figs.HiddenCharacter([]byte(f.Text)); wrong == figs.ProblemHidden && r >= 0 {
		said.Hint, said.Args = "The first one is {0}.", []any{visible.CodePoint(r)}
	}
	return said
}

// staleOf is what the person had seen, and what is there now.
func staleOf(now *reply.StaleError) *ui.StaleReply {
	d := &ui.StaleReply{Versions: now.Lines, Replies: now.Replies}
	for _, f := range now.Files {
		if f.Before == "unseen" {
			f.Before = ""
		}
		d.Files = append(d.Files, ui.StaleFile{Name: f.Name, Before: f.Before, After: f.After})
	}
	return d
}

func (t *localReply) keepWords() { t.s.replies.keep(t.at, t.form, t.s.opening.Now().UnixMicro()) }

// refuse shows the ask again with what was typed and why it was not taken.
func (t *localReply) refuse(status int, what decide.RefusedForm) error {
	d := *t.openDesk
	d.sent = &what
	return t.show(status, &d)
}

// show sends the ask's page; where there is none any more, one that keeps the words.
func (t *localReply) show(status int, d *openDesk) error {
	found, err := t.s.showFolder(t.c, "/"+t.c.Param("agent")+"/asks/"+t.c.Param("ask"), d, status)
	if err == nil && found == http.StatusNotFound {
		err = journal.ErrNotFound
	}
	if err != nil {
		return t.lost(err)
	}
	return nil
}

// lost is a page for words whose ask is not there any more, or cannot be read.
func (t *localReply) lost(err error) error {
	p := *httperr.Of(err)
	if errors.Is(err, journal.ErrNotFound) {
		p.Title, p.Hint = "This ask is no longer in the folder", "Nothing was saved. The folder was moved, deleted or rewritten; open it again at its current location."
	} else if cause := p.ForOperator(); cause != nil {
		t.c.Set(web.FaultKey, cause)
	}
	ctx := t.c.Request().Context()
	page := web.HTMLOf(ctx, &p)
	if words := decide.FormText(&t.form); words != "" {
		page = append(page, decide.TypedWords(ctx, words)...)
	}
	return t.s.Send(t.c, p.Status, web.TitleOf(ctx, &p), page)
}
