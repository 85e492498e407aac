CREATE TABLE agents (
	id            {{text}} PRIMARY KEY,
	workspace     {{text}} NOT NULL REFERENCES workspaces (id),
	name          {{text}} NOT NULL,
	charter       {{text}} NOT NULL,
	department    {{text}} NOT NULL, -- of the charter
	manager       {{text}} NOT NULL,
	builder       {{text}} NOT NULL,
	version       BIGINT NOT NULL, -- rises with every push that wrote: a plan made before it is void
	digest        {{text}} NOT NULL,
	findings      {{text}} NOT NULL,
	errors        BIGINT NOT NULL,
	warnings      BIGINT NOT NULL,
	infos         BIGINT NOT NULL,
	registered_at BIGINT NOT NULL,
	pushed_at     BIGINT NOT NULL,
	pushed_by     {{text}} NOT NULL,
	seq           BIGINT NOT NULL,
	messages_seq  BIGINT NOT NULL,
	jobs          BIGINT NOT NULL,
	in_flight     BIGINT NOT NULL,
	failed        BIGINT NOT NULL,
	warned        BIGINT NOT NULL,
	unknown       BIGINT NOT NULL,
	asks          BIGINT NOT NULL,
	needs         BIGINT NOT NULL,
	waiting       BIGINT NOT NULL,
	closed        BIGINT NOT NULL,
	messages      BIGINT NOT NULL,
	orphans       BIGINT NOT NULL, -- replies to asks that are not there
	files         BIGINT NOT NULL,
	refused       BIGINT NOT NULL,
	oldest        BIGINT NOT NULL,
	first_at      BIGINT NOT NULL, -- of its lines with a time of their own
	first_kind    BIGINT NOT NULL,
	last_at       BIGINT NOT NULL,
	last_ts       {{text}} NOT NULL
);
CREATE INDEX agents_workspace ON agents (workspace);
CREATE INDEX agents_digest ON agents (digest) WHERE digest <> '';

CREATE TABLE charters (
	agent       {{text}} NOT NULL REFERENCES agents (id),
	n           BIGINT NOT NULL,
	charter     {{text}} NOT NULL,
	received_at BIGINT NOT NULL,
	pushed_by   {{text}} NOT NULL,
	seq         BIGINT NOT NULL,
	PRIMARY KEY (agent, n)
);

-- Runs (kind 0) and asks (kind 1). Everything from title on is derived from the trail and the replies.
CREATE TABLE records (
	no          {{number}} PRIMARY KEY,
	agent       {{text}} NOT NULL REFERENCES agents (id),
	workspace   {{text}} NOT NULL,
	kind        BIGINT NOT NULL,
	id          {{text}} NOT NULL,
	place       BIGINT NOT NULL,
	fold        {{text}} NOT NULL,
	mark        BIGINT NOT NULL, -- of the bytes that came last
	versions    BIGINT NOT NULL,
	received_at BIGINT NOT NULL,
	changed_at  BIGINT NOT NULL,
	closed_at   BIGINT NOT NULL,
	pushed_by   {{text}} NOT NULL,
	seq         BIGINT NOT NULL,
	title       {{text}} NOT NULL,
	type        {{text}} NOT NULL,
	asked       {{text}} NOT NULL,
	unit        {{text}} NOT NULL,
	run         {{text}} NOT NULL,
	ts          {{text}} NOT NULL,
	at          BIGINT NOT NULL,
	state       BIGINT NOT NULL, -- a run's outcome, an ask's phase
	lane        BIGINT NOT NULL, -- 0 needs a human, 1 waits for the agent, 2 is closed; -1 for runs
	round       BIGINT NOT NULL,
	reported    BIGINT NOT NULL,
	since       BIGINT NOT NULL,
	raised      BIGINT NOT NULL, -- when an ask was first put to a human
	answered    BIGINT NOT NULL, -- when it got its first reply
	session     {{text}} NOT NULL, -- of a run
	tokens      BIGINT NOT NULL -- that a run's session had used; -1: it does not say
);
CREATE UNIQUE INDEX records_id ON records (agent, kind, id);
CREATE INDEX records_list ON records (agent, kind, lane, at, no, state, mark); -- counting and comparing read nothing else
CREATE INDEX records_needs ON records (agent, since, no) WHERE lane = 0;
CREATE INDEX records_run ON records (agent, run) WHERE run <> '';
CREATE INDEX records_flying ON records (agent, at, no) WHERE kind = 0 AND state = 3;
CREATE INDEX records_answered ON records (workspace, answered, agent, raised) WHERE kind = 1 AND answered > -9000000000000000000;
CREATE INDEX records_tokens ON records (workspace, at, agent, session, tokens) WHERE kind = 0 AND state <> 3 AND tokens >= 0;
CREATE INDEX inbox_needs ON records (workspace, since, no, agent, asked, type) WHERE lane = 0; -- choosing and counting read nothing else
CREATE INDEX inbox_waiting ON records (workspace, at, no, agent, asked, type, since) WHERE lane = 1;
CREATE INDEX inbox_closed ON records (workspace, at, no, agent, asked, type, since) WHERE lane = 2;

