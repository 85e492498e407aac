// Package schema writes the rules about the shape of files as JSON Schema (2020-12), for editors. A schema sees one file, or
// one line of a ledger. What needs a whole folder is left to the rules themselves.
package schema

import (
	"bytes"
	"encoding/json"

	"github.com/figs-web/figs-web/figs"
)

// Names are what there are schemas of: the two small files, and a line of each ledger.
var Names = []string{"agent", "config", "runs", "asks", "messages"}

// object is a schema or a part of one.
type object = map[string]any

// Of returns the schema with a name, as indented JSON, or nil. It refuses what breaks a rule of severity error; a strict one
// also refuses what breaks a rule of severity warning.
func Of(name string, strict bool) []byte {
	build := map[string]func(builder) object{"agent": builder.agent, "config": builder.config, "runs": builder.run, "asks": builder.ask, "messages": builder.message}[name]
	if build == nil {
		return nil
	}
	s := build(builder(strict))
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["$id"] = "urn:figs-spec:2:" + name
	if strict {
		s["$id"] = "urn:figs-spec:2:" + name + ":strict"
	}
	s["type"] = "object"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(s) // maps of strings can be encoded
	return b.Bytes()
}

// builder makes schemas; true makes strict ones.
type builder bool

// warned is a part that only a strict schema has.
func (b builder) warned(s object) object {
	if b {
		return s
	}
	return object{}
}

// with returns a part with its description.
func with(about string, parts ...object) object {
	all := object{"description": about}
	for _, p := range parts {
		for key, value := range p {
			all[key] = value
		}
	}
	return all
}

// word is a value of a closed list.
func word(file figs.File, field string) object { return object{"enum": figs.Values(file, field)} }

// Patterns are written without \s, \d and a dot, which regular expressions of different languages read differently. Those
// with characters outside ASCII have the characters themselves.
const (
	spaces = "[ \\t\\n\\x0b\\f\\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*"
	// placeholder is a text that is wholly "<…>".
	placeholder = "^" + spaces + "<[^\\n\\r\u2028\u2029]*>" + spaces + "$"

	leapYear = "(?:(?:[02468][048]|[13579][26])00|[0-9]{2}(?:0[48]|[2468][048]|[13579][26]))"
	date     = "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|" + leapYear + "-02-29)"
	hour     = "(?:[01][0-9]|2[0-3])"
	instant  = "^" + date + "[Tt]" + hour + ":[0-5][0-9](?::(?:[0-5][0-9]|60)(?:[.,][0-9]+)?)?(?:[Zz]|[+-]" + hour + "(?::?[0-5][0-9])?)$"
	uuid     = "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"
	web      = "^[Hh][Tt][Tt][Pp][Ss]?://[^\\x00-\\x20]+$"
)

var (
	text  = object{"type": "string", "minLength": 1}
	texts = object{"type": "array", "items": object{"type": "string"}}
	falsy = []any{nil, false, 0, ""} // what counts as absent
	truth = object{"not": object{"enum": falsy}}
	when  = object{"type": "string", "pattern": instant}
)

// orAbsent is a part, or a value that counts as absent.
func orAbsent(s object) object { return object{"anyOf": []any{s, object{"enum": falsy}}} }

// orNull is a type, or null.
func orNull(kind string) object { return object{"type": []string{kind, "null"}} }

// prose is text that people read.
func (b builder) prose(about string) object { return with(about, b.warned(orNull("string"))) }

// pairs are labelled values.
func pairs(label string) object {
	return object{"type": "array", "items": object{
		"type": "object", "required": []string{label, "v"}, "properties": object{label: object{"type": "string"}, "v": object{"type": "string"}},
	}}
}

// listOrNull is a list, or null.
func listOrNull(list object) object { return object{"anyOf": []any{list, object{"type": "null"}}} }

func (b builder) session() object {
	tokens := object{"type": []string{"object", "null"}, "additionalProperties": object{"type": []string{"number", "null"}}}
	return with("Where the line came from, as the agent reports it: runtime, model, sessionId, startedAt, commit, trigger, tokens.",
		b.warned(object{"type": []string{"object", "null"}, "properties": object{"tokens": tokens}}))
}

