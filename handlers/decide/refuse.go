package decide

import (
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/sandbox/visible"
)

// refuse shows the ask again, as it is now, with what was typed and why it was refused.
func (t *replyRequest) refuse(status int, s RefusedForm) error {
	d := *t.desk
	d.sent, d.now = &s, t.h.Now().UnixMicro()
	return New(t.h).ShowRecord(t.c, "/"+t.c.Param("agent")+"/asks/"+t.c.Param("ask"), &d, status)
}

// refuseUnread is refuse for a form that could not be read whole.
func (t *replyRequest) refuseUnread(err error) error {
	p := httperr.Of(err)
	return t.refuse(p.Status, RefusedForm{Unread: true, Fault: &ui.Fault{Sentence: p.Title, Hint: p.Hint, Args: p.Args}})
}

// refuseMisfit is refuse for a reply that the ask cannot take.
func (t *replyRequest) refuseMisfit(wrong figs.ReplyProblem, lacks []reply.Missing) error {
	f := &ui.Fault{Field: MisfitFields[wrong], Sentence: wrong.Sentence()}
	if wrong == figs.ProblemHidden {
		if figs.HiddenCharacter([]byte(t.user.Name)) >= 0 {
			f = &ui.Fault{Field: reply.FieldBy, Sentence: "Your name contains invisible characters, so agents can't tell who replied.", Hint: "Enter it again in your settings, then send this again."}
		} else if r := figs.HiddenCharacter([]byte(t.form.Text)); r >= 0 {
			f.Hint, f.Args = "The first one is {0}.", []any{visible.CodePoint(r)}
		}
	}
	return t.refuse(http.StatusUnprocessableEntity, RefusedForm{Form: t.form, Fault: f, Lacks: lacks})
}

// MisfitFields are where in the form it is that something does not fit; "" is the whole of it.
var MisfitFields = map[figs.ReplyProblem]string{
	figs.ProblemVerdict: reply.FieldVerdict, figs.ProblemAnswer: reply.FieldVerdict, figs.ProblemUnknownVerdict: reply.FieldVerdict, figs.ProblemChosen: reply.FieldChosen,
	figs.ProblemNoteMissing: reply.FieldText, figs.ProblemEmpty: reply.FieldText, figs.ProblemTooLong: reply.FieldText, figs.ProblemHidden: reply.FieldText,
}

// refuseStored is refuse for what the store did not take. What was typed is kept as a draft,
// too, where the page that comes next may have no form.
func (t *replyRequest) refuseStored(err error) error {
	p := httperr.Of(err)
	s := RefusedForm{Form: t.form, Fault: &ui.Fault{Sentence: p.Title, Hint: p.Hint, Args: p.Args}}
	var stale *store.StaleError
	var pending *store.PendingError
	var barred *store.ReplyRejectedError
	var misfit *store.InvalidReplyError
	var taken *store.TakenError
	switch {
	case errors.As(err, &stale):
		s.Stale = t.difference(stale)
	case errors.As(err, &pending):
		s.Fault, err = t.pendingFault(pending)
	case errors.As(err, &barred):
		s.Fault, err = t.barredFault(barred)
	case errors.As(err, &misfit):
		return t.refuseMisfit(misfit.Misfit, nil)
	case errors.As(err, &taken):
		s.Fault = &ui.Fault{Sentence: "This form was already sent for another ask, so nothing was recorded.", Hint: "Your text is in the form below. Check it, then send it again."}
	case errors.Is(err, store.ErrForbidden):
		f := t.at.MayNot(t.x.agent.Hosted)
		s.Fault = &f
	default:
		return err
	}
	if p.Status == http.StatusInternalServerError {
		return err
	}
	t.keepWords()
	return t.refuse(p.Status, s)
}

// difference is what the visitor had seen, and what is there now.
func (t *replyRequest) difference(now *store.StaleError) *ui.StaleReply {
	seen, _ := store.ParseRevision(t.form.Revision)
	d := &ui.StaleReply{Versions: seen.Version, Replies: seen.Replies}
	before, after := map[string]string{}, map[string]string{}
	for _, f := range t.form.Files {
		before[f.Name] = f.SHA256
	}
	for _, f := range now.Files {
		after[f.Name] = f.SHA256
	}
	for _, name := range now.Changed {
		d.Files = append(d.Files, ui.StaleFile{Name: name, Before: before[name], After: after[name]})
	}
	return d
}

