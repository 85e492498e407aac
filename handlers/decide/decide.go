// Package decide takes replies to asks: it reads the form, holds it against what the person saw, keeps drafts, and gives
// receipts.
package decide

import (
	"context"
	"errors"
	"html"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
)

// SignInAgain leads those whose session has ended to the sign-in page, and from there back to
// the ask. What they had typed is on the page before that: nothing else keeps it.
func (h Handlers) SignInAgain(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if auth.Of(c) != nil {
			return next(c)
		}
		ask := c.Request().URL.EscapedPath()
		to := "/sign-in?next=" + url.QueryEscape(listOf(c).WithList(ask[:strings.LastIndexByte(ask, '/')]))
		words := typedBy(c)
		if words == "" {
			return c.Redirect(http.StatusSeeOther, to)
		}
		p := &httperr.Problem{Status: http.StatusUnauthorized, Title: "You are no longer signed in, so nothing was recorded", Hint: "Copy your text, then sign in. You'll return to the ask."}
		ctx := c.Request().Context()
		on := `<div class="page page-alone page-narrow"><p><a class="button" href="` + html.EscapeString(to) + `">` + html.EscapeString(i18n.Say(ctx, "Sign in")) + `</a></p></div>`
		return h.Send(c, p.Status, web.TitleOf(ctx, p), append(append(web.HTMLOf(ctx, p), TypedWords(ctx, words)...), on...))
	}
}

// KeepText adds what was typed to the page that says "not found": the ask was there when its form was opened, and its
// reader may have been removed from the workspace since.
func (h Handlers) KeepText(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := next(c)
		if err == nil || c.Response().Committed {
			return err
		}
		p := httperr.Of(err)
		if p.Status != http.StatusNotFound {
			return err
		}
		words := typedBy(c)
		if words == "" {
			return err
		}
		ctx := c.Request().Context()
		return h.Send(c, p.Status, web.TitleOf(ctx, p), append(web.HTMLOf(ctx, p), TypedWords(ctx, words)...))
	}
}

// mostForeign is how many bytes of a form are read of someone who may not send it.
const mostForeign = 256 << 10

// typedBy is what someone who may not send a form has typed into it; "" is nothing, or a program's request.
func typedBy(c echo.Context) string {
	if web.AsJSON(c) || web.ReadFormOf(c, mostForeign) != nil {
		return ""
	}
	form := reply.Read(c.Request().PostForm)
	FixUTF8(&form)
	return FormText(&form)
}

// FormText is the text typed or the option chosen in a form.
func FormText(f *reply.Form) string { return strings.TrimSpace(f.Chosen + "\n\n" + f.Text) }

// TypedWords shows typed text that no form can take.
func TypedWords(ctx context.Context, words string) string {
	return `<div class="page page-alone page-narrow"><label for="words">` + html.EscapeString(i18n.Say(ctx, "Your text, to copy:")) + `</label><textarea id="words" rows="12" readonly>` + "\n" + html.EscapeString(words) + `</textarea></div>`
}

// replyRequest is a form that was sent to an ask.
type replyRequest struct {
	*desk
	c    echo.Context
	x    *askContext
	form reply.Form
	next string // of the list beside the ask, what planNext has found; ""
}

// ReadReply reads the ask that a form was sent to, and the form, of those who may reply, or of
// anybody here. Where that is enough to refuse it, the page has been sent and there is no try.
func (h Handlers) ReadReply(c echo.Context, anybody bool) (*replyRequest, error) {
	t := &replyRequest{desk: h.DeskOf(c), c: c}
	t.said = ""
	ctx, j := c.Request().Context(), h.Journal(c)
	a, err := j.Agent(ctx, c.Param("agent"))
	if err != nil {
		return nil, err
	}
	ask, err := j.Ask(ctx, c.Param("agent"), c.Param("ask"))
	if err != nil {
		return nil, err
	}
	if t.x, err = t.matter(ctx, a, ask); err != nil {
		return nil, err
	}
	if err := web.ReadFormOf(c, web.MostReply); err != nil {
		return nil, t.refuseUnread(err)
	}
	t.form, t.now = reply.Read(c.Request().PostForm), h.Now().UnixMicro() // the body may have taken its time
	switch broken := FixUTF8(&t.form); {
	case !t.x.May && !anybody:
		f := t.at.MayNot(a.Hosted)
		return nil, t.refuse(http.StatusForbidden, RefusedForm{Form: t.form, Fault: &f})
	case broken:
		return nil, t.refuse(http.StatusUnprocessableEntity, RefusedForm{Form: t.form, Fault: &ui.Fault{Field: reply.FieldText, Sentence: "Some of what was sent isn't text: it contains bytes that aren't characters.",
			Hint: "They appear as � in the form. Replace them, then send it again."}})
	}
	return t, nil
}

