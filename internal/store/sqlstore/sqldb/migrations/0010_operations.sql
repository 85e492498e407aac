-- When the reader was last backed up, and other facts of its own.
CREATE TABLE facts (
	name  {{text}} PRIMARY KEY,
	value {{text}} NOT NULL,
	at    BIGINT NOT NULL
);
