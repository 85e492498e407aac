package api

import "github.com/figs-web/figs-web/internal/store"

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
	return append([]field{f("items", listed(items)), f("from", number("How many items were skipped.")), f("total", number("Length of the whole list after its filters.")),
		f("next", textOrNull("Address of the next part; null at the end."))}, more...)
}

func parted(items object, more ...field) []field {
	return append([]field{f("items", listed(items)), f("from", number("How many items were skipped.")), f("more", flag("There are items after these.")),
		f("next", textOrNull("Address of the next part; null at the end."))}, more...)
}

var (
	key     = text("How addresses name it.")
	page    = text("Where people read of it.")
	written = object{"type": []string{"object", "null"}, "description": "The record as the agent wrote it, all lines folded; the fields are those of figs-spec v2 and any others that it has."}
	ts      = textOrNull("Its time as the agent wrote it.")
	pusher  = orNull(ref("Person"))
)

var nameFields = []field{f("key", key), f("id", text("The agent's id.")), f("name", text("Its name.")), f("role", textOrNull("Its role, as its charter says.")),
	f("department", textOrNull("Its department, as its charter says.")), f("status", textOrNull("Its status, as its charter says."))}

var agentFields = join(nameFields, f("page", page), f("counts", ref("Counts")), f("oldest_need", instant("Since when its oldest open ask has needed a human.")),
	f("last_ts", textOrNull("Time of its newest line, as written.")), f("registered", instant("When its first push came.")), f("pushed", instant("When the last push came that changed something.")),
	f("pushed_by", pusher), f("manager", pusher), f("builder", pusher), f("archived", object{"type": []string{"string", "null"}, "format": "date-time", "description": "Since when it is archived; null: it is not."}))

// gone is what stays where an owner erased something.
func gone(what string) field {
	return f("erased", orNull(object{"$ref": "#/components/schemas/Erased", "description": what + " was erased; null: it was not."}))
}

var fileFields = []field{f("key", key), f("name", text("Its name.")), f("page", page), f("size", object{"type": []string{"integer", "null"}, "description": "Bytes; null when it was not uploaded, or was erased."}), f("sha256", textOrNull("The hash of its bytes, in hex; null likewise.")),
	f("mentions", listed(shape("A version that attaches it.", f("file", text("The ledger.")), f("ts", ts)))),
	f("owner", orNull(shape("The first record that attaches it.", f("kind", oneOf("What it is.", "job", "ask")), f("key", key), f("title", text("Its title.")))))}

var jobFields = []field{f("key", key), f("id", text("The job's id.")), f("page", page), f("title", text("Its title, else its id.")),
	f("outcome", oneOf("In flight, or as what it settled.", jobStates...)), f("ts", ts), f("versions", number("How many versions its trail has.")), f("record", written)}

var askFields = []field{f("key", key), f("id", text("The ask's id.")), f("page", page), f("title", text("Its title, else its id.")), f("type", textOrNull("question or sign-off.")),
	f("to", textOrNull("manager or builder; null is both.")), f("job", textOrNull("Key of the job that it names.")), f("ts", ts), f("state", ref("State")),
	f("asked_of", object{"type": "array", "items": ref("Person"), "description": "Who is asked now: to reply, or where state.reported is true to confirm or contradict the reply. It is in their inboxes, and they may reply. Empty for an archived agent, and with the key at."}),
	f("versions", number("How many versions its trail has.")), f("record", written)}