// FixUTF8 makes valid text of what was typed, and reports whether it had to.
func FixUTF8(f *reply.Form) (broken bool) {
	for _, text := range []*string{&f.Verdict, &f.Chosen, &f.Text, &f.Reason, &f.New.Quote, &f.New.Before, &f.New.After, &f.New.Text, &f.New.Suggestion} {
		broken = broken || !utf8.ValidString(*text) || strings.Contains(*text, "\x00")
		*text = strings.ReplaceAll(strings.ToValidUTF8(*text, "�"), "\x00", "�")
	}
	return broken
}

// Decide keeps what the visitor has decided, bound to what their page showed.
func (h Handlers) Decide(c echo.Context) error {
	t, err := h.ReadReply(c, false)
	if t == nil {
		return err
	}
	if t.form.Key == "" {
		return t.refuse(http.StatusUnprocessableEntity, RefusedForm{Form: t.form, Fault: &ui.Fault{Sentence: "The form arrived incomplete, so nothing was recorded.", Hint: "Your entries are still in the form. Check them, then send it again."}})
	}
	t.form.Place(&t.x.gate)
	if t.form.Verdict == "approved" {
		t.x.gate.Earlier = ui.MineOf(t.earlier(c.Request().Context(), t.x))
	}
	if t.x.Reported != nil && t.form.Verdict != "" && t.form.Verdict != "approved" && strings.TrimSpace(t.form.Text) == "" {
		t.form.Text = reply.ContradictionText
	}
	line, wrong := t.line()
	lacks := t.x.gate.Missing(&t.form)
	if wrong == figs.ReplyOK && len(lacks) == 0 && t.takesProof() {
		return t.proved(func(echo.Context) error { return t.record(line, wrong, lacks) })
	}
	return t.record(line, wrong, lacks)
}

// record keeps the decision, or says why it is none.
func (t *replyRequest) record(line []byte, wrong figs.ReplyProblem, lacks []reply.Missing) (err error) {
	fits := wrong == figs.ReplyOK && len(lacks) == 0
	if !fits {
		// An event that no ask takes: whatever the store looks for before the words comes first.
		line = []byte("{}")
	}
	seen, _ := store.ParseRevision(t.form.Revision) // none is never the present one
	d := store.DecisionInput{Workspace: t.at.Workspace.ID, Agent: t.x.id, Ask: t.x.ask.Ask.ID, Line: line, Key: t.form.Key,
		Saw: store.View{Revision: seen, Files: sighted(t.form.Files)}}
	ctx := t.c.Request().Context()
	if fits {
		if d.Notes, err = t.notes(ctx); err != nil {
			return err
		}
		if err = t.planNext(ctx); err != nil {
			return err
		}
	}
	made, err := t.h.Store.Decide(ctx, store.Act{By: t.user.ID, At: t.now}, d)
	var misfit *store.InvalidReplyError
	switch {
	case errors.As(err, &misfit) && wrong != figs.ReplyOK:
		return t.refuseMisfit(wrong, lacks)
	case errors.As(err, &misfit) && len(lacks) > 0:
		return t.refuse(http.StatusUnprocessableEntity, RefusedForm{Form: t.form, Lacks: lacks})
	case err != nil:
		return t.refuseStored(err)
	}
	return t.decided(made)
}

// line is the event that the form becomes, minted on the ask as this request has read it.
func (t *replyRequest) line() ([]byte, figs.ReplyProblem) {
	at := time.UnixMicro(t.now).UTC().Truncate(time.Second)
	return t.form.Line(figs.Fold([][]byte{t.x.ask.Raw}), figs.ReplyInput{ID: store.NewID(), By: t.user.Name, TS: at.Format("2006-01-02T15:04:05Z"), Extra: t.x.gate.Reviewed(&t.form)})
}

