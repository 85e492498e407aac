-- Ways to sign in beside a password, and what proves a person once more.
ALTER TABLE sessions ADD COLUMN way {{text}} NOT NULL DEFAULT 'password'; -- how the person signed in
ALTER TABLE sessions ADD COLUMN address {{text}} NOT NULL DEFAULT ''; -- where from
ALTER TABLE sessions ADD COLUMN used_at BIGINT NOT NULL DEFAULT 0; -- last use
UPDATE sessions SET used_at = created_at;
ALTER TABLE sessions ADD COLUMN proved_at BIGINT NOT NULL DEFAULT 0; -- when the person last proved who they are

-- What pages are in for a person; '' is what their browser asks for.
ALTER TABLE users ADD COLUMN language {{text}} NOT NULL DEFAULT '';

-- People who run the whole server; the first one is made one by the program.
ALTER TABLE users ADD COLUMN operator BIGINT NOT NULL DEFAULT 0;
UPDATE users SET operator = 1 WHERE id IN (SELECT subject FROM (SELECT substr(a.subject, 1, 36) AS subject FROM audit a WHERE a.workspace = '' AND a.action = 'reader.setup' ORDER BY a.n LIMIT 1) s);

CREATE TABLE passkeys (
	id         {{text}} PRIMARY KEY, -- of the credential, in base64url
	person     {{text}} NOT NULL REFERENCES users (id),
	name       {{text}} NOT NULL,
	credential {{text}} NOT NULL, -- JSON of the library that verifies it
	created_at BIGINT NOT NULL,
	used_at    BIGINT NOT NULL
);
CREATE INDEX passkeys_person ON passkeys (person);

-- Codes that a person keeps on paper: each works once.
CREATE TABLE recovery_codes (
	person  {{text}} NOT NULL REFERENCES users (id),
	hash    {{text}} NOT NULL,
	created_at BIGINT NOT NULL,
	used_at BIGINT NOT NULL,
	PRIMARY KEY (person, hash)
);

-- Who a person is to a provider of identities.
CREATE TABLE identities (
	issuer     {{text}} NOT NULL,
	subject    {{text}} NOT NULL,
	person     {{text}} NOT NULL REFERENCES users (id),
	email      {{text}} NOT NULL,
	created_at BIGINT NOT NULL,
	used_at    BIGINT NOT NULL,
	PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_person ON identities (person);

-- What works once and not for long: the challenge of a passkey, the state of a sign-in elsewhere,
-- the key of a reset link.
CREATE TABLE tickets (
	hash       {{text}} PRIMARY KEY,
	kind       {{text}} NOT NULL,
	person     {{text}} NOT NULL, -- whom it is for; empty: nobody yet
	data       {{blob}} NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX tickets_expires ON tickets (expires_at);

CREATE TABLE invites (
	id         {{text}} PRIMARY KEY,
	hash       {{text}} NOT NULL UNIQUE, -- of the key in its link
	workspace  {{text}} NOT NULL REFERENCES workspaces (id),
	role       {{text}} NOT NULL,
	email      {{text}} NOT NULL, -- whom alone it lets in; empty: whoever has the link, once
	made_by    {{text}} NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	used_at    BIGINT NOT NULL,
	used_by    {{text}} NOT NULL,
	revoked_at BIGINT NOT NULL
);
CREATE INDEX invites_workspace ON invites (workspace, created_at);

ALTER TABLE tokens ADD COLUMN scope {{text}} NOT NULL DEFAULT 'push'; -- 'read' pushes nothing
ALTER TABLE tokens ADD COLUMN expires_at BIGINT NOT NULL DEFAULT 0; -- 0: never
ALTER TABLE tokens ADD COLUMN address {{text}} NOT NULL DEFAULT ''; -- of its last use
ALTER TABLE devices ADD COLUMN token_name {{text}} NOT NULL DEFAULT ''; -- what the person calls the token that it gets
ALTER TABLE devices ADD COLUMN token_expires_at BIGINT NOT NULL DEFAULT 0; -- 0: the token has no end
