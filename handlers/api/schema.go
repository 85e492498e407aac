package api

import (
	"github.com/figs-web/figs-web/internal/feed"
	"github.com/figs-web/figs-web/internal/remark"
	"github.com/figs-web/figs-web/internal/store"
)

// field is a property of an object; all are always there unless optional.
type field struct {
	name     string
	schema   object
	optional bool
}

// shape is an object with these properties and no others.
func shape(about string, fields ...field) object {
	properties, required := object{}, []string{}
	for _, f := range fields {
		properties[f.name] = f.schema
		if !f.optional {
			required = append(required, f.name)
		}
	}
	return object{"type": "object", "description": about, "properties": properties, "required": required, "additionalProperties": false}
}

func f(name string, schema object) field { return field{name, schema, false} }

func maybe(name string, schema object) field { return field{name, schema, true} }

func ref(name string) object { return object{"$ref": "#/components/schemas/" + name} }

func listed(items object) object { return object{"type": "array", "items": items} }

// orNull is a value that may be unknown.
func orNull(schema object) object {
	return object{"anyOf": []any{schema, object{"type": "null"}}}
}

func kind(kind, about string) object { return object{"type": kind, "description": about} }

func text(about string) object { return kind("string", about) }

func textOrNull(about string) object {
	return object{"type": []string{"string", "null"}, "description": about}
}

func number(about string) object {
	return object{"type": "integer", "minimum": 0, "description": about}
}

func flag(about string) object { return kind("boolean", about) }

func oneOf[S ~string](about string, words ...S) object {
	return object{"type": "string", "enum": words, "description": about}
}

func instant(about string) object {
	return object{"type": []string{"string", "null"}, "format": "date-time", "description": about + " Null when it is not known."}
}

// pages are the properties of a part of a list whose length is known, parted those of one whose
// length nobody counts.
func pages(items object, more ...field) []field {
	return append([]field{f("items", listed(items)), f("from", number("How many items come before these, if that is known; else 0.")), f("total", number("Length of the whole list after its filters.")),
		maybe("atLeast", flag("The list has total items or more; they weren't all counted.")), f("next", textOrNull("URL of the next page; null on the last page."))}, more...)
}

func parted(items object, more ...field) []field {
	return append([]field{f("items", listed(items)), f("from", number("Always 0.")), f("more", flag("There are items after these.")),
		f("next", textOrNull("URL of the next page; null on the last page."))}, more...)
}

var (
	key     = text("Its key in URLs.")
	page    = text("URL of its page.")
	written = object{"type": []string{"object", "null"}, "description": "The record as the agent wrote it, all lines folded; the fields are those of figs-spec v2 and any others that it has."}
	ts      = textOrNull("Its timestamp, as written by the agent.")
	pusher  = orNull(ref("Person"))
)

var nameFields = []field{f("key", key), f("id", text("The agent's id.")), f("name", text("Its name.")), f("role", textOrNull("Its role, as its charter says.")),
	f("department", textOrNull("Its department, as its charter says.")), f("status", textOrNull("Its status, as its charter says."))}

var agentFields = join(nameFields, f("page", page), f("counts", ref("Counts")), f("oldest_need", instant("When its oldest open ask began to need a human.")),
	f("last_ts", textOrNull("Time of its newest line, as written.")), f("registered", instant("When it was first pushed.")), f("pushed", instant("When a push last changed something.")),
	f("pushed_by", pusher), f("manager", pusher), f("builder", pusher), f("archived", object{"type": []string{"string", "null"}, "format": "date-time", "description": "When it was archived; null if it isn't."}))

// gone is what stays where an owner erased something.
func gone(what string) field {
	return f("erased", orNull(object{"$ref": "#/components/schemas/Erased", "description": what + " was erased; null if it wasn't."}))
}

var fileFields = []field{f("key", key), f("name", text("Its name.")), f("page", page), f("size", object{"type": []string{"integer", "null"}, "description": "Size in bytes; null if it wasn't uploaded or was erased."}), f("sha256", textOrNull("The hash of its bytes, in hex; null likewise.")),
	f("mentions", listed(shape("A version of a record that attaches it.", f("file", text("The ledger.")), f("ts", ts)))),
	f("owner", orNull(shape("The first record that attaches it.", f("kind", oneOf("What it is.", "job", "ask")), f("key", key), f("title", text("Its title.")))))}

var jobFields = []field{f("key", key), f("id", text("The job's id.")), f("page", page), f("title", text("Its title, or its id if it has none.")),
	f("outcome", oneOf("in-flight while the job is running, otherwise the status it settled with.", jobStates...)), f("ts", ts), f("versions", number("How many versions its trail has.")), f("record", written)}

