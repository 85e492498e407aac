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
		return kind.Sentence{Message: "This record could not be read: %.", Hint: "Check that the file is there and that you may read it; then read the folder again.", Expected: "a file"}
	case figs.ProjectFileTooLarge:
		return kind.Sentence{Message: "This record is too large to be read: %.", Hint: "A record points at a file and does not hold it. Write the content beside it, and publish its path.", Expected: "at most 4 MiB"}
	case figs.ProjectUTF8Invalid:
		return kind.Sentence{Message: "This record holds bytes that are not UTF-8, first at the marked place.", Hint: "Write the file as UTF-8. Until then, those bytes are shown as �.", Expected: "UTF-8"}
	case figs.ProjectTooManyFiles:
		return kind.Sentence{Message: "Not all of this folder was read: there are %.", Hint: "Move old records to another folder. Records that were left out are not shown, and replace nothing."}
	}
	return texts[code-first]
}

// first is the first rule of records.
const first = figs.RecordMalformed

var texts = [...]kind.Sentence{
	figs.RecordMalformed - first:        {Message: "This file is not one JSON object: %.", Hint: "A record is one JSON object in UTF-8 and nothing beside it. Write it elsewhere first and then move it here, so that nobody reads half of it.", Expected: "{\"version\": 1, \"id\": \"…\", …}"},
	figs.RecordFieldMissing - first:     {Message: "This record has no “%”.", Hint: "Whoever publishes an artifact writes the whole record at once. Publish it again under a new id that replaces this one."},
	figs.RecordFieldMalformed - first:   {Message: "“%” is not &.", Hint: "Write it as the proposal has it, or leave it out."},
	figs.RecordVersionUnknown - first:   {Message: "“%” is no version of records that is known here.", Hint: "Records are of version 1. What can be read of this one is shown.", Expected: "1"},
	figs.RecordNameDiffers - first:      {Message: "The record calls itself “%”, and its file is “&”.", Hint: "A record is found by the name of its file, which is its id and “.json”. Letters, digits, dashes and underscores make good ids."},
	figs.RecordIDReused - first:         {Message: "The id “%” is that of another record, too: &.", Hint: "Ids are never used again. A revision is a new record with a unique id that replaces the old one.", Expected: "a unique id"},
	figs.RecordStatusUnknown - first:    {Message: "“%” is no status of a record.", Hint: "A record is active, superseded or deleted; it is shown as active.", Expected: "active | superseded | deleted"},
	figs.RecordChannelMalformed - first: {Message: "“%” is no name for a channel.", Hint: "Name channels with lower-case words and dashes between them, so that all who mean one write it alike.", Expected: "analysis | design | patch | verification | handoff | words-of-your-own"},
	figs.RecordKindUnknown - first:      {Message: "“%” is no kind of artifact that readers know.", Hint: "It is shown as it is. Where one of the known kinds fits, readers can do more.", Expected: "file | directory | report | patch | json | log | binary | other"},
	figs.RecordTSMalformed - first:      {Message: "“%” is not a date and time with an offset.", Hint: "Write it like 2026-11-18T08:00:00+01:00: date, time, and offset from UTC.", Expected: isoTime},
	figs.RecordKeyDuplicate - first:     {Message: "The field “%” appears twice in this object; the last value is used.", Hint: "Write each field once."},
	figs.RecordTitleTooLong - first:     {Message: "This title has % characters.", Hint: "Say in a few words what the artifact is; titles travel through prompts and lists.", Expected: "at most 200 characters"},
	figs.RecordSummaryTooLong - first:   {Message: "This summary has % characters.", Hint: "A summary helps to decide whether to open the file. Leave the rest in the file.", Expected: "at most 2,000 characters"},
	figs.RecordSummarySecret - first:    {Message: "This % looks as if it gave away &.", Hint: "Records travel through prompts, events and logs. Make the secret useless where it was issued, and publish a record without it.", Expected: "no secrets"},
	figs.RecordTextHidden - first:       {Message: "“%” holds a character that nobody can see (&).", Hint: "Remove it; invisible characters can make text look like something else."},
	figs.RecordPathDiffers - first:      {Message: "The record says that it stands at “%”, and it stands at “&”.", Hint: "Whoever follows recordPath does not find it. Write where the record is, from the workspace on."},
	figs.ProducerMalformed - first:      {Message: "% is not &.", Hint: "The producer says which work made the artifact: {\"workId\": \"…\", \"kind\": \"task\"}, or with the later names {\"runId\": \"…\"}."},
	figs.ProducerWorkMissing - first:    {Message: "The producer does not say which work made this artifact.", Hint: "Put the id of the task, prompt or skill into workId, or into runId. What a piece of work produced and cost is joined by it.", Expected: "\"workId\": \"…\""},
	figs.TargetMissing - first:          {Message: "What this record points at, “%”, is gone.", Hint: "The record stays, as history. If the artifact still matters, put the file back; if not, publish a record that replaces this one.", Expected: "a file or folder of the workspace"},
	figs.TargetEscapes - first:          {Message: "The path “%” leads out of the workspace: &.", Hint: "Nobody opens it. Put the file into the workspace, and publish its path from there.", Expected: "a path inside of the workspace"},
	figs.TargetUnreadable - first:       {Message: "“%” is there and could not be read: &.", Hint: "Check that it is a plain file or a folder, and that you may read it.", Expected: "a file or folder that can be read"},
	figs.TargetKindDiffers - first:      {Message: "“%” is &, and the record says otherwise.", Hint: "Something else took the place of what was published. Publish what is there now, as a revision."},
	figs.TargetSizeDiffers - first:      {Message: "“%” has & bytes, and the record says otherwise.", Hint: "The file was changed after it was published, so nobody knows what the record spoke of. Publish what is there now, as a revision."},
	figs.TargetDigestDiffers - first:    {Message: "“%” is not what was published: its digest differs.", Hint: "The file was changed after it was published, so nobody knows what the record spoke of. Publish what is there now, as a revision."},
	figs.TargetUnchecked - first:        {Message: "“%” was not compared with its record: &.", Hint: "To be sure, compute its SHA-256 yourself."},
	figs.DigestMalformed - first:        {Message: "This digest cannot be compared: %.", Hint: "Write the file's SHA-256, or leave the digest out.", Expected: "{\"algorithm\": \"sha256\", \"value\": \"…64 digits\"}"},
	figs.ReplacesUnknown - first:        {Message: "This record replaces “%”, and no record here has that id.", Hint: "Name the id of the record that this one revises. If that was removed, its history is lost.", Expected: "the id of a record"},
	figs.ReplacesItself - first:         {Message: "This record replaces itself.", Hint: "A revision is a new record with a unique id; it replaces the id of the old one.", Expected: "the id of another record"},
	figs.ReplacesCycle - first:          {Message: "These % records replace each other in a circle.", Hint: "Which one is the newest, nobody can tell, so all are shown. Publish a record that replaces the one that was meant to be last.", Expected: "the id of an older record"},
	figs.ReplacesOtherChannel - first:   {Message: "This record of the channel “%” replaces one of the channel “&”.", Hint: "Whoever watches the other channel loses the artifact without a word. Publish revisions where the artifact is."},
	figs.RevisionsCompete - first:       {Message: "“%” is replaced by & revisions that do not know of each other.", Hint: "All are shown, and somebody has to choose. Publish one more revision of the chosen one, and of each other one a record that replaces it with the status deleted.", Expected: "one revision"},
	figs.ParentUnknown - first:          {Message: "No artifact here has the id “%”, which this one was made from.", Hint: "Name the id of a record, or leave it out.", Expected: "the id of a record"},
	figs.WorkCycle - first:              {Message: "The work “%” is its own ancestor.", Hint: "parentWorkId names the work that began this one. The tree is shown as if this one had no parent.", Expected: "the id of the work that began it"},
}
