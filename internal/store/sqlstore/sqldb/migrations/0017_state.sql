-- needs 11
-- By state, newest first, for searches that ask for states alone.
CREATE INDEX records_state ON records (workspace, kind, state, no, agent);
