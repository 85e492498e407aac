CREATE SEQUENCE row_no;

CREATE TABLE search (
	no        BIGINT PRIMARY KEY,
	workspace {{text}} NOT NULL,
	agent     {{text}} NOT NULL,
	body      tsvector NOT NULL
);
CREATE INDEX search_body ON search USING gin (body);
CREATE INDEX search_agent ON search (agent);
