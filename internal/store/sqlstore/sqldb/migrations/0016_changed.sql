-- The seq of the last change to what pages show of an agent, and of the last change to what belongs to no agent alone. An open page asks
-- for the rows of the agents that changed since it was made.
ALTER TABLE agents ADD COLUMN changed_seq BIGINT NOT NULL DEFAULT 0;
ALTER TABLE workspaces ADD COLUMN common_seq BIGINT NOT NULL DEFAULT 0;
UPDATE workspaces SET common_seq = seq;
CREATE INDEX agents_changed ON agents (workspace, changed_seq);

-- Its columns are the first of the index above.
DROP INDEX agents_workspace;
