package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// Field is one member of a record: its key and its value as the agent wrote it.
type Field struct {
	Key   string
	Value jsonl.Value
}

// Object is a record as fields in the order of first appearance. Unknown fields are kept:
// additive versions of the protocol are legal (§3).
type Object []Field

// Pair is a labelled value: details {l,v}, properties {k,v}, stats {l,v}.
type Pair struct{ Label, Value string }

// Tokens are totals of a whole session when it reported; -1 means unknown, never 0.
type Tokens struct{ Input, Output, CacheRead, CacheWrite int64 }

// Session says where a line came from; every part is optional and self-reported (§3).
type Session struct {
	Runtime, Model, SessionID, StartedAt, Commit, Trigger string
	Tokens                                                Tokens
	Extra                                                 Object // fields the spec does not name
}

// Run is a job: one line of runs.jsonl, or the fold of all lines with its id.
type Run struct {
	ID, TS, Title, EventID, Unit, Period, Result string
	Status                                       string // "ok", "warn", "fail"; as written when it is none of them, "" only when there is none
	State                                        string // "in-flight", "settled"; as written when it is none of them
	Attachments                                  []string
	Session                                      *Session
	Extra                                        Object
}

// Headline returns what a page calls the job: its title, else its id (§3).
func (r *Run) Headline() string {
	if r.Title != "" {
		return r.Title
	}
	return r.ID
}

// Ask is a handoff to a human: one line of asks.jsonl, or the fold of its lines.
type Ask struct {
	ID, TS, Type, Status, To, Title, Unit, Run, Found, Need string
	Options, OnApprove                                      []string
	Details                                                 []Pair
	Attachments                                             []string
	Resolution                                              *Resolution
	Session                                                 *Session
	Extra                                                   Object
}

// Resolution says how an ask was closed; a bare string reads as {note} (§3).
type Resolution struct {
	Note, Chosen, Run, Via, Answer, By, TS string
	Extra                                  Object
}

// Message is one reply of a human: an immutable event of messages.jsonl (§3).
type Message struct {
	ID, Kind, Ask, By, TS, Source, Chosen, Text, Verdict string
	Session                                              *Session
	Extra                                                Object
}

// Unit is a part of the agent's work that it names in its charter.
type Unit struct {
	ID, Name, Subtitle, Status, Period, Detail string
	Stats                                      []Pair
	Extra                                      Object
}

// Charter is agent.json: who the agent is (§3).
type Charter struct {
	ID, Name, Key, AvatarSeed, Role, Status, Department, Runtime, Cadence, Mandate string
	Steps, Responsibilities                                                        []string
	Properties                                                                     []Pair
	Units                                                                          []Unit
	Extra                                                                          Object
}

// Config is config.json: identity and, once linked, destination (§2).
type Config struct {
	AgentID, Endpoint, WorkspaceID string
	Extra                          Object
}

// Linked reports whether the agent publishes to a workspace (§2).
func (c *Config) Linked() bool { return c.WorkspaceID != "" }