// schemas are the shapes of all answers.
var schemas = object{
	"Error": object{"type": "object", "required": []string{"error"}, "properties": object{
		"error": text("A sentence that says what happened and what to do."), "code": text("The same for programs, in snake_case.")}},
	"Person": shape("Somebody of the workspace.", f("id", text("The person's id.")), f("name", text("The person's name."))),
	"Workspace": shape("A workspace.", f("id", text("Its id.")), f("slug", text("Its name in addresses.")), f("name", text("Its name.")),
		f("role", oneOf("What you are there.", store.Roles()...)), f("seq", number("Rises by one with every change of what it holds."))),
	"Workspaces": shape("Your workspaces.", pages(ref("Workspace"))...),
	"Name":       shape("An agent in a few words.", nameFields...),
	"Counts": shape("Sizes of an agent's journal.", f("jobs", number("Jobs.")), f("in_flight", number("Jobs in flight.")), f("failed", number("Jobs that settled as fail.")), f("warned", number("Jobs that settled as warn.")),
		f("unknown", number("Jobs that settled with a status that is none.")), f("asks", number("Asks.")), f("needs", number("Asks that need a human.")), f("waiting", number("Asks that wait for the agent.")),
		f("closed", number("Closed asks.")), f("messages", number("Replies.")), f("files", number("Attachments.")), f("errors", number("Errors in the last push.")), f("warnings", number("Warnings in it.")),
		f("infos", number("Notes on it.")), f("refused", number("Records that could not be brought and still cannot."))),
	"Agent":  shape("An agent.", agentFields...),
	"Agents": shape("The agents.", pages(ref("Agent"))...),
	"AgentAlone": shape("An agent with its charter.", join(agentFields, maybe("charter",
		object{"type": []string{"object", "null"}, "description": "agent.json as it was pushed last."}))...),
	"Job":  shape("A job.", jobFields...),
	"Jobs": shape("Jobs.", pages(ref("Job"))...),
	"JobAlone": shape("A job with what belongs to it.", join(jobFields, gone("Its text"), f("trail", listed(ref("Moment"))), f("asks", listed(ref("Ask"))),
		f("findings", listed(ref("Finding"))))...),
	"State": shape("Where an ask stands.", f("phase", oneOf("The word of figs-spec §6.", "needs_you", "replied", "being_revised", "declined", "resolved", "withdrawn", "rejected")),
		f("tab", oneOf("The part of the inbox that it is in.", tabs...)), f("round", number("How often it was put to a human.")),
		f("reported", flag("The reply that decides this is only transcribed by the agent: nothing confirms it.")), f("since", instant("When the present round began."))),
	"Ask":  shape("An ask.", askFields...),
	"Asks": shape("Asks.", pages(ref("Ask"))...),
	"AskAlone": shape("An ask with what belongs to it.", join(askFields, gone("Its text"), f("reply", orNull(object{"$ref": "#/components/schemas/Message", "description": "The reply of the thread that decides where it stands, or that its close cites; null when there is none. A decision is there once it counts."})), f("files", listed(ref("File"))), f("earlier_files", listed(ref("File"))), f("trail", listed(ref("Moment"))),
		f("thread", listed(ref("Message"))), f("findings", listed(ref("Finding"))))...),
	"Moment": shape("One version of a record.", f("ts", ts), f("at", instant("That time, else when it arrived.")), f("received", instant("When it arrived.")), f("pushed_by", pusher),
		maybe("round", number("Of an ask: the round that it belongs to.")), f("changed", listed(text("Keys that it set or changed."))), f("files", listed(ref("File"))),
		f("lines", number("How many versions this stands for; more than one in the middle of a very long trail.")), f("line", written)),
	"Message": shape("A reply.", f("key", key), f("id", text("The reply's id.")), f("ask", textOrNull("Key of its ask; null when there is none.")), f("ask_title", textOrNull("The ask's title.")),
		f("round", object{"type": []string{"integer", "null"}, "description": "Round of the ask that it belongs to."}), f("earlier", flag("It was given before the newest change of its ask.")),
		f("verified", flag("This server minted it for a signed-in human; any other was transcribed by the agent.")), f("at", instant("Its time, else when it arrived.")), f("pushed_by", pusher),
		f("delivery", orNull(shape("How far a verified one has come; null elsewhere than in the thread of an ask.", f("recorded", instant("When it was given.")), f("handed", instant("When a sync first handed it out.")),
			f("confirmed", instant("When its id came back in a push.")), f("closed", instant("When the close arrived that cites it."))))), gone("Its text"), f("record", written)),
	"Messages":  shape("Replies.", pages(ref("Message"))...),
	"File":      shape("An attachment.", fileFields...),
	"FileAlone": shape("An attachment, and what stays of it where it was erased.", join(fileFields, gone("Its content"))...),
	"Erased": shape("What stays of a text or of bytes that were erased for good.", f("at", instant("When it was erased.")), f("by", orNull(object{"$ref": "#/components/schemas/Person", "description": "Who erased it; null is whoever runs the server."})),
		f("why", text("Why, in that person's words.")), f("sha256", textOrNull("The hash of the bytes, or of the record as it was folded, in hex.")),
		f("came_again", object{"type": []string{"string", "null"}, "format": "date-time", "description": "When an attachment last came again, and was not kept; null: it did not."})),
	"Draft": shape("What you have begun to write to an ask.", f("key", key), f("id", text("Its name, which changes whenever it does.")), f("page", page), f("created", instant("When it was kept.")),
		f("stale", flag("The ask has changed since.")), f("by", ref("Person")), f("token", flag("A program wrote it with a token; else its person typed it.")),
		f("record", shape("Its words; what it does not say is missing.", maybe("verdict", text("What it proposes to a sign-off.")), maybe("chosen", text("The option.")), maybe("text", text("The answer or the note."))))),
	"Drafts": shape("Drafts.", pages(ref("Draft"))...),
	"Token": shape("A token.", f("key", key), f("id", text("Its id.")), f("name", text("What its person calls it.")), f("created", instant("When it was made.")), f("used", instant("When it was last used, to the minute.")),
		f("address", textOrNull("Where that use came from.")), f("scope", oneOf("push: it pushes, keeps drafts and sends feedback, too; read: it only reads.", store.ScopePush, store.ScopeRead)),
		f("expires", instant("When it ends.")), f("current", flag("You ask with it."))),
	"Tokens":  shape("Tokens.", pages(ref("Token"))...),
	"Created": shape("What was made.", f("id", text("Its id.")), f("path", text("Its address on this server.")), f("status", oneOf("What has become of it.", "created"))),
	"Files":   shape("Attachments.", pages(ref("File"))...),
	"Finding": object{"type": "object", "description": "A finding, as `figs-web doctor --json` writes it.", "required": []string{"code", "severity", "file", "line", "column", "message"}, "properties": object{
		"code": text("The rule."), "severity": oneOf("How grave it is.", "error", "warning", "info"), "file": text("The file."), "line": number("The line."), "column": number("The column."), "message": text("What is wrong.")}},
	"Findings": shape("Findings.", pages(ref("Finding"), f("now", textOrNull("When it was judged.")), f("errors", number("In the whole report.")), f("warnings", number("Likewise.")), f("infos", number("Likewise.")),
		f("rules", listed(shape("How many findings a rule has.", f("code", text("The rule.")), f("count", number("How many."))))))...),
	"Refusal": shape("A record that a push left out.", f("kind", oneOf("What it is.", "run", "ask", "message")), f("id", textOrNull("Its id.")), f("reason", text("Why, for programs.")),
		f("sentence", text("Why, and what to do.")), f("at", instant("When it came.")), f("pushed_by", pusher)),
	"Refusals": shape("Refusals.", pages(ref("Refusal"))...),
	"InboxItem": shape("An ask with enough to triage it.", f("agent", ref("Name")), f("ask", ref("Ask")), f("since", instant("Since when it has needed a human.")), f("blocks", flag("The job that it names is in flight.")),
		f("job_title", textOrNull("Title of that job.")), f("mine", flag("It is asked of you.")),
		f("pending", flag("Somebody has decided it and can still take that back."))),
	"Inbox": shape("A part of the inbox.", parted(ref("InboxItem"), f("needs", number("Length of the tab of what needs a human, under the same filters.")),
		f("reported", number("Length of the tab of what agents report and nobody has confirmed.")), f("snoozed", number("How much you have put off.")), f("oldest", instant("Since when the oldest of them has waited.")),
		f("departments", listed(text("A department to filter by."))), f("agents", listed(ref("Name"))))...),
	"Found": shape("What was found.", parted(shape("One of them.", f("agent", ref("Name")), f("kind", oneOf("What it is.", "job", "ask", "message", "file")), f("key", key),
		f("page", textOrNull("Where people read of it.")), f("title", text("What pages call it.")), f("ts", ts), f("before", text("The text before the first word that matched.")),
		f("marked", text("That word.")), f("after", text("The text after it."))))...),
	"Activity": shape("What happened in a period.", f("first", text("Its first day.")),
		f("days", listed(shape("What a day had.", f("ok", number("Jobs that settled as ok.")), f("warn", number("As warn.")), f("fail", number("As fail.")), f("unknown", number("With a status that is none.")),
			f("raised", number("Asks raised.")), f("replied", number("Replies given."))))),
		f("answers", shape("How long first replies took.", f("count", number("How many there are.")), f("seconds", listed(kind("number", "From the raise to the first reply; ascending."))))),
		f("hours", listed(listed(number("Lines by weekday, Monday first, and hour.")))), f("waits", listed(ref("InboxItem"))), f("jobs", number("Settled in the period.")),
		f("tokens", shape("Tokens of the jobs that say.", f("known", object{"type": []string{"integer", "null"}, "description": "Their sum; null when none says."}), f("jobs", number("How many say.")))),
		f("year", orNull(shape("Lines by day in about a year.", f("first", text("Its first day, a Monday.")),
			f("days", listed(shape("Lines of a day.", f("jobs", number("Of jobs.")), f("asks", number("Of asks.")), f("replies", number("Replies."))))),
			f("timeless", number("Lines without a time."))))),
		f("agents", listed(ref("Name")))),
}

func join(fields []field, more ...field) []field {
	return append(append([]field{}, fields...), more...)
}
