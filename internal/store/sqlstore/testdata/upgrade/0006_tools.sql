-- What a tool sent, and whose draft is a program's.
INSERT INTO feedback (id, workspace, person, token, tool, version, context, words, at) VALUES
	('66666666-6666-4666-8666-666666666666', '33333333-3333-4333-8333-333333333333', '11111111-1111-4111-8111-111111111111', '44444444-4444-4444-8444-444444444444', 'figs', '1.2', '', 'The wait was long.', 1795176026000000);
UPDATE drafts SET token = '44444444-4444-4444-8444-444444444444' WHERE ask = 'named';
