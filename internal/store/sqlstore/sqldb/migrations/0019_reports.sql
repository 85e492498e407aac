-- What reports count of a decision. -1: not known, or not yet derived.
ALTER TABLE decisions ADD COLUMN outcome BIGINT NOT NULL DEFAULT -1; -- store.DecisionOutcome
ALTER TABLE decisions ADD COLUMN round BIGINT NOT NULL DEFAULT 0; -- of the ask; 0: not derived
ALTER TABLE decisions ADD COLUMN waited BIGINT NOT NULL DEFAULT -1; -- microseconds from the start of the round
ALTER TABLE decisions ADD COLUMN unviewed BIGINT NOT NULL DEFAULT -1; -- attachments that were approved without viewing them
DROP INDEX decisions_list;
CREATE INDEX decisions_list ON decisions (workspace, made_at, no, outcome, round, waited, unviewed, agent, person) WHERE fate = 1;
CREATE INDEX records_failed ON records (workspace, at, agent, id) WHERE kind = 0 AND state = 2;
INSERT INTO chores (name) VALUES ('decided');

ALTER TABLE workspaces ADD COLUMN hide_people BIGINT NOT NULL DEFAULT 0; -- reports have no figures about people