func (b builder) attachments() object {
	return with("Names of files in artifacts/.", texts)
}

func (b builder) legacy(s object) object {
	return with("Of version 1. Use attachments.", s, object{"deprecated": true})
}

func (b builder) run() object {
	return object{
		"title":    "A line of runs.jsonl: a job, or a change to one",
		"required": []string{"id"},
		"properties": object{
			"id":          with("The job. A later line with the same id changes it.", text),
			"ts":          with("When, with an offset, as in 2026-11-20T16:05:00Z.", orAbsent(when)),
			"title":       b.prose("The job's headline. Default: its id."),
			"eventId":     b.prose("A unique id of the line."),
			"unit":        b.prose("The unit of the charter that the job is for."),
			"period":      b.prose("The period that the job is for."),
			"result":      b.prose("What is done so far, or the outcome."),
			"status":      with("The outcome. Default: ok.", word(figs.Runs, "status")),
			"state":       with("Whether the job still runs. Default: settled.", word(figs.Runs, "state")),
			"attachments": b.attachments(),
			"artifact":    b.legacy(object{"type": "string"}),
			"artifacts":   b.legacy(texts),
			"session":     b.session(),
		},
	}
}

func (b builder) ask() object {
	resolution := object{"type": "object", "properties": object{
		"note":   object{"description": "How it was closed, in words."},
		"chosen": object{"description": "The option that was chosen, word for word."},
		"run":    object{"description": "The id of the job that followed the reply."},
		"via":    with("figs: the agent acted on a reply. human: a person closed it elsewhere. self: the agent closed it.", b.warned(word(figs.Asks, "resolution.via"))),
		"answer": object{"description": "The id of the reply that was acted on."},
		"by":     object{"description": "Who closed it."},
		"ts":     with("When it was closed.", when),
	}}
	others := object{"type": []string{"null", "string"}}
	if !b {
		others = object{"not": object{"type": "object"}}
	}
	closed := object{"required": []string{"status"}, "properties": object{"status": object{"enum": figs.Values(figs.Asks, "status")[1:]}}}
	options := object{"type": "array", "items": object{"type": "string"}}
	if b {
		options["items"] = object{"type": "string", "maxLength": 80}
	}
	return object{
		"title":    "A line of asks.jsonl: a question or a sign-off, or a change to one",
		"required": []string{"id"},
		"properties": object{
			"id":          with("The ask. A later line with the same id changes it.", text),
			"ts":          with("When, with an offset, as in 2026-11-20T16:05:00Z.", orAbsent(when)),
			"type":        with("A question needs an answer, a sign-off needs a verdict.", orAbsent(word(figs.Asks, "type"))),
			"status":      with("Default: open.", word(figs.Asks, "status")),
			"to":          with("Who is asked. Without it, manager and builder.", word(figs.Asks, "to")),
			"title":       b.prose("The question in one line."),
			"unit":        b.prose("The unit of the charter that the ask is about."),
			"run":         b.prose("The id of the job that asks."),
			"found":       b.prose("What the agent found."),
			"need":        b.prose("What the agent needs."),
			"options":     with("Answers to choose from, of at most 80 characters.", options),
			"onApprove":   with("Of a sign-off: the steps that an approval authorizes, in order.", texts),
			"details":     with("Labelled values: {\"l\": label, \"v\": value}.", pairs("l")),
			"attachments": b.attachments(),
			"artifact":    b.legacy(object{"type": "string"}),
			"artifacts":   b.legacy(texts),
			"refs":        b.legacy(object{"type": "array", "items": object{"type": "object", "required": []string{"label"}, "properties": object{"label": object{"type": "string"}}}}),
			"resolution":  object{"description": "How the ask was closed: a note, or an object with note, chosen, run, via, answer, by and ts."},
			"session":     b.session(),
		},
		"allOf": []any{
			object{
				"if":   object{"required": []string{"type"}, "properties": object{"type": object{"const": "question"}}},
				"then": object{"properties": object{"onApprove": false}},
			},
			// The resolution of an open ask counts for nothing.
			object{"if": closed, "then": object{"properties": object{"resolution": object{"anyOf": []any{resolution, others}}}}},
		},
	}
}

