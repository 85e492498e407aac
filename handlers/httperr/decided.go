package httperr

import (
	"errors"
	"net/http"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
)

// ofDecision says why a decision was not kept, or not taken back; nil for every other error.
// Whose decision stands against it the page says, which knows names.
func ofDecision(err error) *Problem {
	var pending *store.PendingError
	var barred *store.ReplyRejectedError
	var stale *store.StaleError
	var misfit *store.InvalidReplyError
	var late *store.TooLateError
	switch {
	case errors.As(err, &pending):
		return &Problem{Status: http.StatusConflict, Code: "decision_pending", Title: "Someone just replied to this ask; your reply was not saved", Hint: "The other decision can still be undone for a few seconds. Reload the page to see what became of it.", Cause: err}
	case errors.As(err, &barred):
		title, hint := divided(barred.Bar.Sentence())
		return &Problem{Status: http.StatusConflict, Code: barred.Bar.String(), Title: title, Hint: hint, Cause: err}
	case errors.As(err, &stale):
		return &Problem{Status: http.StatusConflict, Code: "ask_changed", Title: "The ask has changed since the page was made; nothing was recorded", Hint: "Read what is new, then reply to that. Your text is kept.", Cause: err}
	case errors.As(err, &misfit):
		title, hint := divided(misfit.Misfit.Sentence())
		return &Problem{Status: http.StatusUnprocessableEntity, Code: misfit.Misfit.String(), Title: title, Hint: hint, Cause: err}
	case errors.As(err, &late):
		return &Problem{Status: http.StatusConflict, Code: "decision_counts", Title: "This reply already counts, so you can't undo it", Hint: "To correct it, reply again: the agent then reads both, the newer one last.", Cause: err}
	case errors.Is(err, store.ErrForbidden):
		return &Problem{Status: http.StatusForbidden, Code: "not_yours_to_decide", Title: "This is not yours to decide", Hint: "The agent's manager and builder may, and the owners and admins of the workspace. One of those can make you its manager or builder.", Cause: err}
	}
	return nil
}

// divided makes a title and a hint of sentences: the first, and the others.
func divided(sentences string) (title, hint string) {
	title, hint, _ = strings.Cut(sentences, ". ")
	return strings.TrimSuffix(title, "."), hint
}
