-- Replies of an agent by time, so that a page of them is read without sorting all.
CREATE INDEX messages_list ON messages (agent, at, place);
-- When each ask of an agent was put to humans, without reading its record.
CREATE INDEX records_waits ON records (agent, raised, no, answered, since, at, lane, round, id) WHERE kind = 1;
