package lessons

import (
	"strings"

	"github.com/figs-web/figs-web/figs"
)

const (
	recordsDir = ".flue-runtime/artifacts/records/"

	// okArtifact keeps every rule of artifact channels.
	okArtifact = `{"version": 1, "id": "art_design", "channel": "design", "kind": "report", "path": "out/design.md", ` +
		`"recordPath": ".flue-runtime/artifacts/records/art_design.json", "targetAvailable": true, "title": "Design of the importer", ` +
		`"createdAt": "2026-11-20T09:00:00Z", "updatedAt": "2026-11-20T09:00:00Z", "producer": {"workId": "work_1", "kind": "task"}, "status": "active"}`

	// designDigest is the SHA-256 of design, otherDigest that of another file.
	design       = "# Design\n"
	designDigest = "2c1f01e37a150fd02e10dd63ce8a268c168a68813b40f16f18c3430319073ce6"
	otherDigest  = "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa"
)

// published is a record in its file, in which texts are exchanged for others, in pairs; and what it points at.
func published(pairs ...string) []Example {
	return with(revised("art_design", pairs...), []Example{{File: "out/design.md", Text: design}})
}

// revised is a record alone, under another id.
func revised(id string, pairs ...string) []Example {
	text := entry(entry(okArtifact, pairs...), "art_design", id)
	return []Example{{File: recordsDir + id + ".json", Text: text + "\n"}}
}

// also puts one more member into a record.
func also(member string) []string {
	return []string{`"status": "active"`, `"status": "active", ` + member}
}

// channelLessons are about the rules of artifact channels.
func channelLessons() []Lesson {
	lessons := append(artifactLessons(), artifactTextLessons()...)
	lessons = append(lessons, targetLessons()...)
	return append(lessons, revisionLessons()...)
}

func artifactLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.RecordMalformed, Section: "Storage Layout",
			Title: "A record is not one JSON object",
			Why:   "Each artifact has one record in a file of its own, so that publishers never write into each other's. A file that is no JSON object names no artifact, and nobody finds what it was written for.",
			Bad:   []Example{{File: recordsDir + "art_design.json", Text: okArtifact[:120] + "\n"}, {File: "out/design.md", Text: design}},
			Good:  published(),
		},
		{
			Code: figs.RecordFieldMissing, Section: "Primary Data Types",
			Title: "A record lacks a required field",
			Why:   "Whoever gets the id of an artifact reads nothing but its record. What is not in it, such as the channel or the path, nobody can guess.",
			Bad:   published(`"channel": "design", `, ""),
			Good:  published(),
		},
		{
			Code: figs.RecordFieldMalformed, Section: "Primary Data Types",
			Title: "A field of a record has another form",
			Why:   "A text where a list belongs, or a number where a text belongs, is read as nothing. The record then says less than its author believes.",
			Bad:   published(also(`"tags": "importer"`)...),
			Good:  published(also(`"tags": ["importer"]`)...),
		},
		{
			Code: figs.RecordVersionUnknown, Section: "Primary Data Types",
			Title: "A record is of another version",
			Why:   "Version 1 is the one that there is. Fields of another version may mean something else than they seem to.",
			Bad:   published(`"version": 1`, `"version": 2`),
			Good:  published(),
		},
		{
			Code: figs.RecordNameDiffers, Section: "Storage Layout",
			Title: "A record's file is not named by its id",
			Why:   "Agents pass each other ids and open the file of that name. Under another name the record is listed, and whoever asks for it by its id hears that there is none.",
			Bad:   with(published(`"id": "art_design"`, `"id": "art_plan"`)),
			Good:  published(),
		},
		{
			Code: figs.RecordIDReused, Section: "Primitive Invariants",
			Title: "Two records have one id",
			Why:   "An id means one artifact for ever: prompts, logs and other records keep it. When it means two, nobody can tell which one they spoke of.",
			Bad:   with(published(), []Example{{File: recordsDir + "art_draft.json", Text: okArtifact + "\n"}}),
			Good:  with(published(), revised("art_draft", "out/design.md", "out/draft.md"), []Example{{File: "out/draft.md", Text: "# Draft\n"}}),
		},
		{
			Code: figs.RecordStatusUnknown, Section: "Revision Semantics",
			Title: "A status that no reader knows",
			Why:   "Lists hide what is superseded or deleted. An unknown word hides nothing, so that the artifact stays among those that count.",
			Bad:   published(`"status": "active"`, `"status": "archived"`),
			Good:  published(`"status": "active"`, `"status": "superseded"`),
		},
		{
			Code: figs.RecordChannelMalformed, Section: "Default Channels",
			Title: "A channel's name is not made of lower-case words",
			Why:   "Channels are found by their names alone. “Security Review” and “security-review” are two, and whoever watches one misses the other.",
			Bad:   published(`"channel": "design"`, `"channel": "Security Review"`),
			Good:  published(`"channel": "design"`, `"channel": "security-review"`),
		},
		{
			Code: figs.RecordKindUnknown, Section: "Primary Data Types",
			Title: "A kind of artifact that readers do not know",
			Why:   "It is no mistake: kinds of one's own are allowed. Readers just cannot do more for it than for any file.",
			Bad:   published(`"kind": "report"`, `"kind": "essay"`),
			Good:  published(),
		},
		{
			Code: figs.RecordTSMalformed, Section: "Primary Data Types",
			Title: "A time that cannot be read",
			Why:   "Lists show the newest first and filter by time. Without a time that has its offset the artifact sinks to the end.",
			Bad:   published(`"createdAt": "2026-11-20T09:00:00Z"`, `"createdAt": "20 November"`),
			Good:  published(),
		},
		{
			Code: figs.RecordKeyDuplicate, Section: "Primary Data Types",
			Title: "A field stands twice in a record",
			Why:   "Of two values the last one counts, here and in most programs. The other one is lost without a word.",
			Bad:   published(also(`"status": "active"`)...),
			Good:  published(),
		},
		{
			Code: figs.ProducerMalformed, Section: "Shared Primitive: Work Records",
			Title: "A record's producer cannot be read",
			Why:   "The producer joins an artifact to the work that made it, with its cost and its logs. What is of another form joins nothing.",
			Bad:   published(`"kind": "task"}`, `"kind": "task", "taskId": 7}`),
			Good:  published(`"kind": "task"}`, `"kind": "task", "taskId": "task_7"}`),
		},
		{
			Code: figs.ProducerWorkMissing, Section: "Primitive Invariants",
			Title: "An artifact of no work",
			Why:   "The work's id is what everything else is joined by: what a task cost, what it produced, whether failed work still published something. Without it the artifact came from nowhere.",
			Bad:   published(`"workId": "work_1", `, ""),
			Good:  published(`{"workId": "work_1", "kind": "task"}`, `{"runId": "work_1"}`),
		},
		{
			Code: figs.WorkCycle, Section: "Shared Primitive: Work Records",
			Title: "Work that is its own ancestor",
			Why:   "Each piece of work was begun by another one, or by a person. When the parents lead round in a circle, nothing began, and no tree can show it.",
			Bad:   published(`"workId": "work_1"`, `"workId": "work_1", "parentWorkId": "work_1"`),
			Good:  published(`"workId": "work_1"`, `"workId": "work_1", "parentWorkId": "work_0"`),
		},
	}
}

