-- What people keep at their desks, whom a report names, and that nothing is left to derive.
INSERT INTO opened (workspace, person, sha256, ext, how, at) VALUES
	('33333333-3333-4333-8333-333333333333', '11111111-1111-4111-8111-111111111111', '0e17e6af88a57dbe80b27a843c05988bdb2b0636d0d2fc9bcc8e8213ea6fa842', '.html', 'rendered', 1795176024000000);
INSERT INTO drafts (person, agent, ask, workspace, revision, verdict, chosen, words, at) VALUES
	('11111111-1111-4111-8111-111111111111', '0d4f2a3c-1111-4222-8333-000000000001', 'later', '33333333-3333-4333-8333-333333333333', '1.1.0.b149479bcb44e26c0b21546447af4794c359921d952e4bc69abec2e680978540', 'declined', '', 'Not before Monday.', 1795176024000000),
	('22222222-2222-4222-8222-222222222222', '0d4f2a3c-1111-4222-8333-000000000001', 'named', '33333333-3333-4333-8333-333333333333', '1.1.1.96e2a2fd394849236220807f45f35d688c4acf353733a52af9d7458471210a54', 'confirmed', '', 'As a program has it.', 1795176026000000);
INSERT INTO claims (agent, ask, person, workspace, at, until) VALUES
	('0d4f2a3c-1111-4222-8333-000000000001', 'later', '11111111-1111-4111-8111-111111111111', '33333333-3333-4333-8333-333333333333', 1795176025000000, 1795176625000000);
INSERT INTO snoozes (person, agent, ask, workspace, record, versions, replies, until) VALUES
	('11111111-1111-4111-8111-111111111111', '0d4f2a3c-1111-4222-8333-000000000001', 'later', '33333333-3333-4333-8333-333333333333', 4, 1, 0, 1795262426000000);
INSERT INTO keys (no, seed, created_at) VALUES
	(1, CAST('seedseedseedseedseedseedseedseed' AS {{blob}}), 1795176026000000);
UPDATE workspaces SET tick_all = 1;
UPDATE records SET named = 'Ana K', named_key = 'ANA K' WHERE id = 'named';
DELETE FROM chores;
