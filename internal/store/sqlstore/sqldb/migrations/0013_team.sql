-- What people of a workspace do together about an ask: notes, hand-overs, reminders of replies. No agent ever learns of it.
CREATE TABLE ask_notes (
	no        {{number}} PRIMARY KEY,
	workspace {{text}} NOT NULL,
	agent     {{text}} NOT NULL,
	ask       {{text}} NOT NULL,
	kind      {{text}} NOT NULL, -- 'note', 'handover', 'takeback', 'nudge'
	person    {{text}} NOT NULL, -- who did it
	people    {{text}} NOT NULL, -- user ids, with spaces between: who was mentioned, handed the ask, or reminded
	note      {{text}} NOT NULL,
	at        BIGINT NOT NULL,
	holds     BIGINT NOT NULL -- 1: the hand-over in force, at most one of each ask
);
CREATE INDEX ask_notes_ask ON ask_notes (agent, ask, no);
CREATE UNIQUE INDEX ask_notes_holds ON ask_notes (workspace, agent, ask) WHERE holds = 1;

-- When someone first viewed an attachment.
CREATE INDEX opened_bytes ON opened (workspace, sha256, at);