func artifactTextLessons() []Lesson {
	return []Lesson{
		{
			Code: figs.RecordTitleTooLong, Section: "Validation and Safety",
			Title: "A title is too long for lists and prompts",
			Why:   "Records travel through prompts and events, where each word costs. A title names the artifact; everything else is in its file.",
			Bad:   published("Design of the importer", strings.Repeat("Design of the importer, ", 9)),
			Good:  published(),
		},
		{
			Code: figs.RecordSummaryTooLong, Section: "Validation and Safety",
			Title: "A summary is too long for lists and prompts",
			Why:   "The next agent reads the summary to decide whether to open the file. A summary that is the file saves nobody anything.",
			Bad:   published(also(`"summary": "` + strings.Repeat("Rows become postings. ", 100) + `"`)...),
			Good:  published(also(`"summary": "How rows become postings."`)...),
		},
		{
			Code: figs.RecordSummarySecret, Section: "Validation and Safety",
			Title: "A title or summary may give a secret away",
			Why:   "Records are treated like logs: they are copied into prompts and events, and kept. A password in one is everybody's.",
			Bad:   published(also(`"summary": "Log in with password=correct-horse."`)...),
			Good:  published(also(`"summary": "Log in with the password of the vault."`)...),
		},
		{
			Code: figs.RecordTextHidden, Section: "Validation and Safety",
			Title: "A record holds characters that nobody can see",
			Why:   "Some characters have no shape, or turn the order of the others. A person then reads another text than the one that is there.",
			Bad:   published("Design of the importer", `Design \u202egnp.exe`),
			Good:  published(),
		},
		{
			Code: figs.RecordPathDiffers, Section: "Storage Layout",
			Title: "A record says that it stands elsewhere",
			Why:   "recordPath leads from an artifact in a prompt to its record. When it is wrong, whoever follows it finds nothing, or another record.",
			Bad:   published(`"recordPath": ".flue-runtime/artifacts/records/art_design.json"`, `"recordPath": "records/art_design.json"`),
			Good:  published(),
		},
	}
}

func targetLessons() []Lesson {
	digest := func(value string) []string {
		return also(`"digest": {"algorithm": "sha256", "value": "` + value + `"}`)
	}
	return []Lesson{
		{
			Code: figs.TargetMissing, Section: "Failure Semantics",
			Title: "What was published is gone",
			Why:   "The record stays, because it says what was made, by whom and when. But whoever was handed the artifact cannot open it any more.",
			Bad:   revised("art_design"),
			Good:  published(),
		},
		{
			Code: figs.TargetEscapes, Section: "Validation and Safety",
			Title: "An artifact outside of the workspace",
			Why:   "A workspace is what the agents that share it may see. A path that leads out of it could show anything of the machine, so nobody opens it.",
			Bad:   published("out/design.md", "../notes/design.md"),
			Good:  published(),
		},
		{
			Code: figs.TargetUnreadable, Section: "Validation and Safety",
			Title: "An artifact that is there and cannot be read",
			Why:   "Publishing should have failed: the next agent cannot read it either. Often the file belongs to another user, or is no file.",
			Bad:   with(revised("art_design"), []Example{{File: "out/design.md", Text: "permission denied", Host: true}}),
			Good:  published(),
		},
		{
			Code: figs.TargetKindDiffers, Section: "Validation and Safety",
			Title: "A file where a folder was published",
			Why:   "Something else took the place of the artifact. Whoever lists a folder or opens a file by this record gets an error.",
			Bad:   published(also(`"isDirectory": true`)...),
			Good:  published(also(`"isDirectory": false`)...),
		},
		{
			Code: figs.TargetSizeDiffers, Section: "Validation and Safety",
			Title: "A file has another size than was published",
			Why:   "It was changed after it was handed over. What others concluded from it may be about another text.",
			Bad:   published(also(`"sizeBytes": 4096`)...),
			Good:  published(also(`"sizeBytes": 9`)...),
		},
		{
			Code: figs.TargetDigestDiffers, Section: "Validation and Safety",
			Title: "A file is not the one that was published",
			Why:   "It was changed after it was handed over. What others concluded from it may be about another text.",
			Bad:   published(digest(otherDigest)...),
			Good:  published(digest(designDigest)...),
		},
		{
			Code: figs.TargetUnchecked, Section: "Recommended V1 Defaults",
			Title: "A digest that cannot be compared",
			Why:   "Folders have no digest, very large files are not read for one. So nobody can tell whether it is what was published.",
			Bad:   with(revised("art_design", append(digest(designDigest), "out/design.md", "out")...), []Example{{File: "out/design.md", Text: design}}),
			Good:  with(revised("art_design", "out/design.md", "out"), []Example{{File: "out/design.md", Text: design}}),
		},
		{
			Code: figs.DigestMalformed, Section: "Recommended V1 Defaults",
			Title: "A digest that is no SHA-256",
			Why:   "A digest proves that a file is the one that was published. In another form nothing can be compared with it.",
			Bad:   published(also(`"digest": {"algorithm": "md5", "value": "d41d8cd98f00b204e9800998ecf8427e"}`)...),
			Good:  published(digest(designDigest)...),
		},
	}
}

