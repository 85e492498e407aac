package httperr

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/figs-web/figs-web/internal/store"
)

// Copied is advice for pushing a copy of another agent's folder.
const Copied = "If this folder is a copy of another agent's, remove agentId from its .figs/config.json and run figs init to give it a new identity; then link and push again."

// ofStore words conflicts of the store; nil for other errors. Clients print only the sentence, so it says what to do.
func ofStore(err error) *Problem {
	var moved *store.OtherWorkspaceError
	var renamed *store.RenamedError
	var bytes *store.AttachmentConflictError
	var taken *store.TakenError
	if p := ofDecision(err); p != nil {
		return p
	}
	conflict := func(code, title, hint string) *Problem {
		return &Problem{Status: http.StatusConflict, Code: code, Title: title, Hint: hint, Cause: err}
	}
	switch {
	case errors.As(err, &moved):
		return conflict("agent_moved", "This agent is registered in another workspace; nothing was stored", Copied)
	case errors.As(err, &renamed):
		return conflict("agent_renamed", fmt.Sprintf("This agent is registered as %q, but the push calls it %q; nothing was stored", short(renamed.Registered), short(renamed.Pushed)),
			"If it was renamed, run figs push --rename once. "+Copied)
	case errors.As(err, &bytes):
		return conflict("attachment_name_taken", fmt.Sprintf("A different file named %q is already stored, and signed-off content must not change; the file was not stored", short(bytes.Name)),
			"Save this version under a new name, such as report-2.html, and attach that in a new line; then restore the old file or remove it from .figs/artifacts. Retrying will not help.")
	case errors.As(err, &taken):
		return conflict("name_taken", fmt.Sprintf("The %s %q is already taken", taken.What, short(taken.Name)), "Choose another one.")
	}
	return nil
}

// short cuts a name for a sentence.
func short(name string) string {
	const most = 80
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return name
}
