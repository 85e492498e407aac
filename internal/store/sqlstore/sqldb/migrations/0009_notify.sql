-- Where a person is told of what needs them. The page itself is the place whose id is the
-- person's: it has no row.
CREATE TABLE notify_places (
	id            {{text}} PRIMARY KEY,
	person        {{text}} NOT NULL REFERENCES users (id),
	kind          {{text}} NOT NULL, -- 'email', 'push', 'ntfy', 'webhook'
	name          {{text}} NOT NULL,
	target        {{text}} NOT NULL, -- an address of e-mail or of the web
	secret        {{text}} NOT NULL, -- what sending takes: it has to be read, so it is no hash
	digest        BIGINT NOT NULL, -- the hour at which e-mail comes once a day; -1: at once
	confirm       {{text}} NOT NULL, -- hash of the key in the letter that asks whether the address is right
	confirm_until BIGINT NOT NULL,
	confirmed_at  BIGINT NOT NULL, -- 0: nothing is sent there yet
	created_at    BIGINT NOT NULL,
	failing_since BIGINT NOT NULL, -- 0: what was sent last arrived
	disabled_at   BIGINT NOT NULL
);
CREATE INDEX notify_places_person ON notify_places (person, created_at);

-- What a person wants otherwise than it is at first: in the page all, elsewhere nothing.
CREATE TABLE notify_wishes (
	person    {{text}} NOT NULL,
	place     {{text}} NOT NULL,
	workspace {{text}} NOT NULL,
	event     {{text}} NOT NULL,
	wanted    BIGINT NOT NULL,
	PRIMARY KEY (person, place, workspace, event)
){{clustered}};

CREATE TABLE notify_hours (
	person {{text}} PRIMARY KEY,
	open   BIGINT NOT NULL, -- hours after which an ask is still open
	picked BIGINT NOT NULL  -- and a reply not picked up
);

-- What is told to whom at which place, each once. It holds no words of records: those are read
-- when it is sent, if they may be told then.
CREATE TABLE notify_outbox (
	id        {{text}} PRIMARY KEY,
	place     {{text}} NOT NULL,
	person    {{text}} NOT NULL,
	workspace {{text}} NOT NULL, -- empty: of none
	event     {{text}} NOT NULL,
	name      {{text}} NOT NULL, -- of the news: at one place there is one of that name
	agent     {{text}} NOT NULL,
	ask       {{text}} NOT NULL,
	round     BIGINT NOT NULL,
	at        BIGINT NOT NULL,
	state     {{text}} NOT NULL, -- 'waiting', 'sent', 'dead', 'dropped'
	tries     BIGINT NOT NULL,
	next_at   BIGINT NOT NULL,
	lease     {{text}} NOT NULL, -- whoever sends it now
	leased_to BIGINT NOT NULL,
	answer    {{text}} NOT NULL, -- of the last try
	ended_at  BIGINT NOT NULL,
	replayed  BIGINT NOT NULL,
	read_at   BIGINT NOT NULL -- in the page: 0 until it was read; -1 elsewhere
);
CREATE UNIQUE INDEX notify_outbox_once ON notify_outbox (place, name);
CREATE INDEX notify_outbox_due ON notify_outbox (next_at) WHERE state = 'waiting';
CREATE INDEX notify_outbox_person ON notify_outbox (person, at);
CREATE INDEX notify_outbox_unread ON notify_outbox (person, workspace) WHERE read_at = 0;
CREATE INDEX notify_outbox_old ON notify_outbox (at);

-- Up to which change, and which moment, it was planned whom to tell. What there is before this
-- step is told to nobody.
CREATE TABLE notify_cursors (
	workspace {{text}} PRIMARY KEY,
	seq       BIGINT NOT NULL,
	at        BIGINT NOT NULL
);
INSERT INTO notify_cursors (workspace, seq, at) SELECT id, seq, 0 FROM workspaces;

-- At most one row: the key by which browsers' push services know this reader.
CREATE TABLE notify_keys (
	no         BIGINT PRIMARY KEY CHECK (no = 1),
	private    {{text}} NOT NULL,
	public     {{text}} NOT NULL,
	created_at BIGINT NOT NULL
);

CREATE INDEX records_open_seq ON records (workspace, seq) WHERE lane = 0 AND kind = 1; -- counting takes the smaller inbox_needs
CREATE INDEX records_open_changed ON records (workspace, changed_at) WHERE lane = 0 AND kind = 1;
CREATE INDEX decisions_ended ON decisions (workspace, ended_at) WHERE fate = 1;