func (b builder) message() object {
	kinds := figs.Values(figs.Messages, "kind")
	given := func(field string) object {
		return object{"required": []string{field}, "properties": object{field: truth}}
	}
	is := func(kind string) object {
		return object{"required": []string{"kind"}, "properties": object{"kind": object{"const": kind}}}
	}
	return object{
		"title":    "A line of messages.jsonl: a person's reply",
		"required": []string{"id", "kind", "ask", "ts", "by"},
		"properties": object{
			"id":      with("The reply. It never changes.", text),
			"kind":    with("An answer to a question, or a verdict on a sign-off.", word(figs.Messages, "kind")),
			"ask":     with("The id of the ask.", text),
			"ts":      with("When, with an offset, as in 2026-11-20T16:05:00Z.", when),
			"by":      with("Who replied.", truth, b.warned(text)),
			"source":  with("Where the reply was given.", word(figs.Messages, "source")),
			"chosen":  b.prose("The option that was chosen, word for word."),
			"text":    b.prose("The answer or the remarks, in words."),
			"verdict": with("Of a verdict.", word(figs.Messages, "verdict")),
			"session": b.session(),
		},
		"allOf": []any{
			object{"if": is(kinds[0]), "then": object{"anyOf": []any{given("chosen"), given("text")}}},
			object{"if": is(kinds[1]), "then": object{"required": []string{"verdict"}}},
		},
	}
}

func (b builder) agent() object {
	unit := with("A part of the agent's work.", b.warned(object{
		"type": "object", "required": []string{"id", "name"},
		"properties": object{"id": text, "name": text, "stats": listOrNull(pairs("l"))},
	}))
	s := object{
		"title":    "agent.json: who the agent is",
		"required": []string{"name"},
		"properties": object{
			"name":             with("The name that people use for the agent.", text),
			"key":              object{"description": "A short name for addresses. Default: made from the name."},
			"avatar":           with("The seed of the agent's picture: {\"seed\": text}.", b.warned(orNull("object"))),
			"role":             object{"description": "What the agent does, in a few words."},
			"status":           object{"description": "The agent's own word for its state, such as in_dev or active."},
			"org":              with("Where the agent belongs: {\"department\": name}.", b.warned(orNull("object"))),
			"runtime":          object{"description": "What runs the agent."},
			"cadence":          object{"description": "How often the agent works."},
			"mandate":          object{"description": "What the agent may do, and what it must not."},
			"steps":            with("What the agent does, in order.", b.warned(listOrNull(texts))),
			"responsibilities": with("What the agent is responsible for.", b.warned(listOrNull(texts))),
			"properties":       with("Labelled values: {\"k\": label, \"v\": value}.", b.warned(listOrNull(pairs("k")))),
			"units":            with("The parts of the agent's work.", b.warned(listOrNull(object{"type": "array", "items": unit}))),
		},
		"$defs": object{"filledIn": object{
			"description":          "No value is a placeholder of the template, such as <name>.",
			"not":                  object{"type": "string", "pattern": placeholder},
			"items":                object{"$ref": "#/$defs/filledIn"},
			"additionalProperties": object{"$ref": "#/$defs/filledIn"},
		}},
		"allOf": []any{object{"$ref": "#/$defs/filledIn"}},
	}
	if b {
		s["not"] = object{"required": []string{"steps", "responsibilities"}, "properties": object{"steps": truth, "responsibilities": truth}}
	}
	return s
}

func (b builder) config() object {
	return object{
		"title":    "config.json: which agent this folder belongs to",
		"required": []string{"agentId"},
		"properties": object{
			"agentId":     with("The agent's id, a UUID.", object{"type": "string", "pattern": uuid}),
			"workspaceId": with("The workspace that the agent pushes to, a UUID.", b.warned(orAbsent(object{"type": "string", "pattern": uuid}))),
			"endpoint":    with("The server that the agent pushes to.", b.warned(orAbsent(object{"type": "string", "pattern": web}))),
		},
	}
}