-- The fold of a record's lines, in order, is the record.
CREATE TABLE trail (
	record      BIGINT NOT NULL REFERENCES records (no),
	n           BIGINT NOT NULL,
	line        {{text}} NOT NULL,
	event       {{text}} NOT NULL,
	snapshot    BIGINT NOT NULL,
	received_at BIGINT NOT NULL,
	pushed_by   {{text}} NOT NULL,
	seq         BIGINT NOT NULL,
	PRIMARY KEY (record, n)
){{clustered}};

-- How often something happened in an hour, of each agent and, where agent is empty, of the
-- whole workspace: what is a line of a ledger (0 runs, 1 asks, 2 messages), or what a day counts
-- in its first hour (10 and more by outcome: jobs that settled; 20: asks that were raised).
CREATE TABLE pulse (
	workspace {{text}} NOT NULL,
	agent     {{text}} NOT NULL,
	what      BIGINT NOT NULL,
	hour      BIGINT NOT NULL, -- since 1970 UTC
	n         BIGINT NOT NULL,
	PRIMARY KEY (workspace, agent, what, hour)
){{clustered}};
CREATE INDEX pulse_days ON pulse (workspace, what, hour, agent, n) WHERE what >= 10;

-- Which version of which record attaches a name; derived from the trail.
CREATE TABLE mentions (
	agent  {{text}} NOT NULL,
	name   {{text}} NOT NULL,
	record BIGINT NOT NULL,
	n      BIGINT NOT NULL,
	place  BIGINT NOT NULL, -- rises from mention to mention, as far as numbers reach
	PRIMARY KEY (agent, name, record, n)
){{clustered}};

CREATE TABLE messages (
	no           {{number}} PRIMARY KEY,
	agent        {{text}} NOT NULL REFERENCES agents (id),
	id           {{text}} NOT NULL,
	place        BIGINT NOT NULL,
	ask          {{text}} NOT NULL,
	line         {{text}} NOT NULL,
	mark         BIGINT NOT NULL,
	verified     BIGINT NOT NULL,
	at           BIGINT NOT NULL,
	received_at  BIGINT NOT NULL,
	pushed_by    {{text}} NOT NULL,
	handed_at    BIGINT NOT NULL, -- when a sync first handed out a verified one; 0
	confirmed_at BIGINT NOT NULL, -- when a verified one first came back in a push; 0
	seq          BIGINT NOT NULL
);
CREATE UNIQUE INDEX messages_id ON messages (agent, id);
CREATE UNIQUE INDEX messages_place ON messages (agent, place);
CREATE INDEX messages_mark ON messages (agent, mark);
CREATE INDEX messages_ask ON messages (agent, ask);
CREATE INDEX messages_unhanded ON messages (agent, seq) WHERE verified = 1 AND handed_at = 0;
CREATE INDEX messages_unconfirmed ON messages (agent, id) WHERE verified = 1 AND confirmed_at = 0;

-- What signed-in humans decided. One that is pending (fate 0) is no message yet, so that whatever
-- reads messages knows nothing of it; settled (1) it is one, undone (2) it never was.
CREATE TABLE decisions (
	no           {{number}} PRIMARY KEY,
	workspace    {{text}} NOT NULL REFERENCES workspaces (id),
	agent        {{text}} NOT NULL REFERENCES agents (id),
	ask          {{text}} NOT NULL,
	id           {{text}} NOT NULL, -- of the message
	person       {{text}} NOT NULL REFERENCES users (id),
	form         {{text}} NOT NULL, -- hash of the key of the form that it was sent from
	line         {{text}} NOT NULL,
	revision     {{text}} NOT NULL, -- of the ask, as it was seen
	files        {{text}} NOT NULL, -- as they were seen: a JSON array
	notes        {{text}} NOT NULL,
	made_at      BIGINT NOT NULL,
	effective_at BIGINT NOT NULL,
	fate         BIGINT NOT NULL,
	ended_at     BIGINT NOT NULL,
	audit        {{text}} NOT NULL, -- hash of its row
	seq          BIGINT NOT NULL
);
CREATE UNIQUE INDEX decisions_form ON decisions (person, form);
CREATE UNIQUE INDEX decisions_id ON decisions (agent, id);
CREATE INDEX decisions_due ON decisions (effective_at, no) WHERE fate = 0;
CREATE INDEX decisions_pending ON decisions (workspace, agent, ask) WHERE fate = 0;

CREATE TABLE attachments (
	no          {{number}} PRIMARY KEY,
	agent       {{text}} NOT NULL REFERENCES agents (id),
	workspace   {{text}} NOT NULL,
	name        {{text}} NOT NULL,
	sha256      {{text}} NOT NULL,
	size        BIGINT NOT NULL,
	words       {{text}} NOT NULL, -- what search finds in it
	uploaded_at BIGINT NOT NULL,
	pushed_by   {{text}} NOT NULL,
	seq         BIGINT NOT NULL
);
CREATE UNIQUE INDEX attachments_name ON attachments (agent, name);
CREATE INDEX attachments_sha256 ON attachments (workspace, sha256);

CREATE TABLE refusals (
	agent     {{text}} NOT NULL REFERENCES agents (id),
	kind      BIGINT NOT NULL,
	id        {{text}} NOT NULL,
	reason    BIGINT NOT NULL,
	at        BIGINT NOT NULL,
	pushed_by {{text}} NOT NULL,
	seq       BIGINT NOT NULL,
	PRIMARY KEY (agent, kind, id, reason)
);
