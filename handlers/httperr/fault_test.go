package httperr

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// TestOf holds errors to their statuses, which tell clients whether to mend something or to come
// again, and to words that name a way out and nothing from within.
func TestOf(t *testing.T) {
	for name, test := range map[string]struct {
		err    error
		status int
		code   string
	}{
		"not in the store":     {store.ErrNotFound, 404, "not_found"},
		"no bytes":             {blob.ErrNotFound, 404, "not_found"},
		"not in the journal":   {journal.ErrNotFound, 404, "not_found"},
		"missing, and known":   {&journal.Missing{Sentence: "This file was not uploaded.", Hint: "It comes later."}, 404, ""},
		"changed bytes":        {ErrChanged, 404, ""},
		"busy":                 {ErrBusy, 503, ""},
		"late":                 {ErrLate, 503, ""},
		"out of time":          {context.DeadlineExceeded, 503, "late"},
		"no route":             {echo.ErrNotFound, 404, "not_found"},
		"no method":            {echo.ErrMethodNotAllowed, 405, "method_not_allowed"},
		"a push that is none":  {&figs.PushError{Sentence: "The body is no JSON object."}, 400, "push_unreadable"},
		"an agent moved":       {&store.OtherWorkspaceError{Workspace: "hidden-workspace"}, 409, "agent_moved"},
		"an agent renamed":     {&store.RenamedError{Registered: "A", Pushed: strings.Repeat("é", 500)}, 409, "agent_renamed"},
		"a name's other bytes": {&store.AttachmentConflictError{Name: "report.html"}, 409, "attachment_name_taken"},
		"a name taken":         {&store.TakenError{What: "workspace address", Name: "acme"}, 409, "name_taken"},
		"a pending decision":   {&store.PendingError{By: "secret-person", Effective: 1}, 409, "decision_pending"},
		"an ask closed":        {&store.ReplyRejectedError{Bar: figs.BlockedClosed}, 409, "ask_closed"},
		"an ask declined":      {&store.ReplyRejectedError{Bar: figs.BlockedDeclined}, 409, "ask_declined"},
		"an ask decided":       {&store.ReplyRejectedError{Bar: figs.BlockedDecided, By: "secret-person"}, 409, "ask_decided"},
		"a stale page":         {&store.StaleError{Changed: []string{"secret.html"}}, 409, "ask_changed"},
		"a note missing":       {&store.InvalidReplyError{Misfit: figs.ProblemNoteMissing}, 422, "reply_note_missing"},
		"a long reply":         {&store.InvalidReplyError{Misfit: figs.ProblemTooLong}, 422, "reply_too_long"},
		"an undo too late":     {&store.TooLateError{Effective: 1}, 409, "decision_counts"},
		"not theirs to decide": {store.ErrForbidden, 403, "not_yours_to_decide"},
		"no database":          {&store.UnavailableError{Err: errors.New("dial tcp secret:5432")}, 503, "database_down"},
		"a commit unheard":     {&store.UnavailableError{MayBeCommitted: true, Err: errors.New("dial tcp secret:5432")}, 503, "database_down"},
		"a full database":      {&store.DiskFullError{Err: errors.New("/secret/base/1")}, 507, "disk_full"},
		"a full disk":          {&fs.PathError{Op: "write", Path: "/secret", Err: syscall.ENOSPC}, 507, "disk_full"},
		"a quota":              {&fs.PathError{Op: "write", Path: "/secret", Err: syscall.EDQUOT}, 507, "disk_full"},
		"damaged bytes":        {&blob.DamagedError{SHA256: "secret"}, 500, "attachment_damaged"},
		"no bucket":            {fmt.Errorf("https://secret: %w", blob.ErrUnavailable), 503, "attachments_down"},
		"anything else":        {errors.New("disk /secret/path"), 500, "internal"},
		"another 5xx":          {echo.NewHTTPError(http.StatusBadGateway, "disk /secret/path"), 500, "internal"},
	} {
		t.Run(name, func(t *testing.T) {
			p := Of(fmt.Errorf("reading /secret/path: %w", test.err))
			if p.Status != test.status || p.Code != test.code {
				t.Errorf("Of = %d %q, want %d %q", p.Status, p.Code, test.status, test.code)
			}
			said := p.Sentence()
			if strings.Contains(said, "secret") || strings.Contains(said, "hidden-workspace") || len(said) > 800 || !strings.HasSuffix(said, ".") || strings.Contains(said, "..") {
				t.Errorf("it says %q", said)
			}
			if p.Hint == "" && !strings.Contains(p.Title, ". ") && test.code != "push_unreadable" {
				t.Error("it names no way out")
			}
			if again := p.Retry > 0; again != (test.status == 503 || test.status == 507) {
				t.Errorf("come again after %d seconds", p.Retry)
			}
			if operator := p.ForOperator(); (operator != nil) != (test.status >= 500) {
				t.Errorf("the operator is told %v", operator)
			}
			if test.status == 500 && !strings.Contains(p.ForOperator().Error(), "/secret/path") {
				t.Error("the operator does not learn the cause")
			}
		})
	}
}

// TestOfKeepsWords holds that a problem whose words are said already keeps them, however deep.
func TestOfKeepsWords(t *testing.T) {
	own := &Problem{Status: 418, Title: "No coffee", Hint: "Ask for tea."}
	if got := Of(fmt.Errorf("pouring: %w", own)); got != own || got.Sentence() != "No coffee. Ask for tea." {
		t.Errorf("Of = %+v", got)
	}
}
