package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
	"github.com/figs-web/figs-web/internal/store"
)

// draft is what who asks has begun to write to an ask.
type draft struct {
	Key     string            `json:"key"`
	ID      string            `json:"id"`
	Page    string            `json:"page"`
	Created *string           `json:"created"`
	Stale   bool              `json:"stale"`
	By      recordjson.Person `json:"by"`
	Token   bool              `json:"token"`
	Record  draftWords        `json:"record"`
}

type draftWords struct {
	Verdict string `json:"verdict,omitempty"`
	Chosen  string `json:"chosen,omitempty"`
	Text    string `json:"text,omitempty"`
}

// wordsAt are an ask, its agent, and what who asks has begun to write to it; nil is nothing.
type wordsAt struct {
	agent *journal.Agent
	ask   *journal.Ask
	draft *store.Draft
}

// wordsHere reads what the address names.
func (r *request) wordsHere() (x wordsAt, err error) {
	if x.ask, err = record(r, r.journal.Ask); err != nil {
		return x, err
	}
	ctx := r.c.Request().Context()
	if x.agent, err = r.journal.Agent(ctx, r.c.Param("agent")); err != nil {
		return x, err
	}
	d, err := r.Store.Draft(ctx, r.visitor.User.ID, x.agent.Config.AgentID, x.ask.Ask.ID)
	switch {
	case err == nil:
		x.draft = &d
	case !errors.Is(err, store.ErrNotFound):
		return x, err
	}
	return x, nil
}

// draftID names a draft by what it says and when that was kept: whoever deletes it by that name
// deletes what they have read, and not what its person has typed since.
func draftID(d *store.Draft) string {
	all, err := json.Marshal([]string{d.Agent, d.Ask, d.Revision, d.Verdict, d.Chosen, d.Text, fmt.Sprint(d.At)})
	if err != nil {
		panic(err) // texts
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:12])
}

// draftPath is where a draft of an ask is.
func (r *request) draftPath(id string) string {
	path := strings.NewReplacer(":workspace", journal.Segment(r.at.Workspace.Slug), ":agent", r.c.Param("agent"), ":id", r.c.Param("id"))
	return Base + path.Replace(draftsAt) + "/" + id
}

func (x *wordsAt) show(r *request) draft {
	d, id := x.draft, draftID(x.draft)
	return draft{Key: id, ID: id, Page: r.page(r.c.Param("agent"), "asks", x.ask.Key), Created: recordjson.Time(d.At), Stale: d.Revision != auth.RevisionOf(x.ask).String(),
		By: recordjson.Person{ID: r.visitor.User.ID, Name: r.visitor.User.Name}, Token: d.Token != "", Record: draftWords{d.Verdict, d.Chosen, d.Text}}
}

func listDrafts(r *request) (any, error) {
	x, err := r.wordsHere()
	if err != nil {
		return nil, err
	}
	l := list[draft]{Items: []draft{}}
	if x.draft != nil {
		l.Items, l.Total = append(l.Items, x.show(r)), 1
	}
	return l, nil
}

// thatDraft is what the address names, as long as it is what it was.
func (r *request) thatDraft() (x wordsAt, err error) {
	if x, err = r.wordsHere(); err == nil && (x.draft == nil || draftID(x.draft) != r.c.Param("draft")) {
		err = store.ErrNotFound
	}
	return x, err
}

func showDraft(r *request) (any, error) {
	x, err := r.thatDraft()
	if err != nil {
		return nil, err
	}
	return x.show(r), nil
}

func deleteDraft(r *request, _ fields) (any, error) {
	x, err := r.thatDraft()
	if err != nil {
		return nil, err
	}
	return nil, r.Store.DeleteDraft(r.c.Request().Context(), *x.draft)
}

// MostDraft is how many bytes of words are kept as a draft, here and by the pages.
const MostDraft = 64 << 10

