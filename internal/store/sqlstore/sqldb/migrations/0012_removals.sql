-- needs 11
-- Attachments' bytes that must be removed for good, and that the place of attachments has not yet confirmed. A row is written with the
-- erasure or the purge that it belongs to, and deleted when the bytes are gone or when another attachment has the same bytes.
CREATE TABLE removals (
	sha256    {{text}} NOT NULL,
	workspace {{text}} NOT NULL,
	at        BIGINT NOT NULL, -- when the removal was asked for
	PRIMARY KEY (sha256, workspace)
);
CREATE INDEX removals_workspace ON removals (workspace, at);
CREATE INDEX removals_at ON removals (at, sha256);
