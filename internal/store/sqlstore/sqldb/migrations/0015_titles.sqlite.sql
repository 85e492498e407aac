-- needs 11
-- The titles and ids of asks, for finding one by typing: among the words of all records it would be one of very many. Triggers keep it,
-- so that whatever writes records needs to know nothing of it.
CREATE VIRTUAL TABLE titles USING fts5 (scope, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0', prefix = '2 3');
CREATE TRIGGER titles_insert AFTER INSERT ON records WHEN new.kind = 1 BEGIN
	INSERT INTO titles (rowid, scope, body) VALUES (new.no, 'w' || hex(new.workspace) || ' a' || hex(new.agent), new.id || ' ' || new.title);
END;
CREATE TRIGGER titles_update AFTER UPDATE OF title, workspace ON records WHEN new.kind = 1 AND (new.title <> old.title OR new.workspace <> old.workspace) BEGIN
	DELETE FROM titles WHERE rowid = old.no;
	INSERT INTO titles (rowid, scope, body) VALUES (new.no, 'w' || hex(new.workspace) || ' a' || hex(new.agent), new.id || ' ' || new.title);
END;
CREATE TRIGGER titles_delete AFTER DELETE ON records WHEN old.kind = 1 BEGIN
	DELETE FROM titles WHERE rowid = old.no;
END;
INSERT INTO titles (rowid, scope, body) SELECT no, 'w' || hex(workspace) || ' a' || hex(agent), id || ' ' || title FROM records WHERE kind = 1;