// createDraft keeps a draft for those who may reply, where their page would have a form for it.
func createDraft(r *request, sent fields) (any, error) {
	x, err := r.wordsHere()
	if err != nil {
		return nil, err
	}
	stands, err := r.at.Stand(r.c.Request().Context(), r.Store, r.visitor.User.ID, x.agent, x.ask)
	if err != nil {
		return nil, err
	}
	switch {
	case !stands.May:
		why := r.at.MayNot(x.agent.Hosted)
		return nil, &httperr.Problem{Status: http.StatusForbidden, Code: "not_yours_to_decide", Title: "You can't reply to this ask, so the draft wasn't saved", Hint: why.Sentence + " " + why.Hint, Args: why.Args}
	case stands.Pending != nil:
		return nil, replying(stands.Pending.Effective, r.Auth.Now().UnixMicro())
	case stands.Bar != figs.NotBlocked:
		return nil, &store.ReplyRejectedError{Bar: stands.Bar, Phase: x.ask.State.Phase, By: stands.By}
	case x.draft != nil:
		return nil, r.drafted(x.draft)
	}
	if err := fits(&x.ask.Ask, sent); err != nil {
		return nil, err
	}
	d := store.Draft{Person: r.visitor.User.ID, Workspace: r.at.Workspace.ID, Agent: x.agent.Config.AgentID, Ask: x.ask.Ask.ID, Revision: stands.Revision,
		Verdict: sent["verdict"], Chosen: sent["chosen"], Text: sent["text"], At: r.Auth.Now().UnixMicro(), Token: r.visitor.Token}
	return r.begin(d)
}

// begin keeps a draft unless somebody was faster.
func (r *request) begin(d store.Draft) (any, error) {
	ctx := r.c.Request().Context()
	err := r.Store.CreateDraft(ctx, d)
	var taken *store.TakenError
	var pending *store.PendingError
	switch {
	case errors.As(err, &pending):
		return nil, replying(pending.Effective, d.At)
	case errors.As(err, &taken):
		other, err := r.Store.Draft(ctx, d.Person, d.Agent, d.Ask)
		if err != nil {
			return nil, err
		}
		return nil, r.drafted(&other)
	case err != nil:
		return nil, err
	}
	id := draftID(&d)
	return made(id, r.draftPath(id)), nil
}

// replying says that a decision on the ask does not count yet.
func replying(effective, now int64) error {
	return &httperr.Problem{Status: http.StatusConflict, Code: "decision_pending", Title: "Someone just replied to this ask, so the draft wasn't saved", Retry: int(max(0, effective-now)/1_000_000) + 1,
		Hint: "That reply can still be undone for a few seconds. Try again after that."}
}

// drafted says that there is a draft.
func (r *request) drafted(d *store.Draft) error {
	path := r.draftPath(draftID(d))
	return &httperr.Problem{Status: http.StatusConflict, Code: "draft_exists", Title: "You already have a draft for this ask; it wasn't changed", Fields: map[string]any{"path": path},
		Hint: "Read it at " + path + ". To replace it, delete it first."}
}

// verdicts are what a sign-off takes.
var verdicts = []string{"approved", "changes-requested", "rejected"}

// fits says why words are no draft of a reply to an ask. What a reply needs may be missing.
func fits(ask *figs.Ask, sent fields) error {
	verdict, chosen, text := sent["verdict"], sent["chosen"], sent["text"]
	switch {
	case verdict == "" && chosen == "" && text == "":
		return &httperr.Problem{Status: http.StatusUnprocessableEntity, Code: "draft_empty", Title: "The draft is empty, so it wasn't saved", Hint: "Send verdict, chosen or text."}
	case len(verdict)+len(chosen)+len(text) > MostDraft:
		return &httperr.Problem{Status: http.StatusRequestEntityTooLarge, Code: "draft_too_large", Title: "The draft is larger than 65,536 bytes, so it wasn't saved", Hint: "A reply may have at most 32,768 bytes: shorten it."}
	case verdict != "" && ask.Type != "sign-off":
		return &store.InvalidReplyError{Misfit: figs.ProblemVerdict}
	case verdict != "" && !slices.Contains(verdicts, verdict):
		return &httperr.Problem{Status: http.StatusUnprocessableEntity, Code: figs.ProblemUnknownVerdict.String(), Title: "The verdict isn't valid, so the draft wasn't saved", Hint: "It takes " + strings.Join(verdicts, ", ") + "."}
	case chosen != "" && !slices.Contains(ask.Options, chosen):
		return &store.InvalidReplyError{Misfit: figs.ProblemChosen}
	case figs.HiddenCharacter([]byte(text)) >= 0:
		return &store.InvalidReplyError{Misfit: figs.ProblemHidden}
	}
	return nil
}
