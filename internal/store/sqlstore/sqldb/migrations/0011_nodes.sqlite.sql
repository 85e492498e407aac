-- The oldest step that a program must know to work on a database with this one; 0: this one.
ALTER TABLE migrations ADD COLUMN needs BIGINT NOT NULL DEFAULT 0;

-- What was told elsewhere than in the page: there most is told.
CREATE INDEX notify_outbox_sent ON notify_outbox (person, at) WHERE read_at = -1;

-- In the order of their time, so that of many unread the newest are counted alone.
DROP INDEX notify_outbox_unread;
CREATE INDEX notify_outbox_unread ON notify_outbox (person, workspace, at) WHERE read_at = 0;

-- How many of the workspace's changes were to jobs alone, which change nothing of what the inbox shows of asks.
ALTER TABLE workspaces ADD COLUMN jobs_only BIGINT NOT NULL DEFAULT 0;
