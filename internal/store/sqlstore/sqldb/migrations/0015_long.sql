-- Replies of an agent by time, so that a page of them is read without sorting all.
CREATE INDEX messages_list ON messages (agent, at, place);
