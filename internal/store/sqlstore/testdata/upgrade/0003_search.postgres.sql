-- What search knows, and the last number that a row was given.
SELECT setval('row_no', 12);
INSERT INTO search (no, workspace, agent, body) VALUES
	(1, '33333333-3333-4333-8333-333333333333', '0d4f2a3c-1111-4222-8333-000000000001', to_tsvector('simple', 'October 99% matched')),
	(2, '33333333-3333-4333-8333-333333333333', '0d4f2a3c-1111-4222-8333-000000000001', to_tsvector('simple', 'Send the statement')),
	(3, '33333333-3333-4333-8333-333333333333', '0d4f2a3c-1111-4222-8333-000000000001', to_tsvector('simple', 'Which account?')),
	(4, '33333333-3333-4333-8333-333333333333', '0d4f2a3c-1111-4222-8333-000000000001', to_tsvector('simple', 'Close the year')),
	(5, '33333333-3333-4333-8333-333333333333', '0d4f2a3c-1111-4222-8333-000000000001', to_tsvector('simple', 'Write it off')),
	(7, '33333333-3333-4333-8333-333333333333', '0d4f2a3c-1111-4222-8333-000000000001', to_tsvector('simple', 'November isn''t over')),
	(8, '33333333-3333-4333-8333-333333333333', '0d4f2a3c-1111-4222-8333-000000000001', to_tsvector('simple', 'October balances'));