func revisionLessons() []Lesson {
	replaces := func(id string) []string { return also(`"replaces": "` + id + `"`) }
	return []Lesson{
		{
			Code: figs.ReplacesUnknown, Section: "Revision Semantics",
			Title: "A revision of something that is not here",
			Why:   "Old records stay, so that people can see what became of an artifact. Here the chain ends in nothing: the id is misspelt, or history was removed.",
			Bad:   published(replaces("art_desing_v1")...),
			Good:  with(published(replaces("art_design_v1")...), revised("art_design_v1")),
		},
		{
			Code: figs.ReplacesItself, Section: "Revision Semantics",
			Title: "A record that replaces itself",
			Why:   "A revision has an id of its own, and the old record stays as it was. A record that replaces itself was probably written over, and what it said before is lost.",
			Bad:   published(replaces("art_design")...),
			Good:  with(published(), revised("art_design_2", replaces("art_base")...), revised("art_base")),
		},
		{
			Code: figs.ReplacesCycle, Section: "Revision Semantics",
			Title: "Records that replace each other in a circle",
			Why:   "Each claims to be newer than the other, so none is the last word. All of them are shown.",
			Bad:   with(published(replaces("art_plan")...), revised("art_plan", replaces("art_draft")...), revised("art_draft", replaces("art_plan")...)),
			Good:  with(published(replaces("art_plan")...), revised("art_plan", replaces("art_draft")...), revised("art_draft")),
		},
		{
			Code: figs.ReplacesOtherChannel, Section: "Revision Semantics",
			Title: "A revision in another channel",
			Why:   "The old record disappears from the lists of its channel, and the new one never appears there. Whoever watches that channel loses the artifact.",
			Bad:   with(published(), revised("art_patch", append(replaces("art_base"), `"channel": "design"`, `"channel": "patch"`)...), revised("art_base")),
			Good:  with(published(), revised("art_patch", replaces("art_base")...), revised("art_base")),
		},
		{
			Code: figs.RevisionsCompete, Section: "Failure Semantics",
			Title: "Two revisions of one artifact compete",
			Why:   "Two agents revised the same artifact without knowing of each other. Taking the later one would throw away somebody's work, so both are shown and a person decides.",
			Bad:   with(published(), revised("art_a", replaces("art_base")...), revised("art_b", replaces("art_base")...), revised("art_base")),
			Good:  with(published(), revised("art_a", replaces("art_base")...), revised("art_b", replaces("art_a")...), revised("art_base")),
		},
		{
			Code: figs.ParentUnknown, Section: "Primary Data Types",
			Title: "An artifact made from one that is not here",
			Why:   "parentArtifactIds says what an artifact was made from. An id that no record has leads nowhere.",
			Bad:   published(also(`"parentArtifactIds": ["art_research"]`)...),
			Good:  with(published(also(`"parentArtifactIds": ["art_research"]`)...), revised("art_research")),
		},
	}
}
