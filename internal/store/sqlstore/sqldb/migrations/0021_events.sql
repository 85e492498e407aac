-- What changed last, for the feed of events: records of a workspace, and replies of an agent that changed.
CREATE INDEX records_changed ON records (workspace, seq);
CREATE INDEX messages_changed ON messages (agent, seq);
