-- Tokens by the day, in pulse: 30 adds up tokens, a session with its largest total on the day of the newest job that reports it; 31 counts the
-- jobs that report any.
DROP INDEX records_tokens;
CREATE INDEX records_sessions ON records (agent, session, tokens, at, no) WHERE kind = 0 AND state <> 3 AND tokens >= 0 AND session <> '';

INSERT INTO pulse (workspace, agent, what, hour, n)
SELECT workspace, agent, 30, day, sum(tokens) FROM (
	SELECT workspace, agent, ((at + 864000000000000000) / 86400000000 - 10000000) * 24 AS day, tokens
	FROM records WHERE kind = 0 AND state <> 3 AND tokens >= 0 AND session = ''
	UNION ALL
	SELECT workspace, agent, ((max(at) + 864000000000000000) / 86400000000 - 10000000) * 24 AS day, max(tokens) AS tokens
	FROM (SELECT workspace, agent, session, at, tokens, max(tokens) OVER (PARTITION BY agent, session) AS most
		FROM records WHERE kind = 0 AND state <> 3 AND tokens >= 0 AND session <> '') s
	WHERE tokens = most GROUP BY workspace, agent, session
) u GROUP BY workspace, agent, day;

INSERT INTO pulse (workspace, agent, what, hour, n)
SELECT workspace, agent, 31, ((at + 864000000000000000) / 86400000000 - 10000000) * 24 AS day, count(*)
FROM records WHERE kind = 0 AND state <> 3 AND tokens >= 0 GROUP BY workspace, agent, day;

INSERT INTO pulse (workspace, agent, what, hour, n)
SELECT workspace, '', what, hour, sum(n) FROM pulse WHERE agent <> '' AND what IN (30, 31) GROUP BY workspace, what, hour;

-- The job that the ask of a decision named when it was made, so that approvals of jobs that failed are found without reading asks.
ALTER TABLE decisions ADD COLUMN run {{text}} NOT NULL DEFAULT '';
UPDATE decisions SET run = coalesce((SELECT r.run FROM records r WHERE r.agent = decisions.agent AND r.kind = 1 AND r.id = decisions.ask), '');
DROP INDEX decisions_list;
CREATE INDEX decisions_list ON decisions (workspace, made_at, no, outcome, round, waited, unviewed, agent, person, run) WHERE fate = 1;

-- The names that an agent attaches, by their first mention, a page at a time.
CREATE INDEX mentions_order ON mentions (agent, place, name, record, n);
