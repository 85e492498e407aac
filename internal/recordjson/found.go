package recordjson

import (
	"strings"

	"github.com/figs-web/figs-web/internal/journal"
)

// Found is a result of a search.
type Found struct {
	Agent  string `json:"agent" jsonschema:"its name"`
	Folder string `json:"folder" jsonschema:"its path"`
	Kind   string `json:"kind" jsonschema:"job, ask, message or file"`
	Number string `json:"number" jsonschema:"key of the record or file"`
	ID     string `json:"id,omitempty" jsonschema:"id of the record, as the agent wrote it"`
	Title  string `json:"title"`
	TS     string `json:"ts,omitempty" jsonschema:"as the agent wrote it"`
	Text   string `json:"text" jsonschema:"part of the text around the first match"`
}

// NewFound converts a result of a search of one agent.
func NewFound(a *journal.Agent, h *journal.Hit) Found {
	kind, number, _ := strings.Cut(h.Owner, "/")
	x := &h.Excerpt
	return Found{Agent: a.DisplayName(), Folder: a.Path, Kind: strings.TrimSuffix(kind, "s"), Number: number, ID: h.ID, Title: h.Title, TS: h.Position.TS,
		Text: string(x.Before) + string(x.Marked) + string(x.After)}
}