var askFields = []field{f("key", key), f("id", text("The ask's id.")), f("page", page), f("title", text("Its title, or its id if it has none.")), f("type", textOrNull("question or sign-off.")),
	f("to", textOrNull("manager or builder; null means both.")), f("job", textOrNull("Key of the job it belongs to.")), f("ts", ts), f("state", ref("State")),
	f("asked_of", object{"type": "array", "items": ref("Person"), "description": "Who is asked now: to reply, or where state.reported is true to confirm or contradict the reply. It is in their inboxes, and they may reply. Empty for an archived agent, and with the key at."}),
	f("versions", number("How many versions its trail has.")), f("record", written)}

// schemas are the shapes of all answers.
var schemas = object{
	"Error": object{"type": "object", "required": []string{"error"}, "properties": object{
		"error": text("A sentence that says what happened and what to do."), "code": text("An error code for programs, in snake_case.")}},
	"Person": shape("A person in the workspace.", f("id", text("The person's id.")), f("name", text("The person's name."))),
	"Workspace": shape("A workspace.", f("id", text("Its id.")), f("slug", text("Its name in URLs.")), f("name", text("Its name.")),
		f("role", oneOf("Your role.", store.Roles()...)), f("seq", number("Increases by one with every change."))),
	"Workspaces": shape("Your workspaces.", pages(ref("Workspace"))...),
	"Name":       shape("A short description of an agent.", nameFields...),
	"Counts": shape("Sizes of an agent's journal.", f("jobs", number("Jobs.")), f("in_flight", number("Running jobs (in-flight).")), f("failed", number("Jobs that settled as fail.")), f("warned", number("Jobs that settled as warn.")),
		f("unknown", number("Jobs that settled with an unknown status.")), f("asks", number("Asks.")), f("needs", number("Asks that need a human.")), f("waiting", number("Asks that wait for the agent.")),
		f("closed", number("Closed asks.")), f("messages", number("Replies.")), f("files", number("Attachments.")), f("errors", number("Errors in the last push.")), f("warnings", number("Warnings in it.")),
		f("infos", number("Notes on it.")), f("refused", number("Records that couldn't be delivered and are still missing."))),
	"Agent":  shape("An agent.", agentFields...),
	"Agents": shape("The agents.", pages(ref("Agent"))...),
	"AgentAlone": shape("An agent with its charter.", join(agentFields, maybe("charter",
		object{"type": []string{"object", "null"}, "description": "agent.json as it was pushed last."}))...),
	"Job":  shape("A job.", jobFields...),
	"Jobs": shape("Jobs.", pages(ref("Job"))...),
	"JobAlone": shape("A job with its trail and asks.", join(jobFields, gone("Its text"), f("trail", listed(ref("Moment"))), f("asks", listed(ref("Ask"))),
		f("findings", listed(ref("Finding"))))...),
	"State": shape("The state of an ask.", f("phase", oneOf("The phase, as in figs-spec §6.", "needs_you", "replied", "being_revised", "declined", "resolved", "withdrawn", "rejected")),
		f("tab", oneOf("The inbox tab it is in.", tabs...)), f("round", number("How often it was raised.")),
		f("reported", flag("The reply that determines this was reported by the agent (transcribed) and isn't verified.")), f("since", instant("When the current round began."))),
	"Ask":  shape("An ask.", askFields...),
	"Asks": shape("Asks.", pages(ref("Ask"))...),
	"AskAlone": shape("An ask with its thread and attachments.", join(askFields, gone("Its text"), f("reply", orNull(object{"$ref": "#/components/schemas/Message", "description": "The reply that determines its state, or that its close cites; null when there is none. A decision appears once it takes effect."})), f("files", listed(ref("File"))), f("earlier_files", listed(ref("File"))), f("trail", listed(ref("Moment"))),
		f("thread", listed(ref("Message"))), f("findings", listed(ref("Finding"))))...),
	"Moment": shape("One version of a record.", f("ts", ts), f("at", instant("That time, or when it arrived if there is none.")), f("received", instant("When it arrived.")), f("pushed_by", pusher),
		maybe("round", number("Of an ask: the round that it belongs to.")), f("changed", listed(text("A key that it set or changed."))), f("files", listed(ref("File"))),
		f("lines", number("How many versions this entry represents; more than one in the middle of a very long trail.")), f("line", written)),
	"Message": shape("A reply.", f("key", key), f("id", text("The reply's id.")), f("ask", textOrNull("Key of its ask; null when there is none.")), f("ask_title", textOrNull("The ask's title.")),
		f("round", object{"type": []string{"integer", "null"}, "description": "Round of the ask that it belongs to."}), f("earlier", flag("It is older than the newest change of its ask.")),
		f("verified", flag("This server recorded it for a signed-in person; otherwise the agent reported it (transcribed).")), f("at", instant("Its time, or when it arrived if there is none.")), f("pushed_by", pusher),
		f("delivery", orNull(shape("Delivery of a verified reply; null outside the thread of an ask.", f("recorded", instant("When it was given.")), f("handed", instant("When a sync first handed it out.")),
			f("confirmed", instant("When its id was in a push.")), f("closed", instant("When the close that cites it arrived."))))), gone("Its text"),
		maybe("summary", text("Of a text with remarks: what it says on the whole.")), maybe("resolved", listed(number("Number of a remark of the previous round that the person calls resolved."))),
		maybe("remarks", listed(ref("Remark"))), f("record", written)),
	"Remark": shape("What a person says about one place of what they reviewed. It is read from the text of a reply; fields that don't apply are left out.", f("number", number("Its number in the reply, from 1.")),
		f("kind", oneOf("What it is about: a passage of an attachment, a rectangle of an image, an attachment as a whole, a step of a sign-off, or the ask's own text.", remark.Passage, remark.Area, remark.File, remark.Step, remark.Request)),
		maybe("file", text("Name of the attachment.")), maybe("sha256", text("The hash of its bytes, in hex.")),
		maybe("line", number("First line of the passage in the attachment's source, from 1; left out if only its plain text has the passage.")), maybe("toLine", number("Last line.")),
		maybe("path", text("Path of the value in a JSON file, as in $.totals[2].amount.")), maybe("nth", number("Which of equal passages, from 1.")), maybe("of", number("How many equal passages there are.")),
		maybe("before", text("Up to 32 characters before the passage.")), maybe("quote", text("The passage.")), maybe("after", text("Up to 32 characters after it.")),
		maybe("area", shape("A rectangle in pixels of the image's natural size.", f("x", number("Distance from the left.")), f("y", number("Distance from the top.")), f("width", number("Width.")), f("height", number("Height.")))),
		maybe("step", number("Number of the step, from 1.")), maybe("text", text("What the person says.")), maybe("suggestion", text("What the passage should be instead; an empty text asks to delete it."))),
	"Messages":  shape("Replies.", pages(ref("Message"))...),
	"File":      shape("An attachment.", fileFields...),
	"FileAlone": shape("An attachment, and what remains of it if it was erased.", join(fileFields, gone("Its content"))...),
	"Erased": shape("What remains of a text or file that was permanently erased.", f("at", instant("When it was erased.")), f("by", orNull(object{"$ref": "#/components/schemas/Person", "description": "Who erased it; null if a server operator did."})),
		f("why", text("The reason that person gave.")), f("sha256", textOrNull("The hash of the bytes, or of the record as it was folded, in hex.")),
		f("came_again", object{"type": []string{"string", "null"}, "format": "date-time", "description": "When the attachment was last uploaded again and discarded; null if it wasn't."})),
	"Draft": shape("Your draft of a reply to an ask.", f("key", key), f("id", text("Its id, which changes whenever the draft does.")), f("page", page), f("created", instant("When it was saved.")),
		f("stale", flag("The ask has changed since.")), f("by", ref("Person")), f("token", flag("A program wrote it with a token; otherwise the person typed it.")),
		f("record", shape("Its content. Fields that aren't set are missing.", maybe("verdict", text("Its verdict on a sign-off.")), maybe("chosen", text("The option.")), maybe("text", text("The answer or the note."))))),
	"Drafts": shape("Drafts.", pages(ref("Draft"))...),
	"Token": shape("A token.", f("key", key), f("id", text("Its id.")), f("name", text("The name that the person gave it.")), f("created", instant("When it was made.")), f("used", instant("When it was last used, to the minute.")),
		f("address", textOrNull("IP address of the last use.")), f("scope", oneOf("push: may also push, save drafts and send feedback; read: may only read.", store.ScopePush, store.ScopeRead)),
		f("expires", instant("When it expires.")), f("current", flag("It is the token of this request."))),
	"Tokens":  shape("Tokens.", pages(ref("Token"))...),
	"Created": shape("What was created.", f("id", text("Its id.")), f("path", text("Its URL on this server.")), f("status", oneOf("Its status.", "created"))),
	"Files":   shape("Attachments.", pages(ref("File"))...),
	"Finding": object{"type": "object", "description": "A finding, as `figs-web doctor --json` writes it.", "required": []string{"code", "severity", "file", "line", "column", "message"}, "properties": object{
		"code": text("The rule."), "severity": oneOf("Its severity.", "error", "warning", "info"), "file": text("The file."), "line": number("The line."), "column": number("The column."), "message": text("What is wrong.")}},
	"Findings": shape("Findings.", pages(ref("Finding"), f("now", textOrNull("When it was checked.")), f("errors", number("In the whole report.")), f("warnings", number("Likewise.")), f("infos", number("Likewise.")),
		f("rules", listed(shape("How many findings a rule has.", f("code", text("The rule.")), f("count", number("How many."))))))...),
	"Refusal": shape("A record that a push didn't deliver.", f("kind", oneOf("What it is.", "run", "ask", "message")), f("id", textOrNull("Its id.")), f("reason", text("Why, for programs.")),
		f("sentence", text("Why, and what to do.")), f("at", instant("When it came.")), f("pushed_by", pusher)),
	"Refusals": shape("Refusals.", pages(ref("Refusal"))...),
	"InboxItem": shape("An ask in the inbox.", f("agent", ref("Name")), f("ask", ref("Ask")), f("since", instant("When it began to need a human.")), f("blocks", flag("The job it belongs to is running.")),
		f("job_title", textOrNull("Title of that job.")), f("mine", flag("It needs you.")),
		f("pending", flag("Someone has decided it and can still undo that."))),
	"Events": shape("What happened.", f("items", listed(ref("Event"))), f("cursor", text("Where to continue: after of a later request.")),
		f("more", flag("There are events after these.")), f("skipped", flag("More changed since after than is listed: earlier events are missing."))),
	"Event": shape("A line of a job or an ask, or a reply.", f("ts", text("Its timestamp, as written; empty if it has none.")), maybe("received", text("When it arrived.")), f("agent", key), maybe("name", text("Name of the agent.")),
		f("kind", oneOf("What happened.", feed.Kinds()...)), maybe("job", text("Id of the job.")), maybe("ask", text("Id of the ask.")), maybe("title", text("Title of the job or ask at that point.")),
		maybe("text", text("A job's result, what an ask needs, the note of a close, or a reply's text.")), maybe("by", text("Who replied.")), maybe("verified", flag("A signed-in person gave the reply on this server.")),
		f("sentence", text("All of this in a sentence.")), f("cursor", text("The place after this event, for after. Events of one push have the same."))),
	"Inbox": shape("A page of the inbox.", parted(ref("InboxItem"), f("needs", number("Length of the tab of asks that need a human, with the same filters.")),
		f("reported", number("Length of the tab of reported replies that aren't confirmed.")), f("snoozed", number("How many asks you have snoozed.")), f("oldest", instant("When the oldest of them began to wait.")),
		f("departments", listed(text("A department to filter by."))), f("agents", listed(ref("Name"))))...),
	"Found": shape("Search results.", parted(shape("One token.", f("agent", ref("Name")), f("kind", oneOf("What it is.", "job", "ask", "message", "file")), f("key", key),
		f("page", textOrNull("URL of its page.")), f("title", text("Its title on pages.")), f("ts", ts), f("before", text("The text before the first word that matched.")),
		f("marked", text("That word.")), f("after", text("The text after it."))))...),
	"Activity": shape("What happened in a period.", f("first", text("Its first day.")),
		f("days", listed(shape("What a day had.", f("ok", number("Jobs that settled as ok.")), f("warn", number("As warn.")), f("fail", number("As fail.")), f("unknown", number("With an unknown status.")),
			f("raised", number("Asks raised.")), f("replied", number("Replies given."))))),
		f("answers", shape("How long first replies took.", f("count", number("How many.")), f("seconds", listed(kind("number", "From the raise to the first reply; ascending."))))),
		f("hours", listed(listed(number("Lines by weekday, Monday first, and hour.")))), f("waits", listed(ref("InboxItem"))), f("jobs", number("Settled in the period.")),
		f("tokens", shape("Tokens used, for jobs that report them.", f("known", object{"type": []string{"integer", "null"}, "description": "Their sum; null if no job reports any."}), f("jobs", number("How many jobs report tokens.")))),
		f("year", orNull(shape("Lines by day in about a year.", f("first", text("Its first day, a Monday.")),
			f("days", listed(shape("Lines of a day.", f("jobs", number("Of jobs.")), f("asks", number("Of asks.")), f("replies", number("Replies."))))),
			f("timeless", number("Lines without a time."))))),
		f("agents", listed(ref("Name")))),
}

func join(fields []field, more ...field) []field {
	return append(append([]field{}, fields...), more...)
}
