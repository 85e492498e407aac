package httperr

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/figs-web/figs-web/internal/store"
)

// Copied is the way out for who pushes a copy of another agent's folder.
const Copied = "If this folder was copied from another agent's, take agentId out of its .figs/config.json and run figs init: that gives it an identity of its own; then link and push again."

// ofStore gives the conflicts of a store their words; nil for every other error. Clients print
// the sentence alone, so that the way out is in it.
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
		return conflict("agent_renamed", fmt.Sprintf("This agent is registered as %q and comes as %q; nothing was stored", short(renamed.Registered), short(renamed.Pushed)),
			"If it was renamed, run figs push --rename once. "+Copied)
	case errors.As(err, &bytes):
		return conflict("attachment_name_taken", fmt.Sprintf("The name %q is stored with other bytes already, and what people signed off must not change; the file was not stored", short(bytes.Name)),
			"Use a new name: save this version under another one, such as report-2.html, attach that in a new line, and put the former bytes back under the old name or take that file out of .figs/artifacts. Retrying will not help.")
	case errors.As(err, &taken):
		return conflict("name_taken", fmt.Sprintf("The %s %q belongs to another already", taken.What, short(taken.Name)), "Choose another one.")
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
