package httperr

import (
	"errors"
	"net/http"
	"syscall"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// again is how many seconds to wait before retrying a temporary failure; later is for failures that someone has to fix.
const again, later = 5, 60

// ofTrouble words failures of the database, the disk and the attachment store; nil for other errors. Clients retry all of
// them, since their status is 5xx.
func ofTrouble(err error) *Problem {
	var down *store.UnavailableError
	var full *store.DiskFullError
	var damaged *blob.DamagedError
	switch {
	case errors.As(err, &full), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &Problem{Status: http.StatusInsufficientStorage, Code: "disk_full", Retry: later, Cause: err, Title: "The server's disk is full, so nothing was stored",
			Hint: "Your existing data is safe. Tell the server's administrator, and try again once there is space."}
	case errors.As(err, &down) && down.MayBeCommitted:
		return &Problem{Status: http.StatusServiceUnavailable, Code: "database_down", Retry: again, Cause: err, Title: "The database stopped responding, and it isn't known yet whether this was saved",
			Hint: "Reload the page in a few seconds to see. Sending a push or a reply again is safe: it counts once."}
	case errors.As(err, &down):
		return &Problem{Status: http.StatusServiceUnavailable, Code: "database_down", Retry: again, Cause: err, Title: "The database isn't responding right now, so nothing was changed",
			Hint: "Your existing data is safe. Try again in a few seconds."}
	case errors.As(err, &damaged):
		return &Problem{Status: http.StatusInternalServerError, Code: "attachment_damaged", Cause: err, Title: "The stored file is damaged, so it isn't shown",
			Hint: "Its bytes don't match its hash. Tell the server's administrator: a backup may have the original."}
	case errors.Is(err, blob.ErrUnavailable):
		return &Problem{Status: http.StatusServiceUnavailable, Code: "attachments_down", Retry: again, Cause: err, Title: "Attachments are unavailable right now",
			Hint: "Your data is safe. Try again in a few seconds."}
	}
	return nil
}
