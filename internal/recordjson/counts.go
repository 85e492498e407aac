package recordjson

import "github.com/figs-web/figs-web/internal/journal"

// Counts are the sizes of an agent's journal.
type Counts struct {
	Jobs     int `json:"jobs"`
	InFlight int `json:"in_flight"`
	Failed   int `json:"failed"`
	Warned   int `json:"warned"`
	Unknown  int `json:"unknown" jsonschema:"jobs with a status that the protocol does not define"`
	Asks     int `json:"asks"`
	Needs    int `json:"needs" jsonschema:"asks that need a person"`
	Waiting  int `json:"waiting" jsonschema:"asks that wait for the agent"`
	Closed   int `json:"closed"`
	Messages int `json:"messages"`
	Files    int `json:"files"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Refused  int `json:"refused" jsonschema:"records that a server refused"`
}

// NewCounts converts the counts of an agent. Refused, which only a server knows, stays 0.
func NewCounts(c *journal.Counts) Counts {
	return Counts{Jobs: c.Jobs, InFlight: c.InFlight, Failed: c.Failed, Warned: c.Warned, Unknown: c.Unknown,
		Asks: c.Asks, Needs: c.NeedsYou, Waiting: c.Waiting, Closed: c.Closed, Messages: c.Messages, Files: c.Files,
		Errors: c.Errors, Warnings: c.Warnings, Infos: c.Infos}
}
