-- What people's tools say to those who run a workspace.
CREATE TABLE feedback (
	id        {{text}} PRIMARY KEY,
	workspace {{text}} NOT NULL REFERENCES workspaces (id),
	person    {{text}} NOT NULL REFERENCES users (id),
	token     {{text}} NOT NULL,
	tool      {{text}} NOT NULL,
	version   {{text}} NOT NULL,
	context   {{text}} NOT NULL,
	words     {{text}} NOT NULL,
	at        BIGINT NOT NULL
);
CREATE INDEX feedback_list ON feedback (workspace, at, id);

-- The token with which a program wrote a draft; empty: its person typed it.
ALTER TABLE drafts ADD COLUMN token {{text}} NOT NULL DEFAULT '';
