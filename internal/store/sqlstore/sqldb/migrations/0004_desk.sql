-- What people do at their inbox beside deciding; no agent ever learns of it.
ALTER TABLE workspaces ADD COLUMN tick_all BIGINT NOT NULL DEFAULT 0;

-- Which attachments somebody was shown, or has downloaded.
CREATE TABLE opened (
	workspace {{text}} NOT NULL,
	person    {{text}} NOT NULL,
	sha256    {{text}} NOT NULL,
	ext       {{text}} NOT NULL,
	how       {{text}} NOT NULL,
	at        BIGINT NOT NULL, -- the first time
	PRIMARY KEY (workspace, person, sha256, ext, how)
){{clustered}};

CREATE TABLE drafts (
	person    {{text}} NOT NULL,
	agent     {{text}} NOT NULL,
	ask       {{text}} NOT NULL,
	workspace {{text}} NOT NULL,
	revision  {{text}} NOT NULL,
	verdict   {{text}} NOT NULL,
	chosen    {{text}} NOT NULL,
	words     {{text}} NOT NULL,
	at        BIGINT NOT NULL,
	PRIMARY KEY (person, agent, ask)
){{clustered}};

CREATE TABLE claims (
	agent     {{text}} NOT NULL,
	ask       {{text}} NOT NULL,
	person    {{text}} NOT NULL,
	workspace {{text}} NOT NULL,
	at        BIGINT NOT NULL,
	until     BIGINT NOT NULL,
	PRIMARY KEY (agent, ask, person)
){{clustered}};
CREATE INDEX claims_workspace ON claims (workspace, until);

-- A snooze holds as long as the ask is at the change that it was put off at.
CREATE TABLE snoozes (
	person    {{text}} NOT NULL,
	agent     {{text}} NOT NULL,
	ask       {{text}} NOT NULL,
	workspace {{text}} NOT NULL,
	record    BIGINT NOT NULL,
	versions  BIGINT NOT NULL,
	replies   BIGINT NOT NULL,
	until     BIGINT NOT NULL,
	PRIMARY KEY (person, agent, ask)
){{clustered}};
CREATE INDEX snoozes_workspace ON snoozes (workspace, until);

-- At most one row: the key with which receipts are signed.
CREATE TABLE keys (
	no         BIGINT PRIMARY KEY CHECK (no = 1),
	seed       {{blob}} NOT NULL,
	created_at BIGINT NOT NULL
);

CREATE INDEX decisions_list ON decisions (workspace, made_at, no) WHERE fate = 1;
CREATE INDEX decisions_ask ON decisions (agent, ask, made_at, no);

-- Whom the reply names that an ask is reported with (§6): as an agent wrote it, and without regard to
-- the case of letters.
ALTER TABLE records ADD COLUMN named {{text}} NOT NULL DEFAULT '';
ALTER TABLE records ADD COLUMN named_key {{text}} NOT NULL DEFAULT '';
CREATE INDEX inbox_reported ON records (workspace, lane, at DESC, no DESC, agent, asked, type, since, named_key) WHERE reported = 1;
CREATE INDEX records_reported ON records (agent, no) WHERE reported = 1;
DROP INDEX inbox_waiting;
CREATE INDEX inbox_waiting ON records (workspace, at, no, agent, asked, type, since) WHERE lane = 1 AND reported = 0;

-- What has to be derived anew, once, after a step; the program that opens the database does it.
CREATE TABLE chores (name {{text}} PRIMARY KEY);
INSERT INTO chores (name) VALUES ('named');
