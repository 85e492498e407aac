CREATE TABLE counters (
	name  TEXT PRIMARY KEY,
	value BIGINT NOT NULL
);
INSERT INTO counters (name, value) VALUES ('no', 0);

CREATE VIRTUAL TABLE search USING fts5 (scope, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0');