// decided tells open pages, and leads on. What was sent before leads where it led then, unless it
// was taken back since.
func (t *replyRequest) decided(made store.Decision) error {
	h := t.h
	if made.Repeated && made.State == store.DecisionUndone {
		return t.refuse(http.StatusConflict, RefusedForm{Form: t.form, Fault: &ui.Fault{Sentence: "This reply was undone, and the same form can't send it again.",
			Hint: "Its text is in the new form below. Send that to reply again."}})
	}
	if made.Repeated && !t.form.Says(figs.ReadMessage(figs.Fold([][]byte{made.Line}))) {
		t.keepWords()
		return t.refuse(http.StatusConflict, RefusedForm{Form: t.form, Fault: &ui.Fault{Sentence: "This form was already sent with different text, and that text was recorded.",
			Hint: "Your new text was not recorded. To add it, send it in a new form; a newer reply corrects the older one."}})
	}
	if !made.Repeated {
		t.c.Set(web.WaitedKey, t.waited())
		h.Due.Note(made.Effective)
		h.Live.Changed(made.Workspace, made.Seq)
	}
	return t.onward(t.page(t.x, ""))
}

// waited is how long the ask had waited in the round that is decided; 0 where nobody can tell.
func (t *replyRequest) waited() time.Duration {
	if t.x.ask.State.Since == figs.NoTime {
		return 0
	}
	return max(0, time.Duration(t.now-t.x.ask.State.Since)*time.Microsecond)
}

// sighted is what the form's page showed of the attachments.
func sighted(files []reply.File) []store.ViewedFile {
	all := make([]store.ViewedFile, len(files))
	for i, f := range files {
		all[i] = store.ViewedFile{Name: f.Name, SHA256: f.SHA256}
	}
	return all
}

// onward leads to the next item of the visitor's inbox where the form asks for that, past what
// waits to count; else to the address.
func (t *replyRequest) onward(to string) error {
	if t.next != "" {
		to = t.next
	}
	if t.next != "" || web.FormValue(t.c, "next") != "1" {
		return t.c.Redirect(http.StatusSeeOther, to)
	}
	ctx, slug := t.c.Request().Context(), t.at.Workspace.Slug
	pending, err := t.h.Store.PendingIn(ctx, t.at.Workspace.ID)
	if err != nil {
		return err
	}
	done := map[[2]string]bool{{t.x.id, t.x.ask.Ask.ID}: true}
	for i := range pending {
		done[[2]string{pending[i].Agent, pending[i].Ask}] = true
	}
	inbox, err := t.h.Store.Inbox(ctx, store.InboxQuery{Workspace: t.at.Workspace.ID, Mine: t.user.ID, Now: t.now, Slice: store.Slice{N: len(done) + 1}})
	if err != nil {
		return err
	}
	for i := range inbox.Items {
		item := &inbox.Items[i]
		id := figs.ReadAsk(figs.Fold([][]byte{item.Fold})).ID
		if !done[[2]string{item.Agent, id}] {
			return t.c.Redirect(http.StatusSeeOther, hosted.AskAddress(slug, item.Agent, id))
		}
	}
	return t.c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(slug)+"/inbox")
}

// asksProof reports whether an approval would ask the visitor who they are.
func (d *desk) asksProof() bool {
	return d.at.Workspace.StepUp && !accounts.IsFresh(d.last, d.now)
}

// takesProof reports whether the form is an approval where those take a fresh proof of who approves.
func (t *replyRequest) takesProof() bool {
	return t.at.Workspace.StepUp && t.form.Verdict == "approved"
}

// proved goes on with those who have proved lately who they are. Others are asked on a page that
// keeps the whole form: its key, what it is bound to, and every tick. What was typed is kept as a
// draft, too, for those who turn away from that page.
func (t *replyRequest) proved(next echo.HandlerFunc) error {
	if t.asksProof() && len(t.form.Text)+len(t.form.Verdict) <= MostDraft {
		if err := t.h.Store.SaveDraft(t.c.Request().Context(), t.draft(t.form)); err != nil {
			return err
		}
	}
	return t.h.RequireProof(accounts.ApproveAsk)(next)(t.c)
}
