package httperr

import (
	"errors"
	"net/http"

	"github.com/figs-web/figs-web/internal/store"
)

// ofDecision words why a decision wasn't saved or undone; nil for other errors. Pages add the names of people.
func ofDecision(err error) *Problem {
	var pending *store.PendingError
	var barred *store.ReplyRejectedError
	var stale *store.StaleError
	var misfit *store.InvalidReplyError
	var late *store.TooLateError
	switch {
	case errors.As(err, &pending):
		return &Problem{Status: http.StatusConflict, Code: "decision_pending", Title: "Someone just replied to this ask; your reply was not saved", Hint: "The other decision can still be undone for a few seconds. Reload the page to see the current state.", Cause: err}
	case errors.As(err, &barred):
		return &Problem{Status: http.StatusConflict, Code: barred.Bar.String(), Title: barred.Bar.Sentence(), Cause: err}
	case errors.As(err, &stale):
		return &Problem{Status: http.StatusConflict, Code: "ask_changed", Title: "The ask has changed since you opened the page; your reply wasn't saved", Hint: "Read the new version, then reply. Your text is kept.", Cause: err}
	case errors.As(err, &misfit):
		return &Problem{Status: http.StatusUnprocessableEntity, Code: misfit.Misfit.String(), Title: misfit.Misfit.Sentence(), Cause: err}
	case errors.As(err, &late):
		return &Problem{Status: http.StatusConflict, Code: "decision_counts", Title: "This reply already counts, so you can't undo it", Hint: "To correct it, reply again. The agent reads both replies.", Cause: err}
	case errors.Is(err, store.ErrForbidden):
		return &Problem{Status: http.StatusForbidden, Code: "not_yours_to_decide", Title: "You can't decide this ask", Hint: "The agent's manager and builder can, and the workspace's owners and admins. An owner or admin can make you its manager or builder.", Cause: err}
	}
	return nil
}
