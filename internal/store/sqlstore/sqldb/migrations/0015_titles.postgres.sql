-- needs 11
-- The titles and ids of asks, for finding one by typing. Signs between words are spaces: PostgreSQL's own parser would read "-00007" as
-- a negative number, and "example.org" as one word.
CREATE INDEX records_titles ON records USING gin (to_tsvector('simple', translate(id || ' ' || title, '-_./:@#&+%=?~<>', '               '))) WHERE kind = 1;
CREATE INDEX records_newest_asks ON records (workspace, (no + 0)) WHERE kind = 1; -- for words of many titles, newest first
