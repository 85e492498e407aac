-- What notifications outside the pages may say: 0 a link, 1 agents and titles in email and web push, 2 everywhere. What a
-- workspace has chosen stays.
ALTER TABLE workspaces ADD COLUMN tell_level BIGINT NOT NULL DEFAULT 0;
UPDATE workspaces SET tell_level = CASE WHEN tell_words = 1 THEN 2 ELSE 0 END;
ALTER TABLE workspaces DROP COLUMN tell_words;

-- Chat channels to which a workspace's notifications are sent. Their rows in notify_outbox have the channel as their place and
-- no person.
CREATE TABLE chat_channels (
	id            {{text}} PRIMARY KEY,
	workspace     {{text}} NOT NULL REFERENCES workspaces (id),
	service       {{text}} NOT NULL, -- 'slack', 'teams', …
	name          {{text}} NOT NULL,
	url           {{text}} NOT NULL, -- the webhook, which is a secret, or the homeserver
	room          {{text}} NOT NULL,
	token         {{text}} NOT NULL, -- has to be sent, so it is no hash
	created_by    {{text}} NOT NULL,
	created_at    BIGINT NOT NULL,
	failing_since BIGINT NOT NULL -- 0: the last message arrived
);
CREATE INDEX chat_channels_list ON chat_channels (workspace, created_at);
CREATE INDEX notify_outbox_chat ON notify_outbox (workspace, at) WHERE person = '';
