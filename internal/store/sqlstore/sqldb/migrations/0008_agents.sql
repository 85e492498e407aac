-- What those who run a workspace do with an agent and with what it wrote.
ALTER TABLE agents ADD COLUMN archived_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE agents ADD COLUMN erased BIGINT NOT NULL DEFAULT 0; -- how many of its records and replies lost their text
ALTER TABLE agents ADD COLUMN asked_name {{text}} NOT NULL DEFAULT ''; -- the other name under which it came last, and was refused
ALTER TABLE agents ADD COLUMN asked_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE agents ADD COLUMN granted_name {{text}} NOT NULL DEFAULT ''; -- the name under which its next push passes, once

-- What was erased: the hash of what was there stays, and a push does not bring it back.
CREATE TABLE erasures (
	agent     {{text}} NOT NULL,
	workspace {{text}} NOT NULL,
	kind      BIGINT NOT NULL, -- 0 a run, 1 an ask, 2 a reply, 3 an attachment
	id        {{text}} NOT NULL, -- of the record, or the attachment's name
	sha256    {{text}} NOT NULL, -- of the attachment's bytes, or of the record's fold
	person    {{text}} NOT NULL, -- who erased it
	why       {{text}} NOT NULL,
	at        BIGINT NOT NULL,
	came_at   BIGINT NOT NULL, -- when an erased attachment last came again, and was not kept
	PRIMARY KEY (agent, kind, id)
);
CREATE INDEX erasures_workspace ON erasures (workspace, at);

ALTER TABLE workspaces ADD COLUMN step_up BIGINT NOT NULL DEFAULT 0; -- an approval takes a fresh proof of who the person is
ALTER TABLE workspaces ADD COLUMN tell_words BIGINT NOT NULL DEFAULT 0; -- notifications may hold words of records
