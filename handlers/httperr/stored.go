package httperr

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"

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
	conflict := func(code, title, hint string, args ...any) *Problem {
		return &Problem{Status: http.StatusConflict, Code: code, Title: title, Hint: hint, Args: args, Cause: err}
	}
	switch {
	case errors.As(err, &moved):
		return conflict("agent_moved", "This agent is registered in another workspace; nothing was stored", Copied)
	case errors.As(err, &renamed):
		return conflict("agent_renamed", "This agent is registered as {0}, but the push calls it {1}; nothing was stored",
			"If it was renamed, run figs push --rename once. "+Copied, quoted(renamed.Registered), quoted(renamed.Pushed))
	case errors.As(err, &bytes):
		return conflict("attachment_name_taken", "A different file named {0} is already stored, and signed-off content must not change; the file was not stored",
			"Save this version under a new name, such as report-2.html, and attach that in a new line; then restore the old file or remove it from .figs/artifacts. Retrying will not help.", quoted(bytes.Name))
	case errors.As(err, &taken):
		return conflict("name_taken", cmp.Or(takenTitles[taken.What], "The name {0} is already taken"), "Choose another one.", quoted(taken.Name))
	}
	return nil
}

// takenTitles are the titles of a *store.TakenError by what is taken.
var takenTitles = map[string]string{
	"draft": "The draft {0} is already taken", "e-mail address": "The email address {0} is already taken", "device code": "The device code {0} is already taken",
	"identity": "The identity {0} is already taken", "passkey": "The passkey {0} is already taken", "workspace address": "The workspace address {0} is already taken",
	"membership": "The membership {0} is already taken", "form": "The form {0} is already taken", "reply id": "The reply id {0} is already taken",
}

// quoted is a name in quotes for a sentence, cut when it is long.
func quoted(name string) string {
	const most = 80
	if runes := []rune(name); len(runes) > most {
		name = string(runes[:most]) + "…"
	}
	return strconv.Quote(name)
}
