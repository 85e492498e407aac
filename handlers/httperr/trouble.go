package httperr

import (
	"errors"
	"net/http"
	"syscall"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// again is after how many seconds to come back to what may be there again at any moment, and later to what somebody has to
// mend.
const again, later = 5, 60

// ofTrouble gives words to what the database, the disk and the place of attachments do when they fail; nil for
// every other error. Clients take each of these for a reason to come again, since their status is one of 5xx.
func ofTrouble(err error) *Problem {
	var down *store.UnavailableError
	var full *store.DiskFullError
	var damaged *blob.DamagedError
	switch {
	case errors.As(err, &full), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &Problem{Status: http.StatusInsufficientStorage, Code: "disk_full", Retry: later, Cause: err, Title: "This server has no room left, so nothing was stored",
			Hint: "Data that was stored before is safe. Tell the server's administrator; once there is room, send the same again."}
	case errors.As(err, &down) && down.MayBeCommitted:
		return &Problem{Status: http.StatusServiceUnavailable, Code: "database_down", Retry: again, Cause: err, Title: "The database stopped answering, and whether it kept this is not known yet",
			Hint: "Load the page again in a few seconds to see. A push or a reply that is sent again counts once."}
	case errors.As(err, &down):
		return &Problem{Status: http.StatusServiceUnavailable, Code: "database_down", Retry: again, Cause: err, Title: "The database isn't responding right now, so nothing was changed",
			Hint: "Nothing that was stored before is lost. Send the same again in a few seconds."}
	case errors.As(err, &damaged):
		return &Problem{Status: http.StatusInternalServerError, Code: "attachment_damaged", Cause: err, Title: "The stored file isn't what was sent, so it isn't shown",
			Hint: "Tell the server's administrator: the disk or the bucket has changed the bytes, and a backup may have them."}
	case errors.Is(err, blob.ErrUnavailable):
		return &Problem{Status: http.StatusServiceUnavailable, Code: "attachments_down", Retry: again, Cause: err, Title: "Attachments are unavailable right now",
			Hint: "Nothing is lost. Ask again, or send the same again, in a few seconds."}
	}
	return nil
}
