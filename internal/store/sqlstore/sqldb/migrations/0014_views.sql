-- Queries of lists that people saved under a name, for themselves or for everyone in a workspace.
CREATE TABLE saved_views (
	id        {{text}} PRIMARY KEY,
	workspace {{text}} NOT NULL,
	person    {{text}} NOT NULL, -- whose it is; '' for everyone
	list      {{text}} NOT NULL,
	name      {{text}} NOT NULL,
	query     {{text}} NOT NULL,
	saved_by  {{text}} NOT NULL,
	at        BIGINT NOT NULL
);
CREATE UNIQUE INDEX saved_views_name ON saved_views (workspace, list, person, name);
