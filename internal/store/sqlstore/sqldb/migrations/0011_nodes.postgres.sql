-- The oldest step that a program must know to work on a database with this one; 0: this one.
ALTER TABLE migrations ADD COLUMN needs BIGINT NOT NULL DEFAULT 0;

-- A row of each transaction, by which it is found when the answer to its commit was lost.
CREATE TABLE fates (
	id   {{text}} PRIMARY KEY,
	at   BIGINT NOT NULL, -- by the server's clock
	kept BIGINT NOT NULL  -- 0: written by who looked for it and did not find it
);
CREATE INDEX fates_at ON fates (at);

-- Rows to lock, where a database has no locks but those of rows.
CREATE TABLE locks (name {{text}} PRIMARY KEY);

-- Among indexes that seem alike the planner takes the newest. Before there are statistics records_list seems as good for finding one
-- record as the index by id, and goes through all that its agent has.
DROP INDEX records_id;
CREATE UNIQUE INDEX records_id ON records (agent, kind, id);

-- Documents are listed newest first, those of one workspace or of one agent. Any other order by number would go by the primary key, through
-- those of everybody.
CREATE INDEX search_newest ON search (workspace, (no + 0));
CREATE INDEX search_newest_of ON search (agent, (no + 0));
DROP INDEX search_agent;

-- What was told elsewhere than in the page: there most is told.
CREATE INDEX notify_outbox_sent ON notify_outbox (person, at) WHERE read_at = -1;

-- With no, which SQLite has in every index, so that summing up reads nothing else.
DROP INDEX records_tokens;
CREATE INDEX records_tokens ON records (workspace, at, agent, session, tokens, no) WHERE kind = 0 AND state <> 3 AND tokens >= 0;

-- In the order of their time, so that of many unread the newest are counted alone.
DROP INDEX notify_outbox_unread;
CREATE INDEX notify_outbox_unread ON notify_outbox (person, workspace, at) WHERE read_at = 0;

-- How many of the workspace's changes were to jobs alone, which change nothing of what the inbox shows of asks.
ALTER TABLE workspaces ADD COLUMN jobs_only BIGINT NOT NULL DEFAULT 0;
