package artifacts

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

const isoTime = "2026-11-20T16:05:09Z"

// sentence is what a rule says; % and & are values that a finding quotes.
func sentence(code figs.Code) kind.Sentence {
	switch code {
	case figs.ProjectFileUnreadable:
		return kind.Sentence{Message: "This record could not be read: %.", Hint: "Check that the file exists and that you have permission to read it. Then read the folder again.", Expected: "a file"}
	case figs.ProjectFileTooLarge:
		return kind.Sentence{Message: "This record is too large to be read: %.", Hint: "Write the content to a separate file, and publish its path.", Expected: "at most 4 MiB"}
	case figs.ProjectUTF8Invalid:
		return kind.Sentence{Message: "This record contains bytes that are not UTF-8, the first at the marked place.", Hint: "Write the file as UTF-8. Until then, those bytes are shown as �.", Expected: "UTF-8"}
	case figs.ProjectTooManyFiles:
		return kind.Sentence{Message: "Not all of this folder was read: it has %.", Hint: "Move old records to another folder. Records that were not read aren't shown."}
	}
	return texts[code-first]
}

// first is the first rule of records.
const first = figs.RecordMalformed

var texts = [...]kind.Sentence{
	figs.RecordMalformed - first:        {Message: "This file is not one JSON object: %.", Hint: "Write one JSON object in UTF-8 and nothing else. Write it to a temporary file, then rename it.", Expected: "{\"version\": 1, \"id\": \"…\", …}"},
	figs.RecordFieldMissing - first:     {Message: "This record has no “%”.", Hint: "Publish the artifact again as a complete record with a new id that replaces this one."},
	figs.RecordFieldMalformed - first:   {Message: "“%” is not &.", Hint: "Write it in the form of the proposal, or leave it out."},
	figs.RecordVersionUnknown - first:   {Message: "“%” is not a known record version.", Hint: "Use version 1. What can be read of this record is shown.", Expected: "1"},
	figs.RecordNameDiffers - first:      {Message: "The record's id is “%”, but its file is named “&”.", Hint: "Name the file after the id, with “.json” at the end. Use letters, digits, dashes and underscores in ids."},
	figs.RecordIDReused - first:         {Message: "Another record has the id “%” too: &.", Hint: "Give each record a unique id. A revision is a new record that replaces the old one.", Expected: "a unique id"},
	figs.RecordStatusUnknown - first:    {Message: "“%” is not a valid record status.", Hint: "Use active, superseded or deleted. This record is shown as active.", Expected: "active | superseded | deleted"},
	figs.RecordChannelMalformed - first: {Message: "“%” is not a valid channel name.", Hint: "Use lower-case words separated by dashes.", Expected: "analysis | design | patch | verification | handoff | words-of-your-own"},
	figs.RecordKindUnknown - first:      {Message: "“%” is not a known kind of artifact.", Hint: "Use a known kind if one fits; readers can do more with it.", Expected: "file | directory | report | patch | json | log | binary | other"},
	figs.RecordTSMalformed - first:      {Message: "“%” is not a date and time with an offset.", Hint: "Write it like 2026-11-18T08:00:00+01:00: date, time, and offset from UTC.", Expected: isoTime},
	figs.RecordKeyDuplicate - first:     {Message: "The field “%” appears twice in this object; the last value is used.", Hint: "Write each field once."},
	figs.RecordTitleTooLong - first:     {Message: "This title has % characters.", Hint: "Shorten it to a few words; titles are repeated in prompts and lists.", Expected: "at most 200 characters"},
	figs.RecordSummaryTooLong - first:   {Message: "This summary has % characters.", Hint: "Keep what helps to decide whether to open the file, and leave the rest in the file.", Expected: "at most 2,000 characters"},
	figs.RecordSummarySecret - first:    {Message: "This % looks like it contains &.", Hint: "Revoke the secret where it was issued, and publish a record without it. Records are copied to prompts, events and logs.", Expected: "no secrets"},
	figs.RecordTextHidden - first:       {Message: "“%” contains an invisible character (&).", Hint: "Remove it; invisible characters can make text look like something else."},
	figs.RecordPathDiffers - first:      {Message: "The record says it is at “%”, but it is at “&”.", Hint: "Set recordPath to the record's path, relative to the workspace."},
	figs.ProducerMalformed - first:      {Message: "% is not &.", Hint: "The producer says which work made the artifact: {\"workId\": \"…\", \"kind\": \"task\"}, or with the later names {\"runId\": \"…\"}."},
	figs.ProducerWorkMissing - first:    {Message: "The producer does not say which work made this artifact.", Hint: "Set workId or runId to the id of the task, prompt or skill. Costs and other products are found by it.", Expected: "\"workId\": \"…\""},
	figs.TargetMissing - first:          {Message: "The file or folder of this record, “%”, is missing.", Hint: "Restore the file, or publish a record that replaces this one.", Expected: "a file or folder of the workspace"},
	figs.TargetEscapes - first:          {Message: "The path “%” leads out of the workspace: &.", Hint: "Move the file into the workspace, and publish its path relative to the workspace. Paths outside are never opened.", Expected: "a path inside the workspace"},
	figs.TargetUnreadable - first:       {Message: "“%” exists but could not be read: &.", Hint: "Check that it is a regular file or a folder, and that you have permission to read it.", Expected: "a file or folder that can be read"},
	figs.TargetKindDiffers - first:      {Message: "“%” is &, but the record says otherwise.", Hint: "The published artifact was replaced by something else. Publish the current one as a revision."},
	figs.TargetSizeDiffers - first:      {Message: "“%” has & bytes, but the record says otherwise.", Hint: "The file was changed after it was published. Publish the current version as a revision."},
	figs.TargetDigestDiffers - first:    {Message: "“%” differs from the published file: its digest is different.", Hint: "The file was changed after it was published. Publish the current version as a revision."},
	figs.TargetUnchecked - first:        {Message: "“%” was not compared with its record: &.", Hint: "Compute its SHA-256 and compare it yourself."},
	figs.DigestMalformed - first:        {Message: "This digest cannot be compared: %.", Hint: "Write the file's SHA-256, or leave the digest out.", Expected: "{\"algorithm\": \"sha256\", \"value\": \"…64 digits\"}"},
	figs.ReplacesUnknown - first:        {Message: "This record replaces “%”, but no record here has that id.", Hint: "Use the id of the record that this one revises. If that record was removed, its history is lost.", Expected: "the id of a record"},
	figs.ReplacesItself - first:         {Message: "This record replaces itself.", Hint: "Give the revision a new id, and let it replace the old record's id.", Expected: "the id of another record"},
	figs.ReplacesCycle - first:          {Message: "These % records replace each other in a cycle.", Hint: "All are shown, because none is the newest. Publish a record that replaces the one meant to be the last.", Expected: "the id of an older record"},
	figs.ReplacesOtherChannel - first:   {Message: "This record in the channel “%” replaces one in the channel “&”.", Hint: "Publish revisions in the artifact's channel. Readers of the other channel no longer see the artifact."},
	figs.RevisionsCompete - first:       {Message: "“%” is replaced by & revisions that do not know of each other.", Hint: "Choose one: publish one more revision of it, and for each other one a record that replaces it with the status “deleted”.", Expected: "one revision"},
	figs.ParentUnknown - first:          {Message: "This artifact was made from “%”, but no artifact here has that id.", Hint: "Use the id of a record, or leave it out.", Expected: "the id of a record"},
	figs.WorkCycle - first:              {Message: "The work “%” is its own ancestor.", Hint: "Set parentWorkId to the work that started this one. The tree is shown as if this work had no parent.", Expected: "the id of the work that started it"},
}