// pendingFault names whose decision does not count yet.
func (t *replyRequest) pendingFault(p *store.PendingError) (*ui.Fault, error) {
	if p.By == t.user.ID {
		return &ui.Fault{Sentence: "You replied to this ask a moment ago, and that reply hasn't taken effect yet. This one wasn't recorded.",
			Hint: "Undo the first reply and send another, or wait until it takes effect and correct it with another reply."}, nil
	}
	by, err := t.person(t.c.Request().Context(), p.By)
	return &ui.Fault{Sentence: "{0} just replied to this ask, so your reply was not recorded.",
		Hint: "{0} can still undo that reply for a few seconds. Your text is kept.", Args: []any{by.Name}}, err
}

// barredFault names whose reply there is already.
func (t *replyRequest) barredFault(b *store.ReplyRejectedError) (*ui.Fault, error) {
	f := &ui.Fault{Sentence: b.Bar.Sentence(), Hint: "Nothing was recorded. Your text is kept."}
	if b.Bar != figs.BlockedDecided || b.By == "" {
		return f, nil
	}
	by, err := t.person(t.c.Request().Context(), b.By)
	return &ui.Fault{Sentence: "{0} has already replied to this ask, so your reply was not recorded.",
		Hint: "Read that reply; if you disagree, talk to {0}. Your text is kept.", Args: []any{by.Name}}, err
}

// keepWords keeps what was typed as a draft. That it cannot be kept is no reason to say anything
// else than what must be said: the page shows the words as well.
func (t *replyRequest) keepWords() {
	if t.form.Text == "" && t.form.Chosen == "" || len(t.form.Text) > MostDraft || len(t.form.Chosen) > MostDraft {
		return
	}
	if err := t.h.Store.SaveDraft(t.c.Request().Context(), t.draft(t.form)); err != nil {
		t.c.Set(web.FaultKey, err)
	}
}

// ShowRecord shows a page of an agent to the visitor whose desk it is, under that status where
// there is such a page.
func (h Handlers) ShowRecord(c echo.Context, path string, d *desk, status int) error {
	attached := h.ShownIn(d.at.Workspace.ID)
	attached.Alone = h.NoteAlone(c)
	site, err := h.Site(c, "", attached)
	if err == nil && c.Param("section") == "agent" {
		err = h.Answerable(c, site.Shell)
	}
	if err != nil {
		return err
	}
	site.DecisionForms = d
	if site.Beside = d.list; d.list != nil {
		site.Shell.Current = "inbox"
		if site.Saved, err = h.SavedViews(c, "inbox"); err != nil {
			return err
		}
	}
	if rows := ui.ParseRows(c.Request().Header.Get(ui.RowsHeader)); rows != nil && !rows.Has(ui.AgentRow(c.Param("agent"))) {
		site.Rows = rows
		return h.showAround(c, site)
	}
	if c.Param("section") == "asks" && c.Param("key") != "" {
		if site.Sharer, err = h.SharerOf(c); err != nil {
			return err
		}
	}
	found, title, main, err := h.Render(c.Request().Context(), site, h.Journal(c), path)
	if err != nil {
		return err
	}
	if attached.Fault != nil {
		c.Set(web.FaultKey, attached.Fault)
	}
	if found == http.StatusOK {
		found = status
	}
	if main, err = h.beside(c, site, found, main); err != nil {
		return err
	}
	return h.SendPage(c, site, found, title, main)
}

// showAround shows what surrounds a page of an agent, for one whose agent has not changed.
func (h Handlers) showAround(c echo.Context, site ui.Site) error {
	main, err := h.beside(c, site, http.StatusOK, nil)
	if err != nil {
		return err
	}
	return h.SendPage(c, site, http.StatusOK, "", main)
}

// ToldOf reports whether the form's page says that own remarks are unresolved: it says so once.
func ToldOf(t *RefusedForm) bool {
	return t.Form.Told || slices.ContainsFunc(t.Lacks, func(m reply.Missing) bool { return m.Unresolved > 0 })
}

// Put puts what was typed back into the form, with why it was not taken. Ticks stay only where
// nothing has changed under them.
func (t *RefusedForm) Put(s *ui.DecisionForm) {
	s.Fault, s.Lacks, s.Stale, s.Form.Told = t.Fault, t.Lacks, t.Stale, ToldOf(t)
	if t.Unread {
		return
	}
	s.Form.Verdict, s.Form.Chosen, s.Form.Text, s.Form.Reason, s.Form.New = t.Form.Verdict, t.Form.Chosen, t.Form.Text, t.Form.Reason, t.Form.New
	if t.Form.By != "" {
		s.Form.By = t.Form.By
	}
	if t.Form.Revision == s.Form.Revision && t.Form.Key != "" {
		s.Form.Keep(t.Form, &s.Gate)
	}
}
