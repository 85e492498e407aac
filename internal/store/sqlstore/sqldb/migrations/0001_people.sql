CREATE TABLE users (
	id         {{text}} PRIMARY KEY,
	email      {{text}} NOT NULL UNIQUE,
	name       {{text}} NOT NULL,
	password   {{text}} NOT NULL,
	created_at BIGINT NOT NULL
);

CREATE TABLE workspaces (
	id         {{text}} PRIMARY KEY,
	slug       {{text}} NOT NULL UNIQUE,
	name       {{text}} NOT NULL,
	seq        BIGINT NOT NULL,
	roster     BIGINT NOT NULL, -- the number of the last change of who its agents and members are
	created_at BIGINT NOT NULL,
	deleted_at BIGINT NOT NULL
);

CREATE TABLE members (
	workspace {{text}} NOT NULL REFERENCES workspaces (id),
	person    {{text}} NOT NULL REFERENCES users (id),
	role      {{text}} NOT NULL,
	since     BIGINT NOT NULL,
	PRIMARY KEY (workspace, person)
);
CREATE INDEX members_person ON members (person);

CREATE TABLE tokens (
	id         {{text}} PRIMARY KEY,
	person     {{text}} NOT NULL REFERENCES users (id),
	name       {{text}} NOT NULL,
	hash       {{text}} NOT NULL UNIQUE,
	created_at BIGINT NOT NULL,
	used_at    BIGINT NOT NULL,
	revoked_at BIGINT NOT NULL
);
CREATE INDEX tokens_person ON tokens (person);

CREATE TABLE sessions (
	hash       {{text}} PRIMARY KEY,
	person     {{text}} NOT NULL,
	data       {{blob}} NOT NULL,
	agent      {{text}} NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_person ON sessions (person);
CREATE INDEX sessions_expires ON sessions (expires_at);

CREATE TABLE devices (
	hash       {{text}} PRIMARY KEY,
	user_code  {{text}} NOT NULL UNIQUE,
	status     {{text}} NOT NULL,
	person     {{text}} NOT NULL,
	agent      {{text}} NOT NULL,
	address    {{text}} NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	polled_at  BIGINT NOT NULL
);
CREATE INDEX devices_expires ON devices (expires_at);

-- Attempts at what may be tried only so often: their times, oldest first, in one text.
CREATE TABLE attempts (
	name       {{text}} PRIMARY KEY,
	times      {{text}} NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX attempts_expires ON attempts (expires_at);

-- At most one row: the link with which a reader without people is set up.
CREATE TABLE setups (
	no         BIGINT PRIMARY KEY CHECK (no = 1),
	hash       {{text}} NOT NULL,
	expires_at BIGINT NOT NULL
);

-- What was done in a workspace, or where that is empty in none: a chain, in which every row's
-- hash is over the hash of the row before it and over itself.
CREATE TABLE audit (
	workspace {{text}} NOT NULL,
	n         BIGINT NOT NULL,
	at        BIGINT NOT NULL,
	actor     {{text}} NOT NULL,
	action    {{text}} NOT NULL,
	subject   {{text}} NOT NULL,
	hash      {{text}} NOT NULL,
	PRIMARY KEY (workspace, n)
){{clustered}};

-- Where each chain ends, so that a last row that is taken away is missed.
CREATE TABLE chains (
	workspace {{text}} PRIMARY KEY,
	n         BIGINT NOT NULL,
	hash      {{text}} NOT NULL
);
